package store

import (
	"context"

	"patina/store/doc"
	"patina/store/text"
)

// Messages calls f with each message that begins with one of the heads, and the file that prints
// it.
func (r *Reader) Messages(ctx context.Context, snap *Snapshot, heads []int64, f func(m text.Message, file int64)) error {
	return r.RowsIn(ctx, `SELECT head, whole, file FROM message WHERE head IN `, heads, func(scan func(...any) error) error {
		var m text.Message
		var file int64
		err := scan(&m.Head, &m.Whole, &file)
		if err == nil && snap.Members.Has(file) {
			f(m, file)
		}
		return err
	})
}

// insertMessages stores the messages a file prints. It skips tests.
func (w *Writer) insertMessages(f *doc.File, key int64) error {
	if f.Class&(doc.TestFolder|doc.TestName) != 0 {
		return nil
	}
	for _, m := range f.Messages {
		if err := w.exec(`INSERT OR IGNORE INTO message(head, whole, file) VALUES(?, ?, ?)`, m.Head, m.Whole, key); err != nil {
			return err
		}
	}
	return nil
}
