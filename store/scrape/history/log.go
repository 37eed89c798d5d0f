package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"patina/store"
)

// maxBroken is the number of unreadable commits after which Log gives up: each costs a start of
// git. A damaged repository has a few; in a clone without trees all commits are such.
const maxBroken = 100

// Log hands commits to each, the oldest first. They are the history of head without the histories
// of since. A commit never comes before its parents, and head is the last one; else times decide.
//
// A renamed file is there under both paths, and Moves has the pair. Git pairs files that are half
// alike or more, and only equal ones where objects are missing, as in a partial clone. Merges come
// without files, and so do the commits at which a shallow clone was cut. Tags are left empty (see
// Tags). Commits for which known is true are skipped before anything is read; known may be nil, and
// is asked once for each, in order.
//
// Where objects are missing, Log delivers all that can be read. Then it returns an error that wraps
// ErrIncomplete and names the first object. The ancestors of a missing commit are unknown too. A
// commit whose files are missing is left out alone. The error is another one if a commit of since
// is unknown, if there is a gap behind it, or if nothing can be read: ask again without since. An
// error of known or each ends Log and is returned as it is.
//
// The order costs a list of ids, 20 bytes a commit. They are given to git diff-tree one by one,
// which can resume behind a gap; git log --reverse cannot. The speed is the same (30,000
// commits/s).
func (t Tree) Log(ctx context.Context, head string, since []string, known func(id string) (bool, error), each func(store.Revision) error) error {
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
		return fmt.Errorf("read history: %w: %d commits not read, first %s: %w", ErrIncomplete, r.left(), r.firstBroken, r.firstErr)
	}
	return wrap("read history", walkErr)
}

// A reading is the state of Log: what was asked and how far it came.
type reading struct {
	ids      ids
	at       int // first id not yet dealt with
	boundary map[string]bool
	each     func(store.Revision) error
	refused  error // of each
	// Only equal files count as renamed: to compare others needs their content.
	exact bool

	broken      int // ids that could not be read
	firstBroken string
	firstErr    error
}

func (r *reading) left() int { return r.broken + r.ids.len() - r.at }

// A renamed file has kept half of its lines, which is git's default. The other number bounds how
// many new files of a commit are compared with removed ones, beyond equal content or name. It was
// git's default until 2021. A history takes git a tenth to a half longer with it.
const (
	alike = "--find-renames=50%"
	equal = "--find-renames=100%"
	most  = "-l400"
)

// pass lets one git process print the commits from r.at on, and moves r.at.
//
// Git ends at a tree or a file that it cannot read. The next pass then does not compare files. If
// that was so already, the commit is skipped. An error is one that no further pass can help: git
// was killed, did not start, or is not understood.
func (r *reading) pass(ctx context.Context, t Tree) error {
	var last *store.Revision // held back until it is complete
	renames := alike
	if r.exact {
		renames = equal
	}
	err := t.stream(ctx, r.ids.from(r.at), func(out *bufio.Reader) error {
		records := records{r: out}
		for {
			rev, err := records.next()
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
	for r.at < r.ids.len() { // git has ended well: what it did not print it does not have
		r.skip(errNotRead)
	}
	return nil
}

// errNotRead says that git passed over a commit in silence, as it does if the commit is missing.
var errNotRead = errors.New("no such commit")

// deliver hands a commit on, and notes those before it that git passed over.
func (r *reading) deliver(rev *store.Revision) error {
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
