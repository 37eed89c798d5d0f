package eval

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// A Commit is any commit except a merge.
type Commit struct {
	SHA     string
	Subject string
	Files   []string // added, changed or removed
}

// A Past is a repository in its state before the commits that are questions.
type Past struct {
	// Cut is the commit whose tree is searched: the parent of the oldest in Asked.
	Cut     string
	Asked   []Commit // newest first
	History []Commit // Cut and its ancestors, newest first
	Later   []Commit // all commits outside of History, newest first; ReadRecent only
}

const (
	// mostFiles bounds the files of a commit. A larger one is a sweep through the tree, and its
	// subject names no place.
	mostFiles = 20
	// fewestWord is the least number of words in a subject, without issue numbers: "fix typo" asks
	// for nothing.
	fewestWord = 3
)

// trivial matches subjects about a release, an update or a revert. Such commits are dropped,
// because their subjects say nothing about the files.
var trivial = lazyregexp.New(`(?i)^\W*((build|chore|ci|fix|feat|docs?|refactor|test|style)(\([^)]*\))?!?:\s*)?` +
	`(merge|release|prepare|bump(ed|s)?|version|v?\d+\.\d+|revert|upgrade|fixup|squash|wip|back to dev|` +
	`(updates?|lock|pin) (the )?(change ?log|changes|history|dependency|dependencies|deps|submodules?|copyright|authors|readme|.* (to|from) v?\d)|` +
	`(chore|build|fix)\((deps|deps-dev|release)[^)]*\)|\[pre-commit|.* action to v?\d)`)

var issueNumber = lazyregexp.New(`\(?(#|GH-)\d+\)?|\b[0-9a-f]{7,40}\b|\[(ci skip|skip ci)\]`)

// ReadPast reads up to n of the newest usable commits, and the history before them. A commit is
// usable if it is not a merge, changes 1 to 20 relevant files, and has a specific subject. It
// returns an error if there is no usable commit.
func ReadPast(ctx context.Context, gitDir string, n int) (*Past, error) {
	all, err := readLog(ctx, gitDir, "HEAD")
	if err != nil {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, err)
	}
	p := &Past{}
	for _, c := range all {
		if c.Subject = clean(c.Subject); len(p.Asked) < n && c.askable() {
			p.Asked = append(p.Asked, c)
		}
	}
	if len(p.Asked) == 0 {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, errors.New("no commit can be asked for"))
	}
	cut, err := runGit(ctx, gitDir, "rev-parse", p.Asked[len(p.Asked)-1].SHA+"^")
	if err != nil {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, err)
	}
	p.Cut = strings.TrimSpace(cut)
	if p.History, err = readLog(ctx, gitDir, p.Cut); err != nil {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, err)
	}
	p.forget()
	return p, nil
}

// ErrNoPast reports that a history is too short for hiding a part of it.
var ErrNoPast = errors.New("no commit with a past can be asked for")

// ReadRecent is ReadPast for any repository, from the commit head. At most every second usable
// commit is a question, because a past must remain, and each must have a parent. The error wraps
// ErrNoPast if no commit is left.
func ReadRecent(ctx context.Context, gitDir, head string, n int) (*Past, error) {
	all, err := readLog(ctx, gitDir, head)
	if err != nil {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, err)
	}
	p := &Past{}
	for _, c := range all {
		if c.Subject = clean(c.Subject); c.askable() {
			p.Asked = append(p.Asked, c)
		}
	}
	p.Asked = p.Asked[:min(n, len(p.Asked)/2)]
	for p.Cut == "" {
		if len(p.Asked) == 0 {
			return nil, fmt.Errorf("read history of %q: %w", gitDir, ErrNoPast)
		}
		last := len(p.Asked) - 1
		cut, err := runGit(ctx, gitDir, "rev-parse", "--quiet", "--verify", p.Asked[last].SHA+"^")
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p.Cut = strings.TrimSpace(cut); err != nil {
			p.Cut, p.Asked = "", p.Asked[:last]
		}
	}
	if p.History, err = readLog(ctx, gitDir, p.Cut); err != nil {
		return nil, fmt.Errorf("read history of %q: %w", gitDir, err)
	}
	old := map[string]bool{}
	for _, c := range p.History {
		old[c.SHA] = true
	}
	p.Later = slices.DeleteFunc(all, func(c Commit) bool { return old[c.SHA] })
	p.Asked = slices.DeleteFunc(p.Asked, func(c Commit) bool { return old[c.SHA] })
	return p, nil
}

// forget drops usable commits that are in the history, too. A branch with a wrong clock may have
// brought them there.
func (p *Past) forget() {
	p.Asked = slices.DeleteFunc(p.Asked, func(c Commit) bool {
		return slices.ContainsFunc(p.History, func(x Commit) bool { return x.SHA == c.SHA })
	})
}

// clean removes issue numbers and commit ids from a subject.
func clean(subject string) string {
	return strings.Join(strings.Fields(issueNumber().ReplaceAllString(subject, " ")), " ")
}

func (c Commit) askable() bool {
	return slices.ContainsFunc(c.Files, Counts) && len(c.Files) <= mostFiles &&
		len(strings.Fields(c.Subject)) >= fewestWord && !trivial().MatchString(c.Subject)
}

var journal = lazyregexp.New(`(?i)^(change(s|log)?|history|news|releases?|authors|contributors|upgrading|whatsnew.*)(\.\w+)?$`)

// Counts reports whether a subject can mean a file. It cannot mean a change log, because every
// commit may touch it.
func Counts(file string) bool { return !journal().MatchString(path.Base(file)) }

// logFormat separates commits by \x01 and their parts by \x02, which occur in no subject.
const logFormat = "--format=%x01%H%x02%s%x02"

func readLog(ctx context.Context, gitDir, from string) ([]Commit, error) {
	out, err := runGit(ctx, gitDir, "log", "--no-merges", "--no-renames", "--name-only", "-z", logFormat, from)
	return parseLog(out), err
}

func parseLog(out string) []Commit {
	var list []Commit
	for record := range strings.SplitSeq(out, "\x01") {
		parts := strings.SplitN(record, "\x02", 3)
		if len(parts) < 3 {
			continue
		}
		c := Commit{SHA: parts[0], Subject: parts[1]}
		for f := range strings.SplitSeq(parts[2], "\x00") {
			if f = strings.Trim(f, "\n"); f != "" {
				c.Files = append(c.Files, f)
			}
		}
		list = append(list, c)
	}
	return list
}
