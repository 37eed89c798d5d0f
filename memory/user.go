package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"patina/memory/persona"
	"patina/store/doc"
	"patina/store/sqlite"
)

// The scopes of a memory.
const (
	ScopeProject = "project"
	ScopeUser    = "user" // in all projects
)

// UserNotes are the notes that a user keeps for all projects.
//
// The log is authored, and only appended to. The store is derived from it by Materialize: a file of
// the same form as a project's memories, with scope user. It is replaced as a whole, so a reader
// sees either the old or the new one. A store that is missing, damaged or of another version is
// rebuilt.
type UserNotes struct {
	persona.Log
	// Model makes the vectors. Without one the vectors of whatever model there are stay, and only
	// the built-in model makes missing ones.
	Model doc.BatchEmbedder
	// Most bounds the vectors that one update makes; 0 means all.
	Most int
}

// UserNotesIn returns the user's notes in a home folder.
func UserNotesIn(home string) UserNotes { return UserNotes{Log: persona.LogIn(home)} }

// Database returns the path of the store derived from the log.
func (u UserNotes) Database() string { return filepath.Join(u.derived(), "persona.db") }

func (u UserNotes) derived() string { return filepath.Join(u.Dir, "materialized") }

// Exists reports whether there is a log or a store.
func (u UserNotes) Exists() bool {
	for _, name := range []string{u.Events(), u.Database()} {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// logVersion is the version of schema/log.sql.
const logVersion = 1

// userVersion is the version of a store of scope user. It was 1 before both scopes had the same
// form.
const userVersion = 100*version + logVersion

// checkUserVersion returns an error that wraps sqlite.ErrDamaged for a store of another version.
func checkUserVersion(ctx context.Context, db *sql.DB) error {
	var v int
	if err := db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&v); err != nil {
		return sqlite.Explain(err)
	}
	if v != userVersion {
		return fmt.Errorf("schema %d, this patina has %d: %w", v, userVersion, sqlite.ErrDamaged)
	}
	return nil
}

// checkUserStore returns an error that wraps sqlite.ErrDamaged unless a store is intact and of this
// version.
func checkUserStore(ctx context.Context, db *sql.DB) error {
	if err := checkUserVersion(ctx, db); err != nil {
		return err
	}
	var result string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&result); err != nil || result == "ok" {
		return sqlite.Explain(err)
	}
	return fmt.Errorf("%s: %w", result, sqlite.ErrDamaged)
}

// open opens the store without updating it. The error wraps fs.ErrNotExist if the store is missing,
// and sqlite.ErrDamaged if it cannot be used.
func (u UserNotes) open(ctx context.Context) (*Store, error) {
	name := u.Database()
	if _, err := os.Stat(name); err != nil {
		return nil, fmt.Errorf("open notes: %w", err)
	}
	s := &Store{db: sqlite.Open(name, sqlite.Frozen(nil)), path: name, now: time.Now}
	err := checkUserVersion(ctx, s.db)
	if err == nil {
		_, err = s.modelName(ctx)
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("it names no model: %w", sqlite.ErrDamaged)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open notes in %s: %w", name, err), s.Close())
	}
	return s, nil
}

// modelName returns the name of the model that made the vectors.
func (s *Store) modelName(ctx context.Context) (name string, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT name FROM model`).Scan(&name)
	return name, sqlite.Explain(err)
}

// isBehind reports whether the log has changed since the store was made, or vectors of the Model
// are missing.
func (u UserNotes) isBehind(ctx context.Context, s *Store) (bool, error) {
	if u.Model != nil && u.Most == 0 {
		if done, err := s.embedded(ctx, u.Model); !done || err != nil {
			return true, err
		}
	}
	files, _, err := u.Files()
	if err != nil {
		return false, err
	}
	known, err := readLogFiles(ctx, s.db)
	if err != nil {
		return false, sqlite.Explain(err)
	}
	for _, f := range files {
		if k, ok := known[f.Name]; !ok || k.File != f {
			return true, nil
		}
	}
	return len(known) != len(files), nil
}

// A readFile is a file of the log as it was when read.
type readFile struct {
	persona.File
	faults int
}

func readLogFiles(ctx context.Context, q querier) (map[string]readFile, error) {
	rows, err := q.QueryContext(ctx, `SELECT name, size, mtime, inode, faults FROM logfile`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	all := map[string]readFile{}
	for rows.Next() {
		var f readFile
		var inode int64
		if err := rows.Scan(&f.Name, &f.Size, &f.ModTime, &inode, &f.faults); err != nil {
			return nil, err
		}
		f.Inode = uint64(inode)
		all[f.Name] = f
	}
	return all, rows.Err()
}

// Read calls read with the store, up to date with the log. It may call read twice if the store
// turns out to be damaged; then the last call counts. If the store cannot be updated, read gets the
// last one, and stale is the reason. err is set if there is no usable store, or if read fails.
func (u UserNotes) Read(ctx context.Context, read func(*Store) error) (stale, err error) {
	s, stale, err := u.current(ctx)
	if err != nil {
		return nil, err
	}
	err = errors.Join(read(s), s.Close())
	if !errors.Is(err, sqlite.ErrDamaged) {
		return stale, err
	}
	if _, cause := u.Materialize(ctx, true); cause != nil {
		return stale, err
	}
	if s, err = u.open(ctx); err != nil {
		return nil, err
	}
	return nil, errors.Join(read(s), s.Close())
}

// current opens the store, after updating it if the log has changed. If it cannot be updated, s is
// the last store and stale is the reason. err is set if there is no usable store.
func (u UserNotes) current(ctx context.Context) (s *Store, stale, err error) {
	s, err = u.open(ctx)
	damaged := errors.Is(err, sqlite.ErrDamaged)
	if err != nil && !damaged && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if err == nil {
		behind, err := u.isBehind(ctx, s)
		if err == nil && !behind {
			return s, nil, nil
		}
		damaged = errors.Is(err, sqlite.ErrDamaged)
		if err != nil && !damaged {
			return nil, nil, errors.Join(err, s.Close())
		}
	}
	if _, stale = u.Materialize(ctx, damaged); stale == nil {
		if s != nil {
			_ = s.Close()
		}
		s, err = u.open(ctx)
		return s, nil, err
	}
	if s == nil || damaged {
		if s != nil {
			_ = s.Close()
		}
		return nil, nil, stale
	}
	return s, stale, nil
}
