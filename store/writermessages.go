package store

import (
	"patina/store/doc"
)

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
