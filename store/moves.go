package store

import (
	"context"

	"patina/store/doc"
)

// SelectMoves reads the renames of all commits.
const SelectMoves = `SELECT old, new, revision FROM move`

// AllMoves returns the renames in members' commits.
func (r *Reader) AllMoves(ctx context.Context, members doc.Bitmap) (doc.Moves, error) {
	return MovesIn(members, func(row func(scan func(...any) error) error) error {
		return r.EachRow(ctx, SelectMoves, nil, row)
	})
}

// MovesIn returns the renames in members' commits. each calls row for every row of SelectMoves.
func MovesIn(
	members doc.Bitmap, each func(row func(scan func(...any) error) error) error,
) (doc.Moves, error) {
	m := make(doc.Moves)
	err := each(func(scan func(...any) error) error {
		var from, to, at int64
		err := scan(&from, &to, &at)
		if members.Has(at) {
			m.Add(from, to, at)
		}
		return err
	})
	m.Sort()
	return m, err
}

// PathNames returns all paths in the history, by id.
func (r *Reader) PathNames(ctx context.Context) (map[int64]string, error) {
	rows, err := r.Query(ctx, `SELECT id, name FROM path`)
	if err != nil {
		return nil, Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	names := make(map[int64]string)
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, Damaged(err)
		}
		names[id] = name
	}
	return names, Damaged(rows.Err())
}
