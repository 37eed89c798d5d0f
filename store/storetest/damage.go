package storetest

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"patina/store"
	"patina/store/sqlite"
)

// Change runs one statement on a store's published database behind its back. It removes the
// checksums, because they would reveal every change. The test fails if the statement changes no
// row.
func Change(t *testing.T, dir, statement string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "index-*.db"))
	Check(t, err)
	db, err := sql.Open("sqlite3", names[0])
	Check(t, err)
	db.SetMaxOpenConns(1)
	_, err = db.Exec(sqlite.Released)
	Check(t, err)
	result, err := db.Exec(statement)
	Check(t, err)
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		t.Fatalf("%s: %d rows, %v", statement, n, err)
	}
	Check(t, db.Close())
	if err := os.Remove(names[0] + ".sum"); !errors.Is(err, os.ErrNotExist) {
		Check(t, err)
	}
}

// Opened calls f with a reader of the store in dir, and returns the first error.
func Opened(dir string, f func(*store.Reader) error) error {
	s, err := store.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	p, err := s.Pin(context.Background(), 1)
	if err != nil {
		return err
	}
	defer p.Close()
	return f(p.Readers[0])
}
