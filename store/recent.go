package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"
)

// A Period is what happened to a repository from some time on, as far as its index knows.
type Period struct {
	Newest  time.Time     // of the newest commit that passes the filter, in the period or before it; zero: there is none
	Commits []Description // newest first
	Merges  int           // merges in the period; they are counted and not listed
	Total   int           // commits in the period, merges left out
	Files   []Churn       // most often touched first
	Touched int           // files touched in the period
}

// A Churn says how often a file was touched in a period.
type Churn struct {
	Path    string
	Commits int
	Gone    bool // the tree does not hold it any more, or not under this name
}

// orderSince reads commits newest first; keys rise from parent to child, which tells commits of one second apart.
const orderSince = `WHERE time >= ? ORDER BY time DESC, key DESC`

// Recent returns the commits since a time and the files that they touched most, at most limit of each. A filter asks for the
// files that pass it and the commits that touched one of them, whatever its path was then; a file that is gone has no language
// and no package. Kinds are not asked.
func (r *Reader) Recent(ctx context.Context, since time.Time, f Filter, limit int) (Period, error) {
	var p Period
	if err := f.Check(); err != nil {
		return p, err
	}
	snap, err := r.snapshot(ctx)
	if err != nil {
		return p, err
	}
	here, err := r.tree(ctx, snap)
	if err != nil {
		return p, err
	}
	names, err := r.pathNames(ctx)
	if err != nil {
		return p, err
	}
	left, err := allMoves(ctx, r.conn, snap.members)
	if err != nil {
		return p, damaged(err)
	}
	held := func(id int64) bool { _, ok := here[names[id]]; return ok }
	passing := func(commit int64, files []byte) ([]string, error) { // and whether the commit passes: it is nil if not
		ids, err := decodeIDs(files)
		if err != nil {
			return nil, err
		}
		paths := []string{}
		for _, id := range ids {
			if now := left.now(id, commit, held); held(now) {
				id = now
			}
			path := names[id]
			x := here[path]
			if x.path = path; f.keeps(x) {
				paths = append(paths, path)
			}
		}
		if len(paths) == 0 && f.Narrow() {
			return nil, nil
		}
		slices.Sort(paths)
		return slices.Compact(paths), nil // one that was renamed is there under both of its paths
	}
	counts := make(map[string]int)
	err = r.revisionsSince(ctx, snap, since, func(v revisionRow) error {
		paths, err := passing(v.key, v.files)
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
			p.Commits = append(p.Commits, touching(v, paths))
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
	p.Newest, err = r.newest(ctx, snap, passing)
	return p, err
}

// mostTouched are the files of the highest counts, those that every change touches behind the others; here holds those that the tree has.
func mostTouched(counts map[string]int, here map[string]listedFile, limit int) []Churn {
	var out []Churn
	for path, n := range counts {
		_, ok := here[path]
		out = append(out, Churn{path, n, !ok})
	}
	slices.SortFunc(out, func(a, b Churn) int {
		return cmp.Or(byRoutine(a.Path, b.Path), cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(limit, len(out))]
}

// touching describes a commit with the given files of it.
func touching(v revisionRow, paths []string) Description {
	id := CommitID(v.SHA)
	d := Description{DocID: id, Shown: id, Kind: Commit, Title: v.Subject, Summary: firstWords(v.Body), SHA: v.SHA, Time: v.Time, Author: v.Author}
	routineLast(paths)
	d.Unlinked = max(0, len(paths)-touchedLinks)
	for _, s := range paths[:len(paths)-d.Unlinked] {
		d.Links = append(d.Links, Link{Relation: "touches", Target: s})
	}
	return d
}

// revisionsSince calls f with each commit since a time, newest first.
func (r *Reader) revisionsSince(ctx context.Context, snap *snapshot, since time.Time, f func(revisionRow) error) error {
	return r.eachRevision(ctx, snap, orderSince, []any{since.Unix()}, f)
}

// newest is the time of the newest commit that is no merge and passes.
func (r *Reader) newest(ctx context.Context, snap *snapshot, passing func(commit int64, files []byte) ([]string, error)) (time.Time, error) {
	rows, err := r.query(ctx, `SELECT key, time, files FROM revision WHERE NOT merge ORDER BY time DESC, key DESC`)
	if err != nil {
		return time.Time{}, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key, at int64
		var files []byte
		if err := rows.Scan(&key, &at, &files); err != nil {
			return time.Time{}, damaged(err)
		}
		if !snap.members.has(key) {
			continue
		}
		if paths, err := passing(key, files); err != nil || paths != nil {
			return unix(at), err
		}
	}
	return time.Time{}, damaged(rows.Err())
}

// tree maps the path of every file in the reader's view to what is listed of it.
func (r *Reader) tree(ctx context.Context, snap *snapshot) (map[string]listedFile, error) {
	files, err := r.files(ctx, snap)
	out := make(map[string]listedFile, len(files))
	for _, f := range files {
		if snap.members.has(f.key) {
			out[f.path] = f
		}
	}
	return out, err
}

// Packages lists the packages that the files of the reader's view belong to, in order.
func (r *Reader) Packages(ctx context.Context) ([]string, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	here, err := r.tree(ctx, snap)
	names := make(map[string]bool)
	for _, f := range here {
		if f.pkg != "" {
			names[f.pkg] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), err
}

// A Symbol is one named part of a file of code, where it is defined.
type Symbol struct {
	Path, Name string
	Sort       Sort
	Line       int // that defines it
}

// Symbols looks up symbols by path and name, in order; those that this generation does not have are left out.
func (r *Reader) Symbols(ctx context.Context, wanted []Symbol) ([]Symbol, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var out []Symbol
	for _, w := range wanted {
		f, err := r.fileNamed(ctx, snap, w.Path)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, damaged(err)
		}
		es, err := decodeEntries(f.entries)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(es, func(e Entry) bool { return e.Name == w.Name }); i >= 0 {
			out = append(out, Symbol{w.Path, w.Name, es[i].Sort, es[i].Line})
		}
	}
	return out, nil
}

// Line returns one line of a file as it was indexed, from 1; empty where the file has no such line or the index has no text of it.
func (r *Reader) Line(ctx context.Context, path string, n int) (string, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return "", err
	}
	f, err := r.fileNamed(ctx, snap, path)
	if err == nil {
		var body string
		body, err = r.body(ctx, f.key)
		if err == nil {
			return lines(body, n, n), nil
		}
	}
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return "", damaged(err)
}
