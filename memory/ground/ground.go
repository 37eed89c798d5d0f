// Package ground hashes the code that a memory is about: a symbol, or a whole file.
//
// The hash is over tokens, without comments and spaces. So it does not change with formatting, a
// move within the file or a rename of the file, and it changes with the body. Renames and commits
// are read from git.
package ground

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/scrape/content"
	"patina/scrape/git"
	"patina/scrape/openat"
	"patina/scrape/parse"
	"patina/store/doc"
)

const (
	maxFile    = 4 << 20 // bytes
	maxCommits = 50
	maxFiles   = 100             // searched for a moved symbol
	patience   = 5 * time.Second // for one call of git
)

// Hash returns the hash of a symbol in a file's text, or of the whole text if symbol is empty. It
// returns "" if the file has no such symbol.
func Hash(name string, text []byte, symbol string) string {
	part := string(text)
	if symbol != "" {
		file, _ := parse.Parse(parse.Input{Path: name, Text: text})
		e, ok := findEntry(file.Entries, symbol)
		if !ok {
			return ""
		}
		part = doc.Lines(part, e.First, e.Last)
	}
	h := sha256.New()
	eachToken(part, styleOf(name), func(t string) { _, _ = io.WriteString(h, t+"\x00") })
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// findEntry finds a symbol by its full name, or by the last part of its name if that is unique.
func findEntry(all []doc.Entry, symbol string) (found doc.Entry, ok bool) {
	n := 0
	for _, e := range all {
		switch bare := doc.BareName(e.Name); {
		case e.Name == symbol || bare == symbol:
			return e, true
		case doc.LastName(bare) == symbol:
			found = e
			n++
		}
	}
	return found, n == 1
}

// A Tree is a working tree. It reads each file once. The caller must call Close. It must not be
// used concurrently.
type Tree struct {
	root   string
	folder *openat.Folder
	known  map[[2]string]string // hashes by file and symbol
}

// Open opens the tree below a folder, which must exist.
func Open(root string) (*Tree, error) {
	f, err := openat.Open(root)
	return &Tree{root, f, map[[2]string]string{}}, err
}

// Close closes the tree.
func (t *Tree) Close() { t.folder.Close() }

// Hash returns the hash of a symbol or a file in the tree, or "" if it does not exist.
func (t *Tree) Hash(name, symbol string) string {
	if name == "" {
		return ""
	}
	key := [2]string{name, symbol}
	if known, ok := t.known[key]; ok {
		return known
	}
	hash := ""
	if text, ok := content.ReadText(t.folder, name, maxFile); ok {
		hash = Hash(name, text, symbol)
	}
	t.known[key] = hash
	return hash
}

// A Move is a change of the ground of a memory. It has no commits if the change is not committed,
// or git does not know it.
type Move struct {
	Since   time.Time `json:"since,omitzero"` // the first commit that changed it
	Commits int       `json:"commits"`
	Gone    bool      `json:"gone"` // the file or symbol no longer exists
}

// Said returns the move in words at a time, such as "ground moved 12 days ago, 3 commits".
func (m *Move) Said(now time.Time) string {
	what := "ground moved"
	if m.Gone {
		what = "ground is gone"
	}
	if m.Commits == 0 {
		return what + ", not committed"
	}
	days, commits := int(now.Sub(m.Since).Hours()/24), "1 commit"
	if m.Commits > 1 {
		commits = strconv.Itoa(m.Commits) + " commits"
	}
	switch days {
	case 0:
		return what + " today, " + commits
	case 1:
		return what + " 1 day ago, " + commits
	}
	return what + " " + strconv.Itoa(days) + " days ago, " + commits
}

// Moved compares a hash with the tree. It returns nil if the ground has not changed.
func (t *Tree) Moved(ctx context.Context, name, symbol, hash string, written time.Time) *Move {
	now := t.Hash(name, symbol)
	if now == hash {
		return nil
	}
	if now == "" {
		if later := t.renamed(ctx, name); later != "" {
			if now = t.Hash(later, symbol); now == hash {
				return nil
			}
			name = later
		}
		if now == "" && t.elsewhere(ctx, name, symbol, hash) {
			return nil
		}
	}
	m := &Move{Gone: now == ""}
	t.countCommits(ctx, m, name, symbol, hash, written)
	return m
}

// elsewhere reports whether a symbol was moved unchanged to another file of its language. It
// searches the files that contain its name.
func (t *Tree) elsewhere(ctx context.Context, name, symbol, hash string) bool {
	last := doc.LastName(doc.BareName(symbol))
	if last == "" {
		return false
	}
	tried := 0
	for file := range strings.SplitSeq(t.git(ctx, "grep", "--untracked", "-lIzwF", "-e", last), "\x00") {
		if file == name || path.Ext(file) != path.Ext(name) || styleOf(file).line == nil {
			continue
		}
		if tried++; tried > maxFiles {
			return false
		}
		if t.Hash(file, symbol) == hash {
			return true
		}
	}
	return false
}

// renamed follows a file's renames, committed or staged, and returns its current path, or "".
func (t *Tree) renamed(ctx context.Context, name string) string {
	for range 10 {
		later := renameIn(t.git(ctx, "diff", "--relative", "-M", "--name-status", "--diff-filter=R", "-z", "HEAD"),
			name)
		if later == "" {
			sha := strings.TrimSpace(t.git(ctx, "log", "-1", "--format=%H", "--diff-filter=D", "--no-renames", "--",
				name))
			if sha == "" {
				return ""
			}
			later = renameIn(t.git(ctx, "show", "--relative", "-M", "--name-status", "--diff-filter=R", "-z",
				"--format=", sha), name)
		}
		if later == "" || t.Hash(later, "") != "" {
			return later
		}
		name = later
	}
	return ""
}

// renameIn returns a path's new name in git's output with -z, or "".
func renameIn(out, name string) string {
	f := strings.Split(out, "\x00")
	for i := 0; i+2 < len(f); i += 3 {
		if f[i+1] == name {
			return f[i+2]
		}
	}
	return ""
}

// countCommits sets the number and the time of the commits that changed the ground since a memory
// was written.
func (t *Tree) countCommits(ctx context.Context, m *Move, name, symbol, first string, written time.Time) {
	last := first
	out := t.git(ctx, "log", "--relative", "--follow", "--name-only", "-z", "--format=%x01%H %ct",
		"--since="+strconv.FormatInt(written.Unix()-1, 10), "--", name)
	commits := strings.Split(out, "\x01") // newest first, because git cannot follow renames forwards
	slices.Reverse(commits)
	for _, c := range commits[max(0, len(commits)-1-maxCommits):] {
		head, file, _ := strings.Cut(strings.Trim(c, "\x00\n"), "\n")
		sha, at, _ := strings.Cut(strings.Trim(head, "\x00"), " ")
		seconds, err := strconv.ParseInt(strings.Trim(at, "\x00"), 10, 64)
		if err != nil {
			continue
		}
		file = strings.Trim(file, "\x00\n")
		then := ""
		if text := t.git(ctx, "show", sha+":./"+file); text != "" && len(text) <= maxFile {
			then = Hash(file, []byte(text), symbol)
		}
		switch {
		case then == first:
			m.Commits = 0 // the ground was the same again, or the memory was written again
		case then != last:
			if m.Commits++; m.Commits == 1 {
				m.Since = time.Unix(seconds, 0).UTC()
			}
		}
		last = then
	}
	if m.Commits == 0 {
		m.Since = time.Time{}
	}
}

// git returns the output of git, or "" if it fails. Then the facts that it would give are left out.
func (t *Tree) git(ctx context.Context, args ...string) string {
	out, err := git.Output(ctx, git.Call{Folder: t.root, Literal: true, Longest: patience, Args: args})
	if err != nil {
		return ""
	}
	return string(out)
}
