// Package turns keeps the turns of a user's conversations with agents about a project, and finds
// those that answer a question.
//
// The agents' transcripts are the original; this is a derived, bounded copy without secrets, in a
// database of its own beside the project's memories, so that forgetting it is the removal of a
// file. Ingest reads transcripts: only the new bytes of a file, within bounds of memory and disk.
// Find ranks turns by the formula of package memory/recall, and is fast because a question reads
// the posting lists of its words alone (segment.go, rank.go). Forget removes all.
//
// Where transcripts lie, and which of them belong to a project, the caller knows. Texts are data
// that anybody may have written, because output of tools is among them.
package turns

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"patina/internal/safeio"
	"patina/memory/transcript"
	"patina/store/sqlite"
)

//go:embed schema/*.sql
var schemas embed.FS

var migrations, _ = fs.Sub(schemas, "schema")

// version is the number of migrations.
const version = 1

// File returns the path of a project's turns.
func File(home, project string) string {
	return filepath.Join(home, "projects", project, "transcripts.db")
}

// A Turn is one turn of a conversation with an agent.
type Turn struct {
	Key     int64
	Role    string // transcript.RoleUser and so on
	Agent   string // "Codex"
	Session string
	Path    string // of the transcript, which may be gone
	Line    int    // in it; 0: unknown
	At      time.Time
	Text    string
}

// HasOutput reports whether a turn holds output of tools, which anybody may have written.
func (t Turn) HasOutput() bool {
	return t.Role != transcript.RoleUser && t.Role != transcript.RoleAgent
}

// roles are the roles of turns, by their number in the database.
var roles = []string{
	transcript.RoleUser, transcript.RoleAgent, transcript.RoleTool, transcript.RoleError, transcript.RoleMend,
}

const (
	userRole = 0
	mendRole = 4
)

// A store is a database of turns.
type store struct{ db *sql.DB }

// open opens a database for changes, and creates it if it is missing. What is deleted is
// overwritten, because it was deleted to be forgotten.
func open(ctx context.Context, path string) (*store, error) {
	if err := checkRegular(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	db, err := sqlite.OpenAuthored(ctx, path, migrations)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // the setting is that of one connection
	if _, err := db.ExecContext(ctx, `PRAGMA secure_delete = ON`); err != nil {
		return nil, errors.Join(sqlite.Explain(err), db.Close())
	}
	return &store{db}, nil
}

// close writes the log into the database and empties it, because it may hold deleted texts.
func (s *store) close() error {
	_, err := s.db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
	return errors.Join(sqlite.Explain(err), s.db.Close())
}

// look calls read with a database that must not be changed. The error wraps fs.ErrNotExist if it is
// missing. read may be called twice, and its last call counts.
func look(ctx context.Context, path string, read func(*sql.DB) error) error {
	if err := checkRegular(path); err != nil {
		return err
	}
	if err := sqlite.CheckSize(path); err != nil {
		return err
	}
	return sqlite.Glance(path, func(db *sql.DB) error {
		if _, err := sqlite.VersionOf(ctx, db, version); err != nil {
			return err
		}
		return read(db)
	})
}

// checkRegular returns an error if the file is missing or not a regular file.
func checkRegular(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: safeio.ErrIrregular}
	}
	return err
}

// ErrHeld means that another process reads transcripts of the same project, or forgets them.
var ErrHeld = errors.New("another process reads or forgets transcripts of this project")

// lockWait is how long a second process waits for the first.
const lockWait = 10 * time.Second

// lock locks out other writers until the returned function is called.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	if err := safeio.Lock(ctx, f, lockWait); err != nil {
		if errors.Is(err, safeio.ErrHeld) && ctx.Err() == nil {
			err = ErrHeld
		}
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// Forget removes all turns of a project with every file that may hold one. It returns the number of
// bytes that the files had. To have nothing to forget is no error.
func Forget(ctx context.Context, path string) (bytes int64, err error) {
	if _, err := os.Lstat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	unlock, err := lock(ctx, path)
	if err != nil {
		return 0, err
	}
	defer unlock()
	names, err := filepath.Glob(globEscaped(path) + "*")
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if name == path+".lock" {
			continue
		}
		if info, statErr := os.Lstat(name); statErr == nil {
			bytes += info.Size()
		}
		err = errors.Join(err, os.Remove(name))
	}
	return bytes, err
}
