package store

import (
	"context"

	"patina/store/text"
)

// Messages calls f with each message that begins with one of the heads, and the file that prints
// it.
func (r *Reader) Messages(
	ctx context.Context,
	snap *Snapshot,
	heads []int64,
	f func(m text.Message, file int64),
) error {
	const query = `SELECT head, whole, file FROM message WHERE head IN `
	return r.RowsIn(ctx, query, heads, func(scan func(...any) error) error {
		var m text.Message
		var file int64
		err := scan(&m.Head, &m.Whole, &file)
		if err == nil && snap.Members.Has(file) {
			f(m, file)
		}
		return err
	})
}
