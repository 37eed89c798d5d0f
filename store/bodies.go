package store

import (
	"context"
	"database/sql"
	"unsafe"

	"patina/store/doc"
	"patina/store/format"
)

// Parts holds a file with its decoded entries and chunks.
type Parts struct {
	File    FileRow
	Entries []doc.Entry
	Chunks  []doc.Span
}

// OpenParts decodes a file's entries and chunks, which share the row's memory. The error wraps
// ErrDamaged.
func OpenParts(f FileRow) (Parts, error) {
	es, err := format.OwnEntries(f.Entries)
	if err != nil {
		return Parts{}, err
	}
	cs, err := format.DecodeChunks(f.chunks)
	for _, c := range cs {
		if c.Entry >= len(es) {
			return Parts{}, ErrDamaged
		}
	}
	return Parts{f, es, cs}, err
}

// Text returns a file's whole text. The error is sql.ErrNoRows for a file found by path alone,
// whose text is not stored.
func (r *Reader) Text(ctx context.Context, key int64) (string, error) {
	var b []byte
	found := false
	const query = `SELECT frame FROM body WHERE key = ?`
	err := r.EachRow(ctx, query, []any{key}, func(scan func(...any) error) (err error) {
		var frame sql.RawBytes // decoded at once
		if err := scan(&frame); err != nil {
			return err
		}
		found = true
		b, err = format.Decompress(frame)
		return err
	})
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	if err != nil {
		return "", err
	}
	return unsafe.String(unsafe.SliceData(b), len(b)), nil // nobody else has b, so no copy is needed
}
