package sqlite

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
)

// Options are the settings with which connections to a database are opened. Fresh, Update, Read,
// Frozen and Authored return them. TestPragmas reads every setting back.
type Options struct {
	// Schema is the expected schema. If it is nil, any is accepted. It may be nil only for a new
	// file, or one that only this user can have written.
	Schema *Schema

	values url.Values
}

// settings apply to every connection. With cell_size_check, a cell that contradicts its page is an
// error instead of a wild read. No database is mapped, because touching a page that another process
// has cut off would end this one, and because SQLite would check the cells of a mapped page each
// time it is used, but those of a cached page once (sqlite.org/security.html;
// bench/history/speed.md, "Pages are not mapped").
const settings = `PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0`

// statements is the number of prepared statements that a connection keeps. A question has about
// twenty, and preparing them took up to a sixth of its time.
const statements = "64"

// newOptions adds the common settings to pairs of a key and a value. SQLite's own mutexes are off,
// because database/sql uses a connection from one goroutine at a time.
func newOptions(pairs ...string) Options {
	v := url.Values{"_mutex": {"no"}}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return Options{values: v}
}

// Fresh returns the options for a new database that nobody else sees before it is complete. Writes
// need not survive a crash until then. The journal is in memory, because a defensive connection
// does not allow turning it off; it stays empty, because all pages are new. Share ends this state.
func Fresh() Options {
	return newOptions("mode", "rwc", "_journal_mode", "MEMORY", "_synchronous", "OFF", "_locking_mode", "EXCLUSIVE",
		"_stmt_cache_size", statements, "_cache_size", "-32768")
}

// Given returns the options of Fresh for a file that somebody else has made.
func Given(s *Schema) Options {
	o := Fresh()
	o.values.Set("mode", "rw")
	o.Schema = s
	return o
}

// Update returns the options for the only writer of a shared database. A commit survives a power
// loss once it returns (FULL), and readers are not blocked (WAL). s may be nil.
func Update(s *Schema) Options {
	o := newOptions("mode", "rw", "_journal_mode", "WAL", "_synchronous", "FULL", "_cache_size", "-16384",
		"_busy_timeout", "5000")
	o.Schema = s
	return o
}

// Read returns the options for readers. SQLite must write the shared-memory file of a log.
// Therefore, if the folder or file may not be written and there is no log, the result is Frozen,
// which the database then is. s may be nil.
func Read(path string, s *Schema) Options {
	if (Unwritable(filepath.Dir(path)) || Unwritable(path)) && !Logged(path) {
		return Frozen(s)
	}
	o := newOptions("mode", "rw", "_query_only", "true", "_busy_timeout", "2000", "_stmt_cache_size", statements,
		"_cache_size", "-16384")
	o.Schema = s
	return o
}

// Frozen returns the options for a file that nobody changes meanwhile: no locks, no side files. If
// somebody does change it, results may be wrong. s may be nil.
func Frozen(s *Schema) Options {
	o := newOptions("mode", "ro", "immutable", "1", "_stmt_cache_size", statements, "_cache_size", "-16384")
	o.Schema = s
	return o
}

// Authored returns the options for data that cannot be derived again and that many processes change
// at once. A commit survives a power loss. A transaction takes the lock when it begins, and waits
// for it, because after a read it could no longer wait.
func Authored() Options {
	return newOptions("mode", "rw", "_journal_mode", "WAL", "_synchronous", "FULL", "_busy_timeout", "5000",
		"_foreign_keys", "on", "_txlock", "immediate",
		"_stmt_cache_size", statements, "_cache_size", "-16384")
}

// AsReader calls open with the options of Read. If the disk is full and there is no log, it calls
// open again, with those of Frozen, because SQLite cannot create its side files then.
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
