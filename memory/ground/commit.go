package ground

import (
	"context"
	"strings"
	"time"

	"patina/internal/lazyregexp"
)

// mostFiles bounds the files of a commit that is the ground of a memory. What touches more of them
// is about none of them.
const mostFiles = 20

var sha = lazyregexp.New(`^[0-9a-fA-F]{4,64}$`)

// absent stands for a file that is not there.
const absent = "-"

// HashCommit returns the hashes of the files that a commit changed, as they lie in the tree, with
// commas between. It is empty for a merge, for a commit of many files, and for one that git does
// not know.
func (t *Tree) HashCommit(ctx context.Context, commit string) string {
	var hashes []string
	some := false
	for _, name := range t.changed(ctx, commit) {
		h := t.Hash(name, "")
		if some = some || h != ""; h == "" {
			h = absent
		}
		hashes = append(hashes, h)
	}
	if !some {
		return ""
	}
	return strings.Join(hashes, ",")
}

// changed returns the files that a commit left changed, in git's order.
func (t *Tree) changed(ctx context.Context, commit string) []string {
	if !sha().MatchString(commit) {
		return nil
	}
	out := t.git(ctx, "diff-tree", "--root", "--no-commit-id", "--relative", "--name-only", "-r", "-z", "--diff-filter=d", commit)
	names := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	if out == "" || len(names) > mostFiles {
		return nil
	}
	return names
}

// MovedCommit compares the hashes of a commit's files with the tree. It returns the move of the
// file that most commits changed, with the first change to any, or nil if nothing has changed. All
// must be gone for the ground to be gone.
func (t *Tree) MovedCommit(ctx context.Context, commit, hashes string, written time.Time) (m *Move) {
	names, was := t.changed(ctx, commit), strings.Split(hashes, ",")
	if len(names) != len(was) {
		return nil // git knows the commit no more
	}
	gone := true
	for i, name := range names {
		if was[i] == absent {
			continue
		}
		one := t.Moved(ctx, name, "", was[i], written)
		if gone = gone && one != nil && one.Gone; one == nil {
			continue
		}
		if m == nil {
			m = one
			continue
		}
		if m.Commits = max(m.Commits, one.Commits); m.Since.IsZero() || !one.Since.IsZero() && one.Since.Before(m.Since) {
			m.Since = one.Since
		}
	}
	if m != nil {
		m.Gone = gone
	}
	return m
}
