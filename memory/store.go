package memory

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/internal/safeio"
	"patina/memory/merge"
	"patina/store/sqlite"
)

//go:embed schema/*.sql
var schemas embed.FS

var migrations, _ = fs.Sub(schemas, "schema")

// version is the number of migrations.
const version = 6

// File returns the path of a project's memories.
func File(home, project string) string {
	return filepath.Join(home, "projects", project, "memory.db")
}

// A Store holds the memories of one scope: a project's, or the user's own (UserNotes). It is safe
// for concurrent use.
type Store struct {
	db   *sql.DB
	path string
	now  func() time.Time

	sketches sketches
}

// Open opens a store for changes, and creates it if it is missing. The caller must call Close.
func Open(ctx context.Context, path string) (*Store, error) {
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
	s := &Store{db: db, path: path, now: time.Now}
	if err := s.complete(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// complete adds memories from before migration 2 to the lists, and sums to those from before
// migration 5.
func (s *Store) complete(ctx context.Context) error {
	var done bool
	err := s.db.QueryRowContext(ctx, `SELECT upto >= (SELECT coalesce(max(key), 0) FROM memory) AND summed
		FROM corpus`).Scan(&done)
	if err != nil || done {
		return sqlite.Explain(err)
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		if err := sumAll(ctx, tx); err != nil {
			return err
		}
		return completeLists(ctx, tx)
	})
}

// Look calls read with a read-only store, so that the home need not be writable. It may call read
// twice, and then the last call counts. If the store is missing, the error wraps fs.ErrNotExist.
func Look(ctx context.Context, path string, read func(*Store) error) error {
	if err := checkRegular(path); err != nil {
		return err
	}
	if err := sqlite.CheckSize(path); err != nil {
		return err
	}
	err := withStore(ctx, path, read)
	if !errors.Is(err, ErrOlder) {
		return err
	}
	s, err := Open(ctx, path)
	if err != nil {
		return fmt.Errorf("bring the memories of an older version up to date: %w", err)
	}
	return errors.Join(read(s), s.Close())
}

// CheckVersion returns an error that wraps sqlite.ErrNewer if a newer patina has written a store.
// It opens no database (sqlite.CheckHeader).
func CheckVersion(path string) error { return sqlite.CheckHeader(path, version) }

// ErrOlder means that an older version wrote the store. Open brings it up to date.
var ErrOlder = errors.New("an older version wrote these memories")

func withStore(ctx context.Context, path string, read func(*Store) error) error {
	return sqlite.Glance(path, func(db *sql.DB) error {
		v, err := sqlite.VersionOf(ctx, db, version)
		if err == nil && v < version {
			err = ErrOlder // or the file is empty, which Open reports
		}
		if err != nil {
			return err
		}
		return read(&Store{db: db, path: path, now: time.Now})
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

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// change runs do in a transaction, which is kept completely or not at all.
func (s *Store) change(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.beginWrite(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	if err := do(tx); err != nil {
		return sqlite.Explain(err)
	}
	return sqlite.Explain(tx.Commit())
}

// patience is how long a change waits for other writers. It is long because many agents may end a
// session at the same time.
const patience = time.Minute

// beginWrite begins a transaction. It takes the write lock at once, so that later statements need
// no retry.
func (s *Store) beginWrite(ctx context.Context) (*sql.Tx, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	err = sqlite.Explain(err)
	for end := time.Now().Add(patience); errors.Is(err, sqlite.ErrBusy) && ctx.Err() == nil && time.Now().Before(end); {
		tx, err = s.db.BeginTx(ctx, nil) // itself waits five seconds
		err = sqlite.Explain(err)
	}
	return tx, err
}

// An Added is the result of adding a note.
type Added struct {
	ID     string `json:"id"`
	Merged bool   `json:"merged"` // into an existing memory that says the same

	// Reason says by which threshold it was merged; empty if it says the same.
	Reason string `json:"reason,omitempty"`
	// Superseded is the id of the memory that the new one replaces, or empty.
	Superseded string `json:"superseded,omitempty"`
	// Conflicts are current memories that the new one may contradict (Store.Conflicting).
	Conflicts []Conflict `json:"may_contradict,omitempty"`
}

// AddInstead stores a memory like Add, and ends another one in its favour, in one transaction. It
// returns ErrInvalid if the new memory says the same as the old one, or the old one is not current.
func (s *Store) AddInstead(ctx context.Context, m Memory, allowSecret bool, old string) (a Added, err error) {
	return s.addNote(ctx, m, allowSecret, old)
}

// Add stores a memory. If a current memory of the same type and place says the same, the new one is
// merged into it: tags are joined, a pin is kept, and the higher confidence is used. It returns
// ErrInvalid for an invalid memory, and ErrSecret for one with a secret unless allowSecret is set.
func (s *Store) Add(ctx context.Context, m Memory, allowSecret bool) (a Added, err error) {
	return s.addNote(ctx, m, allowSecret, "")
}

// addNote stores a memory. It ends the memory with the id old in its favour, unless old is empty.
func (s *Store) addNote(ctx context.Context, m Memory, allowSecret bool, old string) (a Added, err error) {
	now := s.now()
	if err := m.Valid(allowSecret); err != nil {
		return a, err
	}
	if m, err = m.completed(now); err != nil {
		return a, err
	}
	err = s.change(ctx, func(tx *sql.Tx) error {
		if old == "" {
			a, err = addMemory(ctx, tx, m, now)
			return err
		}
		a, err = addInstead(ctx, tx, m, now, old)
		return err
	})
	return a, err
}

func addInstead(ctx context.Context, tx *sql.Tx, m Memory, now time.Time, id string) (Added, error) {
	old, err := readMemory(ctx, tx, id)
	if err != nil {
		return Added{}, err
	}
	if !old.Current() {
		return Added{}, fmt.Errorf("%w: %q no longer holds, so nothing can supersede it", ErrInvalid, old.ID)
	}
	a, err := addMemory(ctx, tx, m, now)
	if err != nil {
		return a, err
	}
	if a.ID == old.ID {
		return a, fmt.Errorf("%w: it says the same as %q, and cannot supersede it", ErrInvalid, old.ID)
	}
	a.Superseded = old.ID
	_, err = endMemory(ctx, tx, old.ID, a.ID, "superseded", now)
	return a, err
}

func addMemory(ctx context.Context, tx *sql.Tx, m Memory, now time.Time) (Added, error) {
	near, err := listMemories(ctx, tx, ` WHERE words IN (?, ?) AND valid_to IS NULL ORDER BY key DESC LIMIT 100`,
		merge.Key(m.Content), merge.OldKey(m.Content))
	if err != nil {
		return Added{}, err
	}
	for _, old := range near {
		if !mayMerge(old, m) {
			continue
		}
		return Added{ID: old.ID, Merged: true}, joinMemories(ctx, tx, old, m, now, fmt.Sprintf("says the same: %q", m.Content))
	}
	m.ID, m.Ended, m.SupersededBy = newID(), time.Time{}, ""
	if _, err := insertMemory(ctx, tx, m); err != nil {
		return Added{}, err
	}
	return Added{ID: m.ID}, noteEvent(ctx, tx, m.ID, now, "added", m.Origin)
}

// mayMerge reports whether a new memory may be merged into an old one. An untrusted text is never
// merged into a trusted one.
func mayMerge(old, m Memory) bool {
	return sameStanding(old, m) && merge.Same(old.Content, m.Content)
}

// sameStanding reports whether a memory has the type, the place and the trust of an old one.
func sameStanding(old, m Memory) bool {
	place := func(a, b string) bool { return b == "" || a == b }
	return old.Type == m.Type && (old.Origin == Untrusted) == (m.Origin == Untrusted) &&
		place(old.Path, m.Path) && place(old.Symbol, m.Symbol) && place(old.Commit, m.Commit)
}

// joinMemories merges a new memory into an old one, and logs the reason.
func joinMemories(ctx context.Context, tx *sql.Tx, old, m Memory, now time.Time, reason string) error {
	tags, err := cleanTags(slices.Concat(old.Tags, m.Tags))
	if err != nil {
		return err
	}
	if old.Aliases, err = cleanAliases(slices.Concat(old.Aliases, m.Aliases)); err != nil {
		return err
	}
	old.Tags, old.Pinned, old.Confidence = tags, old.Pinned || m.Pinned, max(old.Confidence, m.Confidence)
	if m.Ground != "" && old.Path == m.Path && old.Symbol == m.Symbol {
		old.Ground = m.Ground // it was confirmed for the current code
	}
	if err := rewriteMemory(ctx, tx, old); err != nil {
		return err
	}
	return noteEvent(ctx, tx, old.ID, now, "merged", reason)
}

// newID returns an id that is unique in all stores.
func newID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "m-" + hex.EncodeToString(b[:])
}

const columns = `id, content, type, confidence, pinned, source, session, sha, path, symbol, created_at, valid_to, superseded_by, origin, ground, aliases, scope`

// insertMemory writes a new memory and returns its key. A user's note has no links and is never
// merged, and Materialize stores its words.
func insertMemory(ctx context.Context, tx *sql.Tx, m Memory) (key int64, err error) {
	words := ""
	if m.Scope != ScopeUser {
		words = merge.Key(m.Content)
	}
	added, err := tx.ExecContext(ctx, `INSERT INTO memory(`+columns+
		`, words) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		m.ID, m.Content, m.Type, m.Confidence, m.Pinned, m.Source, m.Session, m.Commit, m.Path, m.Symbol,
		m.Created.Unix(), nullableEnd(m), m.SupersededBy, m.Origin, m.Ground, strings.Join(m.Aliases, "\n"),
		cmp.Or(m.Scope, ScopeProject), words)
	if err != nil {
		return 0, err
	}
	key, err = added.LastInsertId()
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT INTO unembedded VALUES(?)`, key)
	}
	if err == nil && m.Scope != ScopeUser {
		err = enterWords(ctx, tx, key, m)
		if err == nil {
			_, err = tx.ExecContext(ctx, `INSERT INTO unlinked VALUES(?)`, key)
		}
	}
	if err != nil {
		return 0, err
	}
	return key, writeTags(ctx, tx, m)
}

// reenterWords updates a memory's entries in the lists, if its indexed fields have changed.
func reenterWords(ctx context.Context, tx *sql.Tx, m Memory) error {
	old, err := listMemories(ctx, tx, ` WHERE id = ?`, m.ID)
	if err != nil || len(old) == 0 {
		return err
	}
	if o := old[0]; o.Content == m.Content && slices.Equal(o.Tags, m.Tags) && slices.Equal(o.Aliases, m.Aliases) &&
		o.Path == m.Path && o.Symbol == m.Symbol {
		return nil
	}
	key, err := leaveLists(ctx, tx, old[0])
	if err == nil && old[0].Content != m.Content {
		err = unlinkMemory(ctx, tx, key)
	}
	if err == nil {
		err = enterWords(ctx, tx, key, m)
	}
	return err
}

// leaveLists removes a memory from the lists and removes its vector.
func leaveLists(ctx context.Context, tx *sql.Tx, m Memory) (key int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT key FROM memory WHERE id = ?`, m.ID).Scan(&key)
	if err == nil {
		err = withdrawWords(ctx, tx, key, m)
	}
	if err == nil {
		err = removeVector(ctx, tx, key)
	}
	return key, err
}

// rewriteMemory writes an existing memory. Its id, origin and time of creation do not change.
func rewriteMemory(ctx context.Context, tx *sql.Tx, m Memory) error {
	if err := reenterWords(ctx, tx, m); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE memory SET content = ?, type = ?, confidence = ?, pinned = ?, source = ?,
		session = ?, sha = ?, path = ?, symbol = ?, valid_to = ?, superseded_by = ?, ground = ?, aliases = ?, words = ? WHERE id = ?`,
		m.Content, m.Type, m.Confidence, m.Pinned, m.Source, m.Session, m.Commit, m.Path, m.Symbol,
		nullableEnd(m), m.SupersededBy, m.Ground, strings.Join(m.Aliases, "\n"), merge.Key(m.Content), m.ID)
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM tag WHERE memory = (SELECT key FROM memory WHERE id = ?)`, m.ID)
	}
	if err != nil {
		return err
	}
	return writeTags(ctx, tx, m)
}

// writeTags writes the tags of a memory, and its sum.
func writeTags(ctx context.Context, tx *sql.Tx, m Memory) error {
	for _, t := range m.Tags {
		if _, err := tx.ExecContext(ctx, `INSERT INTO tag SELECT key, ? FROM memory
			WHERE id = ?`, t, m.ID); err != nil {
			return err
		}
	}
	if m.Scope == ScopeUser { // m is exactly the stored row
		_, err := tx.ExecContext(ctx, `UPDATE memory SET sum = ? WHERE id = ?`, memorySum(m), m.ID)
		return err
	}
	return sealMemory(ctx, tx, m.ID)
}

func noteEvent(ctx context.Context, tx *sql.Tx, id string, at time.Time, action, detail string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO event(memory, at, action, detail, sum) SELECT key, ?, ?, ?, ?
		FROM memory WHERE id = ?`,
		at.Unix(), action, detail, sumOfEvent(id, at.Unix(), action, detail), id)
	return err
}

func nullableEnd(m Memory) sql.NullInt64 {
	return sql.NullInt64{Int64: m.Ended.Unix(), Valid: !m.Ended.IsZero()}
}

// A querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// listMemories returns the memories that meet a condition. It returns ErrDamaged if one of them is
// damaged.
func listMemories(ctx context.Context, q querier, condition string, args ...any) (found []Memory, err error) {
	all, err := readSoundRows(ctx, q, condition, args...)
	for _, r := range all {
		if r.kept.differs(memorySum(r.Memory)) {
			return nil, damageError(fmt.Sprintf("memory %q", r.ID))
		}
		found = append(found, r.Memory)
	}
	return found, err
}
