package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A fileRow is the part of a file's row that answers need.
type fileRow struct {
	key       int64
	path      string
	kind      Kind
	language  string
	pkg       string
	class     Class
	functions int
	entries   []byte
	chunks    []byte
}

const fileColumns = `key, path, kind, language, package, class, functions, entries, chunks`

func (f *fileRow) scan(scan func(...any) error) error {
	return scan(&f.key, &f.path, &f.kind, &f.language, &f.pkg, &f.class, &f.functions, &f.entries, &f.chunks)
}

// fileAt returns the file that a key belongs to: its own, or that of one of its sections.
func (r *Reader) fileAt(ctx context.Context, key int64) (fileRow, error) {
	var f fileRow
	row := r.conn.QueryRowContext(ctx, `SELECT `+fileColumns+` FROM file WHERE key <= ? ORDER BY key DESC LIMIT 1`, key)
	return f, f.scan(row.Scan)
}

// stat returns how a file lay in the tree of the view.
func (r *Reader) stat(ctx context.Context, snap *snapshot, key int64) (s Stat, err error) {
	var inode int64 // SQLite has no unsigned integers
	row := r.conn.QueryRowContext(ctx, `SELECT size, mtime, inode FROM seen WHERE view = ? AND key = ?`, snap.view, key)
	err = row.Scan(&s.Size, &s.ModTime, &inode)
	s.Inode = uint64(inode)
	return s, err
}

// fileNamed returns the file with a path in the reader's view, or sql.ErrNoRows.
func (r *Reader) fileNamed(ctx context.Context, snap *snapshot, path string) (fileRow, error) {
	rows, err := r.conn.QueryContext(ctx, `SELECT `+fileColumns+` FROM file WHERE path = ?`, path)
	if err != nil {
		return fileRow{}, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var f fileRow
		if err := f.scan(rows.Scan); err != nil {
			return fileRow{}, err
		}
		if snap.members.has(f.key) {
			return f, nil
		}
	}
	return fileRow{}, cmpErr(rows.Err())
}

// identified finds documents of one kind by their identities. Those that the view does not have are left out.
func (r *Reader) identified(ctx context.Context, snap *snapshot, kind Kind, ids []string) ([]identity, error) {
	known, unknown := snap.named.keyed(kind, ids)
	if len(unknown) == 0 {
		return known, nil
	}
	var found []identity
	var err error
	switch kind.Traits().Shape {
	case OfFiles:
		found, err = r.filesNamed(ctx, snap, kind, unknown)
	case OfRows:
		found, err = r.commitsNamed(ctx, snap, unknown)
	default:
		found, err = r.sectionsNamed(ctx, snap, kind, unknown)
	}
	return append(known, found...), err
}

// cutID takes the doc_id of a part of a file apart, without what stands before the path. A path may hold the separator itself:
// the first cut in front of which there is a file counts.
func (r *Reader) cutID(ctx context.Context, snap *snapshot, id, sep string) (f fileRow, part string, err error) {
	for at := 0; ; at += len(sep) {
		next := strings.Index(id[at:], sep)
		if next < 0 {
			return fileRow{}, "", sql.ErrNoRows
		}
		at += next
		if f, err = r.fileNamed(ctx, snap, id[:at]); !errors.Is(err, sql.ErrNoRows) {
			return f, id[at+len(sep):], err
		}
	}
}

// sectionsNamed finds sections by doc_id: a file is read once.
func (r *Reader) sectionsNamed(ctx context.Context, snap *snapshot, kind Kind, ids []string) (found []identity, err error) {
	var f fileRow
	t := kind.Traits()
	at := make(map[string]int64) // keys of the sections of f
	for _, id := range slices.Sorted(slices.Values(ids)) {
		rest := strings.TrimPrefix(id, t.Prefix)
		slug, same := strings.CutPrefix(rest, f.path+t.Separator)
		if !same || f.path == "" {
			if f, slug, err = r.cutID(ctx, snap, rest, t.Separator); errors.Is(err, sql.ErrNoRows) {
				f = fileRow{}
				continue
			} else if err != nil {
				return nil, err
			}
			es, err := decodeEntries(f.entries)
			if err != nil {
				return nil, err
			}
			clear(at)
			for i, e := range es {
				at[e.Name] = f.key + 1 + int64(i)
			}
		}
		if k, ok := at[slug]; ok {
			found = append(found, identity{key: k, doc: id, path: f.path, class: f.class})
		}
	}
	return found, nil
}

func (r *Reader) filesNamed(ctx context.Context, snap *snapshot, kind Kind, ids []string) (found []identity, err error) {
	for batch := range slices.Chunk(ids, 500) {
		paths := make([]string, len(batch))
		for i, id := range batch {
			paths[i] = kind.PathOf(id)
		}
		err = r.eachRow(ctx, `SELECT key, path, class, functions FROM file WHERE path IN (?`+strings.Repeat(",?", len(paths)-1)+`)`, args(paths), func(scan func(...any) error) error {
			var x identity
			err := scan(&x.key, &x.path, &x.class, &x.functions)
			x.doc = kind.FileID(x.path)
			if snap.members.has(x.key) {
				found = append(found, x)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (r *Reader) commitsNamed(ctx context.Context, snap *snapshot, ids []string) (found []identity, err error) {
	find, err := r.conn.PrepareContext(ctx, `SELECT key FROM revision WHERE sha >= ? AND sha < ? LIMIT 1`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = find.Close() }()
	for _, id := range ids {
		sha := strings.TrimPrefix(id, Commit.Traits().Prefix)
		x := identity{doc: id}
		err := find.QueryRowContext(ctx, sha, sha+"g").Scan(&x.key)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		if err == nil && snap.members.has(x.key) {
			found = append(found, x)
		}
	}
	return found, nil
}

// A revisionRow is one commit as stored.
type revisionRow struct {
	key int64
	Revision
	files []byte
}

const revisionColumns = `key, sha, merge, author, email, time, subject, body, files`

func (v *revisionRow) scan(scan func(...any) error) error {
	var at int64
	err := scan(&v.key, &v.SHA, &v.Merge, &v.Author, &v.Email, &at, &v.Subject, &v.Body, &v.files)
	v.Time = unix(at)
	return err
}

// eachRevision calls f with the commits that the view sees; rest is the query's WHERE and ORDER BY.
func (r *Reader) eachRevision(ctx context.Context, snap *snapshot, rest string, values []any, f func(revisionRow) error) error {
	rows, err := r.conn.QueryContext(ctx, `SELECT `+revisionColumns+` FROM revision `+rest, values...)
	if err != nil {
		return damaged(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var v revisionRow
		if err := v.scan(rows.Scan); err != nil {
			return damaged(err)
		}
		if !snap.members.has(v.key) {
			continue
		}
		if err := f(v); err != nil {
			return err
		}
	}
	return damaged(rows.Err())
}

// revision returns the commit with a doc_id, or sql.ErrNoRows.
func (r *Reader) revision(ctx context.Context, snap *snapshot, id string) (revisionRow, error) {
	sha := strings.TrimPrefix(id, Commit.Traits().Prefix)
	var v revisionRow
	row := r.conn.QueryRowContext(ctx, `SELECT `+revisionColumns+` FROM revision WHERE sha >= ? AND sha < ? LIMIT 1`, sha, sha+"g")
	err := v.scan(row.Scan)
	if err == nil && !snap.members.has(v.key) {
		err = sql.ErrNoRows
	}
	return v, err
}

// pathsOf are the files that a commit touched: the ids of their paths, by name.
func (r *Reader) pathsOf(ctx context.Context, files []byte) (map[string]int64, error) {
	ids, err := decodeIDs(files)
	if err != nil {
		return nil, err
	}
	named := make(map[string]int64, len(ids))
	err = r.rowsIn(ctx, `SELECT id, name FROM path WHERE id IN `, ids, func(scan func(...any) error) error {
		var id int64
		var name string
		err := scan(&id, &name)
		named[name] = id
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(ids)
	if n := len(slices.Compact(ids)); len(named) < n {
		return nil, fmt.Errorf("name %d of %d paths: %w", n-len(named), n, ErrDamaged)
	}
	return named, nil
}

// Stats tells what files were like when they were read; those that the view does not have are left out.
func (r *Reader) Stats(ctx context.Context, paths []string) (map[string]Stat, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	out := make(map[string]Stat, len(paths))
	for batch := range slices.Chunk(paths, 500) {
		rows, err := r.conn.QueryContext(ctx, `SELECT f.path, s.size, s.mtime, s.inode FROM file f JOIN seen s ON s.view = ? AND s.key = f.key
			WHERE f.path IN (?`+strings.Repeat(",?", len(batch)-1)+`)`, append([]any{snap.view}, args(batch)...)...)
		if err != nil {
			return nil, damaged(err)
		}
		for rows.Next() {
			var inode int64
			var p string
			var s Stat
			if err := rows.Scan(&p, &s.Size, &s.ModTime, &inode); err != nil {
				_ = rows.Close()
				return nil, damaged(err)
			}
			s.Inode = uint64(inode)
			out[p] = s
		}
		if err := rows.Err(); err != nil {
			return nil, damaged(err)
		}
	}
	return out, nil
}
