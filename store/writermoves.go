package store

import (
	"context"

	"patina/store/doc"
)

func (w *Writer) allMoves(members doc.Bitmap) (doc.Moves, error) {
	return MovesIn(members, func(row func(scan func(...any) error) error) error {
		return eachRow(context.Background(), w.conn, SelectMoves, nil, row)
	})
}
