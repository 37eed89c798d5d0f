package ground

import (
	"context"
	"strings"
	"time"

	"patina/internal/lazyregexp"
)

// mostFiles bounds the files of a commit that a memory is about. A larger commit is too vague.
const mostFiles = 20

var sha = lazyregexp.New(`^[0-9a-fA-F]{4,64}$`)

// absent is in place of the hash of a missing file.
const absent = "-"

// HashCommit returns the current hashes of the files that a commit changed, separated by commas. It
// returns "" for a merge, for a commit of many files, and for a commit that git does not know.
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

// changed returns the files that a commit added or changed, in git's order.
func (t *Tree) changed(ctx context.Context, commit string) []string {
	if !sha().MatchString(commit) {
		return nil
	}
	out := t.git(ctx, "diff-tree", "--root", "--no-commit-id", "--relative", "--name-only", "-r", "-z",
		"--diff-filter=d", commit)
	names := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	if out == "" || len(names) > mostFiles {
		return nil
	}
	return names
}

// MovedCommit compares the hashes of a commit's files with the tree. It returns nil if none has
// changed. Otherwise it returns the move of the file with the most commits, with the earliest
// change of all. The ground is gone only if all files are.
func (t *Tree) MovedCommit(ctx context.Context, commit, hashes string, written time.Time) (m *Move) {
	names, was := t.changed(ctx, commit), strings.Split(hashes, ",")
	if len(names) != len(was) {
		return nil // git no longer knows the commit
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
		if m.Commits = max(m.Commits, one.Commits); m.Since.IsZero() ||
			!one.Since.IsZero() && one.Since.Before(m.Since) {
			m.Since = one.Since
		}
	}
	if m != nil {
		m.Gone = gone
	}
	return m
}
