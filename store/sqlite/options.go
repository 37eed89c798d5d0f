package sqlite

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
)

// Options say how connections to a database are opened. Fresh, Update, Read, Frozen and Authored
// make them; TestPragmas reads every setting back.
type Options struct {
	// Schema is the expected schema. nil accepts any, for a new file or one that only this user can
	// have written.
	Schema *Schema

	values url.Values
}

// Settings for every connection. A cell that contradicts its page is an error instead of a wild
// read. No database is mapped: touching a page that another process has cut off would end this one,
// and SQLite would check the cells of a mapped page each time that it is looked at, of a cached one
// once (sqlite.org/security.html; bench/history/speed.md, "Pages are not mapped").
const settings = `PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0`

// statements is how many prepared statements a connection keeps. A question has about twenty, and
// preparing them took up to a sixth of its time.
const statements = "64"

// newOptions adds the common settings. database/sql uses a connection from one goroutine at a time,
// so SQLite's own mutexes are off.
func newOptions(pairs ...string) Options {
	v := url.Values{"_mutex": {"no"}}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return Options{values: v}
}

// Fresh is for a new database that nobody else sees before it is complete. Nothing needs to be safe
// until then. The journal in memory stays empty, since all pages are new. A defensive connection
// does not allow turning it off. Share ends this state.
func Fresh() Options {
	return newOptions("mode", "rwc", "_journal_mode", "MEMORY", "_synchronous", "OFF", "_locking_mode", "EXCLUSIVE",
		"_cache_size", "-32768")
}

// Update is for the one writer to a shared database. A commit survives a power loss once it returns
// (FULL), and readers go on (WAL).
func Update(s *Schema) Options {
	o := newOptions("mode", "rw", "_journal_mode", "WAL", "_synchronous", "FULL", "_cache_size", "-16384",
		"_busy_timeout", "5000")
	o.Schema = s
	return o
}

// Read is for readers. SQLite must write a log's shared-memory file. In an unwritable folder, a
// database without a log is therefore read as Frozen, which it then is.
func Read(path string, s *Schema) Options {
	if (Unwritable(filepath.Dir(path)) || Unwritable(path)) && !Logged(path) {
		return Frozen(s)
	}
	o := newOptions("mode", "rw", "_query_only", "true", "_busy_timeout", "2000", "_stmt_cache_size", statements,
		"_cache_size", "-16384")
	o.Schema = s
	return o
}

// Frozen is for a file that nobody changes meanwhile: no locks, no side files.
func Frozen(s *Schema) Options {
	o := newOptions("mode", "ro", "immutable", "1", "_stmt_cache_size", statements, "_cache_size", "-16384")
	o.Schema = s
	return o
}

// Authored is for data that cannot be derived again and that many processes change at once. A
// commit survives a power loss. A transaction takes the lock as it begins, waiting if it is taken:
// after a read it could no longer wait.
func Authored() Options {
	return newOptions("mode", "rw", "_journal_mode", "WAL", "_synchronous", "FULL", "_busy_timeout", "5000",
		"_foreign_keys", "on", "_txlock", "immediate",
		"_stmt_cache_size", statements, "_cache_size", "-16384")
}

// AsReader calls open with Read's options. On a full disk SQLite cannot make its side files; it
// then uses Frozen's.
func AsReader(path string, s *Schema, open func(Options) error) error {
	err := open(Read(path, s))
	if errors.Is(err, syscall.ENOSPC) && !Logged(path) {
		err = open(Frozen(s))
	}
	return err
}

// Logged reports whether a database has a non-empty write-ahead log.
func Logged(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}
