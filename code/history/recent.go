package history

import (
	"cmp"
	"context"
	"slices"
	"time"

	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// A Period is the part of a repository's history since some time that is in the index.
type Period struct {
	// Newest is the time of the newest commit that passes the filter, in the period or before. It
	// is zero if there is no such commit.
	Newest  time.Time
	Commits []doc.Description // newest first
	Merges  int               // number of merges in the period, which are not listed
	Total   int               // commits in the period, without merges
	Files   []Churn           // most often touched first
	Touched int               // files touched in the period
}

// A Churn is a file and the number of commits that touched it in a period.
type Churn struct {
	Path    string `json:"path"`
	Commits int    `json:"commits"`
	Gone    bool   `json:"gone"` // no longer in the tree under this path
}

// orderSince selects commits newest first. Within a second, keys decide, because they rise from
// parent to child.
const orderSince = `WHERE time >= ? ORDER BY time DESC, key DESC`

// Recent returns the commits since a time and the files that they touched most, at most limit of
// each. A filter keeps matching files, and commits that touched one under any path. A deleted file
// has neither a language nor a package. Recent ignores kinds. If f.When.Since is later than since,
// it replaces since.
func Recent(
	ctx context.Context, r *store.Reader, since time.Time, f doc.Filter, limit int,
) (Period, error) {
	var p Period
	if err := f.Check(); err != nil {
		return p, err
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return p, err
	}
	here, err := lookup.ListFiles(ctx, r, snap)
	if err != nil {
		return p, err
	}
	names, err := r.PathNames(ctx)
	if err != nil {
		return p, err
	}
	left, err := r.AllMoves(ctx, snap.Members)
	if err != nil {
		return p, store.Damaged(err)
	}
	held := func(id int64) bool { _, ok := here[names[id]]; return ok }
	// passing returns the paths of a commit that pass the filter, or nil if the commit does not
	// pass.
	passing := func(commit int64, files []byte) ([]string, error) {
		ids, err := format.DecodeIDs(files)
		if err != nil {
			return nil, err
		}
		paths := []string{}
		for _, id := range ids {
			if now := left.Now(id, commit, held); held(now) {
				id = now
			}
			path := names[id]
			x := here[path]
			if x.Path = path; f.Keeps(x) {
				paths = append(paths, path)
			}
		}
		if len(paths) == 0 && f.Narrow() {
			return nil, nil
		}
		slices.Sort(paths)
		return slices.Compact(paths), nil // a renamed file occurs under both paths
	}
	counts := make(map[string]int)
	err = revisionsSince(ctx, r, snap, since, func(v store.RevisionRow) error {
		if !f.When.Holds(v.Time) || !f.When.WroteWith(v.Author, v.Email, v.Body) {
			return nil
		}
		paths, err := passing(v.Key, v.Files)
		switch {
		case err != nil || paths == nil:
			return err
		case v.Merge:
			p.Merges++
			return nil
		}
		p.Total++
		for _, s := range paths {
			counts[s]++
		}
		if len(p.Commits) < limit {
			p.Commits = append(p.Commits, describeTouching(v, paths))
		}
		return nil
	})
	if err != nil {
		return p, err
	}
	p.Touched = len(counts)
	p.Files = mostTouched(counts, here, limit)
	if p.Total > 0 {
		p.Newest = p.Commits[0].Time
		return p, nil
	}
	p.Newest, err = newestCommit(ctx, r, snap, f.When, passing)
	return p, err
}

// mostTouched returns the files with the highest counts, routine files last. here must hold the
// files in the tree.
func mostTouched(counts map[string]int, here map[string]doc.ListedFile, limit int) []Churn {
	var out, routine []Churn
	for path, n := range counts {
		_, ok := here[path]
		to := &out
		if text.Routine(path) {
			to = &routine
		}
		*to = append(*to, Churn{path, n, !ok})
	}
	most := func(a, b Churn) int { return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.Path, b.Path)) }
	slices.SortFunc(out, most)
	slices.SortFunc(routine, most)
	out = append(out, routine...)
	return out[:min(limit, len(out))]
}

// describeTouching describes a commit that touched the given paths.
func describeTouching(v store.RevisionRow, paths []string) doc.Description {
	d := CommitDescription(v)
	text.RoutineLast(paths)
	d.Unlinked = max(0, len(paths)-TouchedLinks)
	for _, s := range paths[:len(paths)-d.Unlinked] {
		d.Links = append(d.Links, doc.Link{Relation: "touches", Target: s})
	}
	return d
}

func revisionsSince(
	ctx context.Context, r *store.Reader, snap *store.Snapshot,
	since time.Time, f func(store.RevisionRow) error,
) error {
	return r.EachRevision(ctx, snap, orderSince, []any{since.Unix()}, f)
}

// newestCommit returns the time of the newest commit that passes and is not a merge, however old it
// is. It returns the zero time if there is no such commit.
func newestCommit(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, when doc.When,
	passing func(commit int64, files []byte) ([]string, error),
) (time.Time, error) {
	rows, err := r.Query(ctx,
		`SELECT key, time, author, email, body, files FROM revision WHERE NOT merge ORDER BY time DESC, key DESC`)
	if err != nil {
		return time.Time{}, store.Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key, at int64
		var files []byte
		var author, email, body string
		if err := rows.Scan(&key, &at, &author, &email, &body, &files); err != nil {
			return time.Time{}, store.Damaged(err)
		}
		if !snap.Members.Has(key) || !when.WroteWith(author, email, body) ||
			!when.Until.IsZero() && !doc.Unix(at).Before(when.Until) {
			continue
		}
		if paths, err := passing(key, files); err != nil || paths != nil {
			return doc.Unix(at), err
		}
	}
	return time.Time{}, store.Damaged(rows.Err())
}
