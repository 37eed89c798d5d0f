// This file lists the commits that changed the lines of one symbol, as git log -L does.
//
// The symbol is looked for in the committed file, by the parser that found it in the index, because
// the indexed file may have been edited since the last commit. The answer for a symbol is stored
// next to the index until HEAD moves.
//
// Git walks the history and runs hardened (scrape/git). Commits, bytes and time are limited.

package scrape

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"patina/scrape/git"
	"patina/scrape/parse"
	"patina/store/doc"
	"patina/store/folder"
)

const (
	// MaxCommits is the most commits listed for a symbol.
	MaxCommits = 200
	// maxText is the size of the largest committed file that is parsed, in bytes.
	maxText = 4 << 20
)

// A Symbol is a symbol of an indexed file. All fields must be set.
type Symbol struct {
	Path        string // from the top of the working tree, with slashes
	Name        string // the name of its entry
	First, Last int    // its lines in Text, from 1
	Text        string // the file, as indexed
}

// Changes are the commits that changed a symbol, newest first.
type Changes struct {
	Commits []git.Change `json:"commits"`
	Whole   bool         `json:"whole"` // the list is complete
	Late    bool         `json:"-"`     // the time was up
	Edited  bool         `json:"-"`     // the indexed file differs from the committed one
}

var (
	// ErrNew is returned for a symbol that is in no commit yet.
	ErrNew = errors.New("it is not committed yet")
	// ErrLate is returned if the time was up before any commit was found.
	ErrLate = errors.New("the time was up")
)

// Follow returns the commits that changed a symbol's lines, up to HEAD. The end of ctx cuts the
// list. Answers are stored in folder, unless it is nil. It returns ErrNew if the symbol is not
// committed, and ErrLate if ctx ends before any commit was found.
func Follow(ctx context.Context, t git.Tree, folder *folder.Folder, s Symbol) (Changes, error) {
	head, _, err := t.Head()
	if err == nil && head == "" {
		err = ErrNew
	}
	if err != nil {
		return Changes{}, err
	}
	first, last, edited, err := committedLines(ctx, t, head, s)
	if err != nil {
		return Changes{}, err
	}
	key := key{head, s.Path, s.Name, first, last}
	kept := readCache(folder)
	if c, ok := kept.findAnswer(key); ok {
		c.Edited = edited
		return c, nil
	}
	c := Changes{Edited: edited}
	if c.Commits, c.Whole, err = t.LineLog(ctx, head, s.Path, first, last, MaxCommits); err != nil {
		return Changes{}, err
	}
	if c.Late = ctx.Err() != nil; !c.Late {
		kept.putAnswer(folder, key, c)
	} else if len(c.Commits) == 0 {
		return c, ErrLate
	}
	return c, nil
}

// committedLines returns the lines of a symbol in a commit, and whether the file differs there.
func committedLines(ctx context.Context, t git.Tree, head string, s Symbol) (first, last int, edited bool, err error) {
	text, err := t.Blob(ctx, head, s.Path, maxText)
	switch {
	case ctx.Err() != nil:
		return 0, 0, false, ErrLate
	case errors.Is(err, git.ErrNotCommitted):
		return 0, 0, false, ErrNew
	case err != nil:
		return 0, 0, false, err
	case string(text) == s.Text:
		return s.First, s.Last, false, nil
	}
	f, _ := parse.Parse(parse.Input{Path: s.Path, Text: text})
	if f == nil {
		return 0, 0, true, fmt.Errorf("parse %q at %.12s: it has no symbols", s.Path, head)
	}
	i := slices.IndexFunc(f.Entries, func(e doc.Entry) bool { return e.Name == s.Name })
	if i < 0 {
		return 0, 0, true, ErrNew
	}
	return f.Entries[i].First, f.Entries[i].Last, true, nil
}
