package sqlite_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"patina/store/sqlite"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// database creates a file with one table and returns its path.
func database(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.db")
	db := one(t, path, sqlite.Fresh())
	conn, err := db.Conn(t.Context())
	check(t, err)
	_, err = conn.ExecContext(t.Context(), "CREATE TABLE t(a)")
	check(t, err)
	check(t, sqlite.Share(t.Context(), conn))
	check(t, errors.Join(conn.Close(), db.Close()))
	return path
}

// one returns a pool with one connection, which is closed at the end of the test.
func one(t testing.TB, path string, o sqlite.Options) *sql.DB {
	t.Helper()
	db := sqlite.Open(path, o)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// roles returns the options for each way to open a file.
func roles(path string) map[string]sqlite.Options {
	return map[string]sqlite.Options{
		"fresh": sqlite.Fresh(), "update": sqlite.Update(nil), "read": sqlite.Read(path, nil),
		"frozen": sqlite.Frozen(nil), "authored": sqlite.Authored(),
	}
}

// SQLite must report every setting that options.go promises.
func TestPragmas(t *testing.T) {
	const full, off = 2, 0
	want := map[string]map[string]any{
		"fresh": {
			"journal_mode": "memory", "synchronous": off, "locking_mode": "exclusive", "cache_size": -32768,
			"query_only": 0,
		},
		"update": {
			"journal_mode": "wal", "synchronous": full, "locking_mode": "normal", "cache_size": -16384,
			"busy_timeout": 5000, "query_only": 0,
		},
		"read":   {"journal_mode": "wal", "locking_mode": "normal", "busy_timeout": 2000, "query_only": 1},
		"frozen": {"locking_mode": "normal", "query_only": 0},
		"authored": {
			"journal_mode": "wal", "synchronous": full, "locking_mode": "normal", "busy_timeout": 5000,
			"query_only": 0, "foreign_keys": 1,
		},
	}
	path := database(t)
	for name, o := range roles(path) {
		if name == "fresh" {
			path = filepath.Join(t.TempDir(), "new.db")
		}
		db := one(t, path, o)
		pragmas := map[string]any{"trusted_schema": 0, "cell_size_check": 1, "mmap_size": 0}
		for pragma, value := range want[name] {
			pragmas[pragma] = value
		}
		for pragma, value := range pragmas {
			var have string
			check(t, db.QueryRow("PRAGMA "+pragma).Scan(&have))
			if have != fmt.Sprint(value) {
				t.Errorf("%s: %s is %s, want %v", name, pragma, have, value)
			}
		}
		check(t, db.Close())
		path = database(t)
	}
}

// Every connection is guarded: no statement may rewrite the schema, attach a file or load code.
func TestConnectionsAreGuarded(t *testing.T) {
	path := database(t)
	for name, o := range roles(path) {
		db := one(t, path, o)
		for _, statement := range []string{
			`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'x'`,
			`ATTACH ':memory:' AS other`,
			`SELECT length(zeroblob(1000000000))`,
			`SELECT length(randomblob(40000000))`,
			`SELECT "no such column"`,
			`SELECT load_extension('x')`,
		} {
			if _, err := db.Exec(statement); err == nil {
				t.Errorf("%s: %s: no error", name, statement)
			}
		}
		check(t, db.Close())
	}
}

// Errors wrap their meaning for the file.
func TestExplain(t *testing.T) {
	path := database(t)
	_, err := one(t, path, sqlite.Read(path, nil)).Exec("INSERT INTO t VALUES(1)")
	if err := sqlite.Explain(err); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a reader that writes: %v", err)
	}
	holder := one(t, path, sqlite.Authored())
	tx, err := holder.Begin()
	check(t, err)
	other := one(t, path, sqlite.Authored())
	_, err = other.Exec("PRAGMA busy_timeout = 0")
	check(t, err)
	_, err = other.Begin()
	if err := sqlite.Explain(err); !errors.Is(err, sqlite.ErrBusy) {
		t.Errorf("a second writer: %v", err)
	}
	check(t, tx.Rollback())
	_, err = other.Exec("INSERT INTO t VALUES('x')")
	check(t, err)
	if err := sqlite.Explain(other.QueryRow("SELECT a FROM t").Scan(new(int))); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("a value of another type: %v", err)
	}
	check(t, errors.Join(holder.Close(), other.Close()))
	check(t, os.WriteFile(path, []byte("no database, but long enough to be looked at as one\n"), 0o600))
	err = one(t, path, sqlite.Read(path, nil)).Ping()
	if !errors.Is(err, sqlite.ErrDamaged) || !errors.Is(sqlite.Explain(fmt.Errorf("read: %w", err)),
		sqlite.ErrDamaged) {
		t.Errorf("no database: %v", err)
	}
	if err := sqlite.Explain(fs.ErrNotExist); err != fs.ErrNotExist {
		t.Errorf("another error became %v", err)
	}
}

// A log that a reader needs stays. Without readers it is moved into the database.
func TestCheckpoint(t *testing.T) {
	path := database(t)
	conn, err := one(t, path, sqlite.Update(nil)).Conn(t.Context())
	check(t, err)
	defer func() { check(t, conn.Close()) }()
	write := func() {
		_, err := conn.ExecContext(t.Context(), "INSERT INTO t VALUES(1)")
		check(t, err)
	}
	write()
	reader, err := one(t, path, sqlite.Read(path, nil)).Begin()
	check(t, err)
	check(t, reader.QueryRow("SELECT count(*) FROM t").Scan(new(int)))
	write()
	if sqlite.Checkpoint(t.Context(), conn) || !sqlite.Logged(path) {
		t.Error("the log of a reader is gone")
	}
	check(t, reader.Rollback())
	if !sqlite.Checkpoint(t.Context(), conn) || sqlite.Logged(path) {
		t.Error("the log stays")
	}
}
