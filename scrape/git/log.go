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

// maxBroken is the number of unreadable commits after which Log gives up, because each costs a git
// process. A damaged repository has a few. In a clone without trees all commits are unreadable.
const maxBroken = 100

// Log passes commits to each, the oldest first: the history of head without the histories of since.
// A commit never comes before its parents, and head is the last one. Otherwise times decide. head
// and since must be full commit ids; since may be nil.
//
// A renamed file is listed under both paths, and Moves has the pair. Git pairs files that are at
// least half alike. In a partial clone it pairs only equal ones, because the objects to compare are
// missing. Merges come without files, and so do the commits where a shallow clone was cut. Tags are
// left empty (see Tags). Commits for which known returns true are skipped before anything is read.
// A nil known skips no commit. It is called once for each commit, in order.
//
// If objects are missing, Log delivers every readable commit. Then it returns an error that wraps
// ErrIncomplete and names the first object. A missing commit's ancestors are unknown too. A commit
// whose files are missing is left out alone. Log returns another error if a commit in since is
// unknown, if there is a gap behind it, or if nothing can be read. The caller should then ask again
// without since. An error from known or each ends Log and is returned unchanged.
//
// The order costs a list of ids, 20 bytes a commit. They are given to git diff-tree one by one,
// because it can resume behind a gap and git log --reverse cannot. The speed is the same (30,000
// commits/s).
func (t Tree) Log(
	ctx context.Context, head string, since []string, known func(id string) (bool, error),
	each func(doc.Revision) error,
) error {
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
		return fmt.Errorf("read history: %w: %d commits not read, first %s: %w",
			ErrIncomplete, r.bytesLeft(), r.firstBroken, r.firstErr)
	}
	return wrapError("read history", walkErr)
}

// A reading is the state of Log: its arguments and its progress.
type reading struct {
	ids      ids
	at       int // index of the first id not yet handled
	boundary map[string]bool
	each     func(doc.Revision) error
	refused  error // the error of each; nil if it returned no error
	// Only equal files count as renamed, because the content that others need may be missing.
	exact bool

	broken      int // number of ids that could not be read
	firstBroken string
	firstErr    error
}

func (r *reading) bytesLeft() int { return r.broken + r.ids.len() - r.at }

// A renamed file has kept half its lines, which is git's default. most limits how many new files in
// a commit are compared with removed ones, beyond equal content or name. It was git's default until
// 2021. A history takes git a tenth to a half longer with it.
const (
	alike = "--find-renames=50%"
	equal = "--find-renames=100%"
	most  = "-l400"
)

// pass lets one git process print the commits from r.at on, and moves r.at.
//
// Git ends at an unreadable tree or file. The next pass then compares no contents. If this pass did
// not compare them either, the commit is skipped. It returns an error if no further pass can help,
// because git was killed, did not start, or printed output that is not understood.
func (r *reading) pass(ctx context.Context, t Tree) error {
	var last *doc.Revision // held back until it is complete; nil before the first
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
	}, "diff-tree", "--stdin", "--root", "-r", "-z", "--no-ext-diff", "--no-textconv", "--name-status", renames, most,
		"--always", "--ignore-submodules=none", "--encoding=UTF-8", "--format="+format)
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
	for r.at < r.ids.len() { // git ended well, so the commits it did not print are missing
		r.skip(errNotRead)
	}
	return nil
}

// errNotRead is the cause for a commit that git silently skipped, as it does if the commit is
// missing.
var errNotRead = errors.New("no such commit")

// deliver passes a commit on, and skips the commits before it that git did not print. A nil rev is
// ignored. It returns an error if git printed a commit that is not in r.ids.
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

// skip counts the commit at r.at as unreadable.
func (r *reading) skip(cause error) {
	if r.firstErr == nil {
		r.firstBroken, r.firstErr = r.ids.id(r.at), cause
	}
	r.broken++
	r.at++
}
