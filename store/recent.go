package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
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

// selectSince reads commits newest first; keys rise from parent to child, which tells commits of one second apart.
const selectSince = `SELECT key, sha, merge, author, email, time, subject, body, files FROM revision WHERE time >= ? ORDER BY time DESC, key DESC`

// Recent returns the commits since a time and the files that they touched most, at most limit of each. A filter asks for the
// files that pass it and the commits that touched one of them; a file that is gone has no language. Kinds are not asked.
func (r *Reader) Recent(ctx context.Context, since time.Time, f Filter, limit int) (Period, error) {
	var p Period
	if err := f.Check(); err != nil {
		return p, err
	}
	snap, err := r.snapshot(ctx)
	if err != nil {
		return p, err
	}
	languages, err := r.languages(ctx, snap)
	if err != nil {
		return p, err
	}
	passes := func(path string) bool { return f.matches(path) && f.speaks(languages[path]) }
	counts := make(map[string]int)
	err = r.revisionsSince(ctx, snap, since, func(v revisionRow) error {
		paths, err := r.pathsOf(ctx, v.files)
		if err != nil {
			return err
		}
		paths = slices.DeleteFunc(paths, func(s string) bool { return !passes(s) })
		switch {
		case len(paths) == 0 && (len(f.Paths) > 0 || len(f.Languages) > 0):
			return nil
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
	for path, n := range counts {
		_, here := languages[path]
		p.Files = append(p.Files, Churn{path, n, !here})
	}
	slices.SortFunc(p.Files, func(a, b Churn) int {
		return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.Path, b.Path))
	})
	p.Touched = len(p.Files)
	p.Files = p.Files[:min(limit, len(p.Files))]
	if p.Total > 0 {
		p.Newest = p.Commits[0].Time
		return p, nil
	}
	p.Newest, err = r.newest(ctx, snap, passes, f)
	return p, err
}

// touching describes a commit with the given files of it.
func touching(v revisionRow, paths []string) Description {
	id := CommitID(v.SHA)
	d := Description{DocID: id, Shown: id, Kind: Commit, Title: v.Subject, Summary: firstWords(v.Body), SHA: v.SHA, Time: v.Time, Author: v.Author}
	for _, s := range paths[:min(len(paths), touchedLinks)] {
		d.Links = append(d.Links, Link{Relation: "touches", Target: s})
	}
	return d
}

// revisionsSince calls f with each commit since a time, newest first. f may query: the rows have been read.
func (r *Reader) revisionsSince(ctx context.Context, snap *snapshot, since time.Time, f func(revisionRow) error) error {
	rows, err := r.conn.QueryContext(ctx, selectSince, since.Unix())
	if err != nil {
		return damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var all []revisionRow
	for rows.Next() {
		var v revisionRow
		var at int64
		if err := rows.Scan(&v.key, &v.SHA, &v.Merge, &v.Author, &v.Email, &at, &v.Subject, &v.Body, &v.files); err != nil {
			return damaged(err)
		}
		if v.Time = unix(at); snap.members.has(v.key) {
			all = append(all, v)
		}
	}
	if err := rows.Err(); err != nil {
		return damaged(err)
	}
	for _, v := range all {
		if err := f(v); err != nil {
			return damaged(err)
		}
	}
	return nil
}

// newest is the time of the newest commit that is no merge and touched a file that passes.
func (r *Reader) newest(ctx context.Context, snap *snapshot, passes func(string) bool, f Filter) (time.Time, error) {
	rows, err := r.conn.QueryContext(ctx, `SELECT key, time, files FROM revision WHERE NOT merge ORDER BY time DESC, key DESC`)
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
		paths, err := r.pathsOf(ctx, files)
		if err != nil {
			return time.Time{}, damaged(err)
		}
		if len(f.Paths) == 0 && len(f.Languages) == 0 || slices.ContainsFunc(paths, passes) {
			return unix(at), nil
		}
	}
	return time.Time{}, damaged(rows.Err())
}

// languages maps the path of every file in the reader's view to its language.
func (r *Reader) languages(ctx context.Context, snap *snapshot) (map[string]string, error) {
	files, err := r.files(ctx, snap)
	out := make(map[string]string, len(files))
	for _, f := range files {
		if snap.members.has(f.key) {
			out[f.path] = f.language
		}
	}
	return out, err
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
