package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"patina/store/sqlite"
)

// balance reads all rows. Every commit leaves their sum at zero.
func balance(path string) (sum, rows int, err error) {
	err = sqlite.Glance(path, func(db *sql.DB) error {
		sum, rows = 0, 0 // read may run twice
		all, err := db.Query("SELECT a FROM t")
		if err != nil {
			return err
		}
		defer func() { _ = all.Close() }()
		for all.Next() {
			var a int
			if err := all.Scan(&a); err != nil {
				return err
			}
			sum, rows = sum+a, rows+1
		}
		return all.Err()
	})
	return sum, rows, err
}

// While a writer and its log come and go, a look must see the state of exactly one commit.
func TestGlanceSeesWholeCommits(t *testing.T) {
	path := database(t)
	var done atomic.Bool
	written := make(chan error, 1)
	go func() {
		defer done.Store(true)
		for i := range 60 {
			db := sqlite.Open(path, sqlite.Authored())
			_, err := db.Exec("BEGIN; INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT i FROM n; INSERT INTO t SELECT -a FROM t WHERE rowid > ?; COMMIT", 800*i)
			if err := errors.Join(err, db.Close()); err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	looks := 0
	for !done.Load() || looks == 0 {
		sum, rows, err := balance(path)
		if err != nil || sum != 0 || rows%800 != 0 {
			t.Fatalf("look %d: %d rows with sum %d, %v", looks, rows, sum, err)
		}
		looks++
	}
	check(t, <-written)
	if _, rows, err := balance(path); err != nil || rows != 60*800 {
		t.Errorf("at the end: %d rows, %v", rows, err)
	}
}

// A look creates no file, and sees the content of the log.
func TestGlanceLeavesNothing(t *testing.T) {
	path := database(t)
	beside := func() int {
		names, err := filepath.Glob(path + "*")
		check(t, err)
		return len(names)
	}
	if _, rows, err := balance(path); err != nil || rows != 0 || beside() != 1 {
		t.Errorf("at rest: %d rows, %d files, %v", rows, beside(), err)
	}
	_, err := one(t, path, sqlite.Authored()).Exec("INSERT INTO t VALUES(0)")
	check(t, err)
	if !sqlite.Logged(path) {
		t.Fatal("there is no log")
	}
	if _, rows, err := balance(path); err != nil || rows != 1 {
		t.Errorf("in the log: %d rows, %v", rows, err)
	}
	if _, _, err := balance(filepath.Join(t.TempDir(), "absent.db")); err == nil {
		t.Error("a file that is not there was read")
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
