package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"patina/store/doc"
)

// maxBroken is the number of unreadable commits after which Log gives up: each costs a git process.
// A damaged repository has a few; in a clone without trees all commits are unreadable.
const maxBroken = 100

// Log passes commits to each, the oldest first. They are head's history without the histories of
// since. A commit never comes before its parents, and head is the last one; else times decide.
//
// A renamed file is there under both paths, and Moves has the pair. Git pairs files at least half
// alike, and only equal ones where objects are missing, as in a partial clone. Merges come without
// files, and so do the commits where a shallow clone was cut. Tags are left empty (see Tags).
// Commits for which known is true are skipped before anything is read; known may be nil, and is
// asked once for each, in order.
//
// If objects are missing, Log delivers every readable commit. Then it returns an error that wraps
// ErrIncomplete and names the first object. A missing commit's ancestors are unknown too. A commit
// whose files are missing is left out alone. There are other errors if a commit in since is
// unknown, if there is a gap behind it, or if nothing can be read: ask again without since. An
// error from known or each ends Log and is returned unchanged.
//
// The order costs a list of ids, 20 bytes a commit. They are given to git diff-tree one by one,
// which can resume behind a gap; git log --reverse cannot. The speed is the same (30,000
// commits/s).
func (t Tree) Log(ctx context.Context, head string, since []string, known func(id string) (bool, error), each func(doc.Revision) error) error {
	for _, id := range append([]string{head}, since...) {
		if !isID(id) {
			return fmt.Errorf("read history: %q is not a commit id", id)
		}
	}
	all, walkErr := t.walk(ctx, head, since)
	if walkErr != nil && !errors.Is(walkErr, ErrIncomplete) {
		return fmt.Errorf("read history: %w", walkErr)
	}
	if known != nil {
		if err := all.drop(known); err != nil {
			return err
		}
	}
	r := reading{ids: all, boundary: t.boundary(), each: each, exact: t.Partial()}
	for r.at < all.len() {
		err := r.pass(ctx, t)
		if r.refused != nil {
			return r.refused
		}
		if err != nil {
			return fmt.Errorf("read history: %w", err)
		}
		if r.broken > maxBroken {
			break
		}
	}
	if r.firstErr != nil {
		return fmt.Errorf("read history: %w: %d commits not read, first %s: %w", ErrIncomplete, r.bytesLeft(), r.firstBroken, r.firstErr)
	}
	return wrapError("read history", walkErr)
}

// A reading is Log's state: its arguments and its progress.
type reading struct {
	ids      ids
	at       int // first id not yet handled
	boundary map[string]bool
	each     func(doc.Revision) error
	refused  error // from each
	// Only equal files count as renamed: comparing others needs their content.
	exact bool

	broken      int // ids that could not be read
	firstBroken string
	firstErr    error
}

func (r *reading) bytesLeft() int { return r.broken + r.ids.len() - r.at }

// A renamed file has kept half its lines, which is git's default. The other number bounds how many
// new files in a commit are compared with removed ones, beyond equal content or name. It was git's
// default until 2021. A history takes git a tenth to a half longer with it.
const (
	alike = "--find-renames=50%"
	equal = "--find-renames=100%"
	most  = "-l400"
)

// pass lets one git process print the commits from r.at on, and moves r.at.
//
// Git ends at an unreadable tree or file. The next pass then does not compare files. If that was so
// already, the commit is skipped. An error means that no further pass can help: git was killed, did
// not start, or is not understood.
func (r *reading) pass(ctx context.Context, t Tree) error {
	var last *doc.Revision // held back until it is complete
	renames := alike
	if r.exact {
		renames = equal
	}
	err := t.stream(ctx, r.ids.from(r.at), func(out *bufio.Reader) error {
		records := records{r: out}
		for {
			rev, err := records.nextCommit()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if err := r.deliver(last); err != nil {
				return err
			}
			last = &rev
		}
	}, "diff-tree", "--stdin", "--root", "-r", "-z", "--no-ext-diff", "--no-textconv", "--name-status", renames, most, "--always",
		"--ignore-submodules=none", "--encoding=UTF-8", "--format="+format)
	if err != nil && exitCode(err) < 0 {
		return err
	}
	if err := r.deliver(last); err != nil {
		return err
	}
	switch {
	case err != nil && r.at < r.ids.len() && !r.exact:
		r.exact = true
		return nil
	case err != nil && r.at < r.ids.len():
		r.skip(err)
		return nil
	}
	for r.at < r.ids.len() { // git ended well: commits it did not print are missing
		r.skip(errNotRead)
	}
	return nil
}

// errNotRead is the cause when git silently skipped a commit, as it does if the commit is missing.
var errNotRead = errors.New("no such commit")

// deliver passes a commit on, and notes the ones before it that git skipped.
func (r *reading) deliver(rev *doc.Revision) error {
	if rev == nil {
		return nil
	}
	for ; r.at < r.ids.len() && r.ids.id(r.at) != rev.SHA; r.skip(errNotRead) {
	}
	if r.at == r.ids.len() {
		return fmt.Errorf("%w: commit %s was not asked for", errSyntax, rev.SHA)
	}
	r.at++
	if len(rev.Moves) > 0 {
		slices.Sort(rev.Files) // git orders them by their new paths
	}
	if r.boundary[rev.SHA] {
		rev.Files, rev.Moves = nil, nil
	}
	r.refused = r.each(*rev)
	return r.refused
}

// skip gives one commit up.
func (r *reading) skip(cause error) {
	if r.firstErr == nil {
		r.firstBroken, r.firstErr = r.ids.id(r.at), cause
	}
	r.broken++
	r.at++
}
