package store

import (
	"context"

	"patina/store/format"
	"patina/store/vector"
)

// A Side is a vector file beside the database, made by another model (package overlay), with its
// graph. It is safe for concurrent use.
type Side struct {
	path    string // without its ending
	vectors vectorFile
}

// NewSide returns the vector file at a path, which must be without its ending. Nothing is opened
// before the first Vectors. many is the number of rows from which the graph is used.
func NewSide(path string, many int64) *Side {
	return &Side{path: path, vectors: vectorFile{many: many, signed: manySigned}}
}

// Vectors returns the vectors, of which there must be at least so many rows. The caller releases
// them. The error wraps ErrDamaged if there are fewer, or no file.
func (s *Side) Vectors(rows int64) (*Vectors, error) {
	f, err := s.vectors.holdRows(s.path, rows)
	if err != nil {
		return nil, err
	}
	return &Vectors{f, &s.vectors, s.vectors.ready(s.path, rows)}, nil
}

// Close closes the file. Vectors that are not released stay valid.
func (s *Side) Close() { s.vectors.closeFile() }

// Header returns the vectors' header. Its table is valid until Release.
func (v *Vectors) Header() vector.Header { return v.file.Header() }

// At returns a copy of the segment whose rows are in another file, beginning at first, with that
// sum.
func (g *Segment) At(first int64, sum uint64) *Segment {
	at := *g
	at.Vectors, at.Sum.Int64, at.Sum.Valid = first, int64(sum), true
	return &at
}

// Secret returns the secret of the index's seal, or "" for an index without one.
func (r *Reader) Secret(ctx context.Context) (string, error) {
	var secret string
	err := r.QueryRow(ctx, `SELECT IFNULL((SELECT value FROM meta WHERE key = 'seal'), '')`).Scan(&secret)
	return secret, Damaged(err)
}

// RevisionAt returns the commit with a key, with its files in their order, whichever view sees it.
// The error is sql.ErrNoRows if there is no such commit.
func (r *Reader) RevisionAt(ctx context.Context, key int64) (RevisionRow, []string, error) {
	var v RevisionRow
	row := r.QueryRow(ctx, `SELECT `+revisionColumns+` FROM revision WHERE key = ?`, key)
	if err := v.scanRow(row.Scan); err != nil {
		return v, nil, err
	}
	ids, err := format.DecodeIDs(v.Files)
	if err != nil {
		return v, nil, err
	}
	names := make(map[int64]string, len(ids))
	err = r.RowsIn(ctx, `SELECT id, name FROM path WHERE id IN `, ids, func(scan func(...any) error) error {
		var id int64
		var name string
		err := scan(&id, &name)
		names[id] = name
		return err
	})
	files := make([]string, len(ids))
	for i, id := range ids {
		files[i] = names[id]
	}
	return v, files, Damaged(err)
}
