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
	// Schema is what the tables must be; nil: anything, for a file that is made or that only this
	// user can have written.
	Schema *Schema

	values url.Values
}

// What every connection sets. A cell that is not what its page says is an error, not memory that is
// read. A database that others may write, and so cut, is not mapped: to touch a page that the file
// has lost ends the process. Where it is mapped a long query reads a quarter faster.
const (
	checked = `PRAGMA cell_size_check = ON`
	mapped  = `; PRAGMA mmap_size = 1073741824`
)

// statements is how many prepared statements a connection keeps: a question has about twenty, and
// preparing them anew was up to a sixth of it.
const statements = "64"

// options are those of all: database/sql uses a connection from one goroutine at a time, so
// SQLite's own mutexes are left out.
func options(pairs ...string) Options {
	v := url.Values{"_mutex": {"no"}}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return Options{values: v}
}

// Fresh is for a new database that nobody else sees before it is complete, so nothing in it needs
// to be safe until then. The journal in memory stays empty, for all pages are new; none at all is
// not to be had of a defensive connection. Share ends this state.
func Fresh() Options {
	return options("mode", "rwc", "_journal_mode", "MEMORY", "_synchronous", "OFF", "_locking_mode", "EXCLUSIVE", "_cache_size", "-32768")
}

// Update is for the one writer of a database that others read: what a commit has returned survives
// a loss of power (FULL), and readers go on (WAL).
func Update(s *Schema) Options {
	o := options("mode", "rw", "_journal_mode", "WAL", "_synchronous", "FULL", "_cache_size", "-16384", "_busy_timeout", "5000")
	o.Schema = s
	return o
}

// Read is for those who ask. SQLite needs to write the shared-memory file of a log; in a folder
// that this process may not write, a database without a log is read as the frozen file that it then
// is.
func Read(path string, s *Schema) Options {
	if (Unwritable(filepath.Dir(path)) || Unwritable(path)) && !Logged(path) {
		return Frozen(s)
	}
	o := options("mode", "rw", "_query_only", "true", "_busy_timeout", "2000", "_stmt_cache_size", statements)
	o.Schema = s
	return o
}

// Frozen is for a file that nobody changes while it is read: no locks, and nothing beside it.
func Frozen(s *Schema) Options {
	o := options("mode", "ro", "immutable", "1", "_stmt_cache_size", statements)
	o.Schema = s
	return o
}

// Authored is for data that cannot be derived again, which many processes change at once. A commit
// survives a loss of power; a transaction takes the lock as it begins, because one that reads first
// cannot wait for it later; who finds it taken waits.
func Authored() Options {
	return options("mode", "rw", "_journal_mode", "WAL", "_synchronous", "FULL", "_busy_timeout", "5000", "_foreign_keys", "on", "_txlock", "immediate")
}

// AsReader calls open with the options of Read, and on a full disk, where SQLite cannot make what
// it needs beside the file, with those of Frozen.
func AsReader(path string, s *Schema, open func(Options) error) error {
	err := open(Read(path, s))
	if errors.Is(err, syscall.ENOSPC) && !Logged(path) {
		err = open(Frozen(s))
	}
	return err
}

// Logged reports whether a database has a write-ahead log that holds anything.
func Logged(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}
