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

// maxBroken is the number of commits with unreadable trees after which Log gives up: each costs a start of git.
// A damaged repository has a few of them; in a clone without trees all commits are such.
const maxBroken = 100

// Log hands each commit to each, the oldest first: the whole history of the commit head, but for the
// histories of the commits since. head is the last one, and a commit never comes before its parents; else the order is that
// of commit times. A file that was renamed is there under both of its paths, which Moves tells: git finds those that are half alike
// or more, and where files to compare are missing, as in a partial clone, those that are equal. Merges come without files, and so do the
// commits at which a shallow clone was cut, since what they changed is unknown there.
// Tags are left empty (see Tags). Commits for which known is true, where it is given, are passed over before anything is read;
// it is asked once for each, in order.
//
// Where objects are missing, Log delivers all that can be read, then returns an error that wraps ErrIncomplete and
// names the first object. If a commit is missing, its ancestors are not known either; if the files of a commit are, it
// is left out alone. Where one of since is unknown, or nothing at all can be read, the error is another one; a gap after since
// is such a case: ask again without it. An error of known or each ends Log and is returned as it is.
//
// The order costs a list of ids, 20 bytes a commit. Given to git diff-tree one by one, they make a stream that can be
// taken up again behind a gap, which git log --reverse cannot; the speed is the same (30,000 commits/s).
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
	exact    bool  // only files that were renamed unchanged are known as such: comparing needs what is in them

	broken      int // ids that could not be read
	firstBroken string
	firstErr    error
}

func (r *reading) left() int { return r.broken + r.ids.len() - r.at }

// The share of its lines that a renamed file must have kept, git's own default, and how many new files of a commit are compared
// with those that are gone, beyond those of equal content or name: git's default until 2021. A history takes git a tenth to a half longer with it.
const (
	alike = "--find-renames=50%"
	equal = "--find-renames=100%"
	most  = "-l400"
)

// pass lets one git process print the commits from r.at on, and moves r.at beyond what it has dealt with. Git ends at a
// tree that it cannot read, or a file to compare: then the next pass does not compare files; if that was so already, the commit
// is skipped and the next pass goes on after it. The error is for what no further pass can help: git was killed, did not start, or is not understood.
func (r *reading) pass(ctx context.Context, t Tree) error {
	var last *store.Revision // held back until it is sure that it is whole
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
