package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"patina/store/doc"
	"patina/store/format"
	"patina/store/sqlite"
	"patina/store/text"
)

// A Verified counts the parts found sound.
type Verified struct {
	Lists, Files, Commits int
	Vectors               int // rows in the vector file
	Bodies                int // texts unpacked, only with deep
}

// Verify reads a whole generation, as questions would. It checks the file's blocks against their
// checksums, the database's pages, and each posting list's checksum and order. It checks each
// segment's vectors and all packed values in file and commit rows.
//
// With deep, it also compares SQLite's indexes with the tables and unpacks every text. It returns
// the first damage as an error that wraps ErrDamaged.
func (r *Reader) Verify(ctx context.Context, deep bool) (Verified, error) {
	var v Verified
	for _, part := range []func(context.Context, *Reader, bool, *Verified) error{
		verifyPages, verifyLists, verifyVectors, verifyFiles, verifyCommits,
	} {
		if err := part(ctx, r, deep, &v); err != nil {
			return v, Damaged(err)
		}
	}
	return v, nil
}

func verifyPages(ctx context.Context, r *Reader, deep bool, _ *Verified) error {
	pragma := `PRAGMA quick_check(1)`
	if err := format.CompareSums(r.on.name, r.conn()); err != nil {
		return err
	}
	if deep {
		pragma = `PRAGMA integrity_check(1)`
	}
	var said string
	if err := r.QueryRow(ctx, pragma).Scan(&said); err != nil {
		return fmt.Errorf("check pages: %w", Damaged(err))
	}
	if said != "ok" {
		return fmt.Errorf("check pages: %s: %w", said, ErrDamaged)
	}
	return nil
}

func verifyLists(ctx context.Context, r *Reader, _ bool, v *Verified) error {
	snap, err := loadSnapshot(ctx, r.conn(), r.sees.generation.Number, r.on.view)
	if err != nil {
		return fmt.Errorf("check segments: %w", err)
	}
	var ps []text.Posting
	for _, g := range snap.Segments {
		const query = `SELECT term, n, list FROM posting WHERE segment = ?`
		err := r.EachRow(ctx, query, []any{g.ID}, func(scan func(...any) error) error {
			var term string
			var l PostingList
			err := scan(&term, &l.Len, &l.Bytes)
			if err == nil {
				ps, err = text.DecodeList(l.Bytes, l.Len, g.Chunks, ps[:0])
			}
			if err != nil {
				return fmt.Errorf("check postings of %q: %w", term, doc.DamagedBy(err))
			}
			v.Lists++
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func verifyVectors(ctx context.Context, r *Reader, _ bool, v *Verified) error {
	snap, err := loadSnapshot(ctx, r.conn(), r.sees.generation.Number, r.on.view)
	if err != nil || snap.Model == "" {
		return err
	}
	f, err := r.on.vectors.holdRows(r.on.name, snap.VectorRows)
	if err != nil {
		return fmt.Errorf("check vectors: %w", err)
	}
	defer f.Release()
	for _, g := range snap.Segments {
		if g.Vectors < 0 {
			continue
		}
		if err := CompareVectors(f, g); err != nil {
			return fmt.Errorf("check vectors: %w", err)
		}
		v.Vectors += int(g.VectorRows())
	}
	return nil
}

func verifyFiles(ctx context.Context, r *Reader, deep bool, v *Verified) error {
	const query = `SELECT key, path, class, entries, chunks, facts FROM file`
	return r.EachRow(ctx, query, nil, func(scan func(...any) error) error {
		var f FileRow
		var facts []byte
		if err := scan(&f.Key, &f.Path, &f.Class, &f.Entries, &f.chunks, &facts); err != nil {
			return err
		}
		_, err := OpenParts(f)
		if err == nil {
			_, err = format.DecodeFacts(facts)
		}
		if err == nil && deep && f.Class&doc.PathOnly == 0 {
			if _, err = r.Text(ctx, f.Key); errors.Is(err, sql.ErrNoRows) {
				err = fmt.Errorf("its text is missing: %w", ErrDamaged)
			}
			v.Bodies++
		}
		if err != nil {
			return fmt.Errorf("check file %q: %w", f.Path, err)
		}
		v.Files++
		return nil
	})
}

func verifyCommits(ctx context.Context, r *Reader, _ bool, v *Verified) error {
	return r.EachRow(ctx, `SELECT sha, files FROM revision`, nil, func(scan func(...any) error) error {
		var sha string
		var files []byte
		err := scan(&sha, &files)
		if err == nil {
			_, err = format.DecodeIDs(files)
		}
		if err != nil {
			return fmt.Errorf("check commit %q: %w", sha, err)
		}
		v.Commits++
		return nil
	})
}

// EachRow calls f for each row in a query's result.
func (r *Reader) EachRow(ctx context.Context, query string, values []any, f func(scan func(...any) error) error) error {
	rows, err := r.Query(ctx, query, values...)
	if err != nil {
		return err
	}
	return sqlite.ForEachRow(rows, f)
}

// States returns the stored state for each file in the reader's view, by path.
func (r *Reader) States(ctx context.Context) (map[string]doc.FileState, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out := make(map[string]doc.FileState)
	const query = `SELECT f.path, s.size, s.mtime, s.ctime, s.inode, f.hash FROM seen s
		JOIN file f ON f.key = s.key WHERE s.view = ?`
	err = r.EachRow(ctx, query, []any{snap.View}, func(scan func(...any) error) error {
		var inode int64
		var path string
		var s doc.FileState
		err := scan(&path, &s.Stat.Size, &s.Stat.ModTime, &s.Stat.ChangeTime, &inode, &s.Hash)
		s.Stat.Inode = uint64(inode)
		out[path] = s
		return err
	})
	return out, Damaged(err)
}
