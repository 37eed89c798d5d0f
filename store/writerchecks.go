package store

// verified verifies the database before an update, which would carry damage on. It notes the
// publication.
func (w *Writer) verified(path string) error {
	w.publication = LastPublication(w.conn)
	return VerifyDatabase(path, w.conn)
}
