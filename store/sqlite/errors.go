package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Errors that callers distinguish. An error may also wrap syscall.ENOSPC if the disk is full, and
// fs.ErrPermission if a file or folder may not be written.
var (
	// ErrDamaged reports that the file is not a sound database, or not the expected one.
	ErrDamaged = errors.New("database is damaged")
	// ErrNewer reports that a newer program has migrated the database.
	ErrNewer = errors.New("database was written by a newer version")
	// ErrBusy reports that another connection held a lock for too long.
	ErrBusy = errors.New("database is busy")
)

// damage is ErrDamaged with the text of its cause.
type damage struct{ cause error }

func (d damage) Error() string        { return d.cause.Error() }
func (d damage) Unwrap() error        { return d.cause }
func (d damage) Is(target error) bool { return target == ErrDamaged }

// busy is ErrBusy with the text of its cause.
type busy struct{ cause error }

func (b busy) Error() string        { return b.cause.Error() }
func (b busy) Unwrap() error        { return b.cause }
func (b busy) Is(target error) bool { return target == ErrBusy }

// Explain wraps an error from SQLite or database/sql so that errors.Is finds its meaning for the
// file: one of the errors above, syscall.ENOSPC or fs.ErrPermission. It returns other errors, and
// nil, unchanged.
func Explain(err error) error {
	if err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	var e sqlite3.Error
	if !errors.As(err, &e) {
		if strings.Contains(err.Error(), "sql: Scan error") { // a value of another type, or out of range
			return damage{err}
		}
		return err
	}
	switch {
	case e.Code == sqlite3.ErrFull, e.SystemErrno == syscall.ENOSPC: // a log grows by plain writes
		return fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	case e.Code == sqlite3.ErrReadonly, e.Code == sqlite3.ErrPerm:
		return fmt.Errorf("%w: %w", fs.ErrPermission, err)
	}
	switch e.Code {
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrError, sqlite3.ErrFormat, sqlite3.ErrTooBig:
		return damage{err}
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return busy{err}
	}
	return err
}
