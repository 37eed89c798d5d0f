package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/store/doc"
	"patina/store/format"
	"patina/store/text"
)

// A FileRow is the part of a file's row needed for answers.
type FileRow struct {
	Key       int64
	Path      string
	Kind      doc.Kind
	Language  string
	Pkg       string
	Class     doc.Class
	Functions int
	Entries   []byte
	chunks    []byte
}

const fileColumns = `key, path, kind, language, package, class, functions, entries, chunks`

func (f *FileRow) scanRow(scan func(...any) error) error {
	return scan(&f.Key, &f.Path, &f.Kind, &f.Language, &f.Pkg, &f.Class, &f.Functions, &f.Entries, &f.chunks)
}

// FileAt returns the file for a key: the file's own key, or a section's.
func (r *Reader) FileAt(ctx context.Context, key int64) (FileRow, error) {
	var f FileRow
	row := r.QueryRow(ctx, `SELECT `+fileColumns+` FROM file WHERE key <= ? ORDER BY key DESC LIMIT 1`, key)
	return f, f.scanRow(row.Scan)
}

// keptBareFiles bounds the rows that a generation keeps of BareFileAt, in bytes: some 2,000 rows.
const keptBareFiles = 1 << 20

// bareFiles are rows by key. A search for words reads up to 90 files, often the same ones.
type bareFiles = Recent[int64, FileRow]

// BareFileAt is FileAt without the entries of code, most of a row, which a search for words does
// not need.
func (r *Reader) BareFileAt(ctx context.Context, snap *Snapshot, key int64) (FileRow, error) {
	kept := MemoOf[bareFiles](&snap.Memo)
	f, ok := kept.Get(key)
	if ok {
		return f, nil
	}
	row := r.QueryRow(ctx, `SELECT key, path, kind, language, package, class, functions,
		CASE kind WHEN 'code' THEN x'' ELSE entries END, chunks FROM file WHERE key <= ? ORDER BY key DESC LIMIT 1`, key)
	if err := f.scanRow(row.Scan); err != nil {
		return f, err
	}
	if f.Kind == doc.Code { // another kind's entries may be long
		kept.Put(key, f, 300+len(f.Path)+len(f.chunks), keptBareFiles)
	}
	return f, nil
}

// Chunks decodes the file's chunks. The error wraps ErrDamaged.
func (f *FileRow) Chunks() ([]doc.Span, error) { return format.DecodeChunks(f.chunks) }

// FileNamed returns the file at a path in the reader's view, or sql.ErrNoRows.
func (r *Reader) FileNamed(ctx context.Context, snap *Snapshot, path string) (FileRow, error) {
	rows, err := r.Query(ctx, `SELECT `+fileColumns+` FROM file WHERE path = ?`, path)
	if err != nil {
		return FileRow{}, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var f FileRow
		if err := f.scanRow(rows.Scan); err != nil {
			return FileRow{}, err
		}
		if snap.Members.Has(f.Key) {
			return f, nil
		}
	}
	return FileRow{}, OrNoRows(rows.Err())
}

// Identified finds one kind's documents by identity. Documents outside the view are left out.
func (r *Reader) Identified(ctx context.Context, snap *Snapshot, kind doc.Kind, ids []string) ([]*Identity, error) {
	known, unknown := snap.named.keyed(kind, ids)
	if len(unknown) == 0 {
		return known, nil
	}
	var found []Identity
	var err error
	switch kind.Traits().Shape {
	case doc.OfFiles:
		found, err = filesNamed(ctx, r, snap, kind, unknown)
	case doc.OfRows:
		found, err = commitsNamed(ctx, r, snap, unknown)
	default:
		found, err = sectionsNamed(ctx, r, snap, kind, unknown)
	}
	for i := range found {
		known = append(known, &found[i])
	}
	return known, err
}

// CutID splits the doc_id for a part, without its prefix, into file and part. A path may contain
// the separator, so the first cut after an existing file counts.
func (r *Reader) CutID(ctx context.Context, snap *Snapshot, id, sep string) (f FileRow, part string, err error) {
	return cutID(id, sep, func(path string) (FileRow, error) { return r.FileNamed(ctx, snap, path) })
}

func cutID[F any](id, sep string, named func(path string) (F, error)) (f F, part string, err error) {
	for at := 0; ; at += len(sep) {
		next := strings.Index(id[at:], sep)
		if next < 0 || sep == "" { // a kind without parts
			return f, "", sql.ErrNoRows
		}
		at += next
		if f, err = named(id[:at]); !errors.Is(err, sql.ErrNoRows) {
			return f, id[at+len(sep):], err
		}
	}
}

// sectionsNamed finds sections by doc_id, reading each file once.
func sectionsNamed(
	ctx context.Context, r *Reader, snap *Snapshot, kind doc.Kind, ids []string,
) (found []Identity, err error) {
	var f FileRow
	var es []doc.Entry // of f
	t := kind.Traits()
	at := make(map[string]int) // their indexes, by name
	for _, id := range slices.Sorted(slices.Values(ids)) {
		rest := strings.TrimPrefix(id, t.Prefix)
		slug, same := strings.CutPrefix(rest, f.Path+t.Separator)
		if !same || f.Path == "" {
			if f, slug, err = r.CutID(ctx, snap, rest, t.Separator); errors.Is(err, sql.ErrNoRows) {
				f = FileRow{}
				continue
			} else if err != nil {
				return nil, err
			}
			if es, err = format.DecodeEntries(f.Entries); err != nil {
				return nil, err
			}
			clear(at)
			for i, e := range es {
				at[e.Name] = i
			}
		}
		if i, ok := at[slug]; ok {
			found = append(found, Identity{
				Key: f.Key + 1 + int64(i), Doc: id, Path: f.Path, Class: f.Class, Name: text.TitleOf(es[i].Title),
			})
		}
	}
	return found, nil
}

func filesNamed(
	ctx context.Context, r *Reader, snap *Snapshot, kind doc.Kind, ids []string,
) (found []Identity, err error) {
	for batch := range slices.Chunk(ids, 500) {
		paths := make([]string, len(batch))
		for i, id := range batch {
			paths[i] = kind.PathOf(id)
		}
		err = r.EachRow(ctx, `SELECT key, path, class, functions FROM file WHERE path IN (?`+strings.Repeat(",?", len(paths)-1)+`)`, toAny(paths), func(scan func(...any) error) error {
			var x Identity
			err := scan(&x.Key, &x.Path, &x.Class, &x.Functions)
			if snap.Members.Has(x.Key) {
				x.Doc, x.Name, x.Class = kind.FileID(x.Path), text.FileNameOf(x.Path), snap.Class(x.Key, x.Class)
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

// ownSubject is Identity.Subject.
const ownSubject = `CASE merge WHEN 0 THEN subject ELSE '' END`

func commitsNamed(ctx context.Context, r *Reader, snap *Snapshot, ids []string) (found []Identity, err error) {
	for _, id := range ids {
		sha := strings.TrimPrefix(id, doc.Commit.Traits().Prefix)
		x := Identity{Doc: id}
		const query = `SELECT key, ` + ownSubject + ` FROM revision WHERE sha >= ? AND sha < ? LIMIT 1`
		err := r.QueryRow(ctx, query, sha, sha+"g").Scan(&x.Key, &x.Subject)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		if err == nil && snap.Members.Has(x.Key) {
			found = append(found, x)
		}
	}
	return found, nil
}

// A RevisionRow is a stored commit.
type RevisionRow struct {
	Key int64
	doc.Revision
	Files []byte
}

const revisionColumns = `key, sha, merge, author, email, time, subject, body, files`

func (v *RevisionRow) scanRow(scan func(...any) error) error {
	var at int64
	err := scan(&v.Key, &v.SHA, &v.Merge, &v.Author, &v.Email, &at, &v.Subject, &v.Body, &v.Files)
	v.Time = doc.Unix(at)
	return err
}

// EachRevision calls f with the view's commits, until f returns an error. rest must be the query's
// WHERE and ORDER BY.
func (r *Reader) EachRevision(
	ctx context.Context, snap *Snapshot, rest string, values []any, f func(RevisionRow) error,
) error {
	rows, err := r.Query(ctx, `SELECT `+revisionColumns+` FROM revision `+rest, values...)
	if err != nil {
		return Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var v RevisionRow
		if err := v.scanRow(rows.Scan); err != nil {
			return Damaged(err)
		}
		if !snap.Members.Has(v.Key) {
			continue
		}
		if err := f(v); err != nil {
			return err
		}
	}
	return Damaged(rows.Err())
}

// Revision returns the commit with a doc_id, or sql.ErrNoRows.
func (r *Reader) Revision(ctx context.Context, snap *Snapshot, id string) (RevisionRow, error) {
	sha := strings.TrimPrefix(id, doc.Commit.Traits().Prefix)
	var v RevisionRow
	row := r.QueryRow(ctx, `SELECT `+revisionColumns+` FROM revision WHERE sha >= ? AND sha < ? LIMIT 1`, sha, sha+"g")
	err := v.scanRow(row.Scan)
	if err == nil && !snap.Members.Has(v.Key) {
		err = sql.ErrNoRows
	}
	return v, err
}

// PathsOf returns the path ids for a commit's files, by name.
func (r *Reader) PathsOf(ctx context.Context, files []byte) (map[string]int64, error) {
	ids, err := format.DecodeIDs(files)
	if err != nil {
		return nil, err
	}
	named := make(map[string]int64, len(ids))
	err = r.RowsIn(ctx, `SELECT id, name FROM path WHERE id IN `, ids, func(scan func(...any) error) error {
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

// Stats returns the stats recorded at the last scrape. Files outside the view are left out.
func (r *Reader) Stats(ctx context.Context, paths []string) (map[string]doc.Stat, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	out := make(map[string]doc.Stat, len(paths))
	for batch := range slices.Chunk(paths, 500) {
		rows, err := r.Query(ctx, `SELECT f.path, s.size, s.mtime, s.ctime, s.inode FROM file f CROSS JOIN seen s ON s.view = ? AND s.key = f.key
			WHERE f.path IN (?`+strings.Repeat(",?", len(batch)-1)+`)`, append([]any{snap.View}, toAny(batch)...)...)
		if err != nil {
			return nil, Damaged(err)
		}
		for rows.Next() {
			var inode int64
			var p string
			var s doc.Stat
			if err := rows.Scan(&p, &s.Size, &s.ModTime, &s.ChangeTime, &inode); err != nil {
				_ = rows.Close()
				return nil, Damaged(err)
			}
			s.Inode = uint64(inode)
			out[p] = s
		}
		if err := rows.Err(); err != nil {
			return nil, Damaged(err)
		}
	}
	return out, nil
}

// RowsIn runs a query ending in "IN " over keys and calls each for every row.
func (r *Reader) RowsIn(
	ctx context.Context, query string, keys []int64, each func(scan func(...any) error) error,
) error {
	for batch := range slices.Chunk(keys, 500) {
		rows, err := r.Query(ctx, query+`(?`+strings.Repeat(",?", len(batch)-1)+`)`, toAny(batch)...)
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := each(rows.Scan); err != nil {
				_ = rows.Close()
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	return nil
}

// CodeClasses returns the classes for the code files among keys.
func (r *Reader) CodeClasses(ctx context.Context, keys []int64) (map[int64]doc.Class, error) {
	out := make(map[int64]doc.Class, len(keys))
	const query = `SELECT key, class FROM file WHERE kind = 'code' AND key IN `
	err := r.RowsIn(ctx, query, keys, func(scan func(...any) error) error {
		var key int64
		var class doc.Class
		err := scan(&key, &class)
		out[key] = class
		return err
	})
	return out, err
}

// OrNoRows returns err, or sql.ErrNoRows if a search ended without an error.
func OrNoRows(err error) error {
	if err != nil {
		return err
	}
	return sql.ErrNoRows
}
