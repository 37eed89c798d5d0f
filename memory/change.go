package memory

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/memory/merge"
	"patina/store/sqlite"
)

// A Filter selects memories. The zero value selects all current ones.
type Filter struct {
	Types, Tags []string  // with any of these
	Path        string    // about this file
	Pinned      bool      // only pinned ones
	Grounded    bool      // only those about a place that had a hash when they were written
	All         bool      // superseded and forgotten ones too
	AsOf        time.Time // those current at this time; zero: now
	Limit       int       // 0: no limit
}

func (f Filter) condition() (where string, args []any) {
	among := func(column string, values []string) {
		where += ` AND ` + column + ` IN (` + strings.TrimSuffix(strings.Repeat("?,", len(values)), ",") + `)`
		for _, v := range values {
			args = append(args, v)
		}
	}
	if len(f.Types) > 0 {
		among(`type`, f.Types)
	}
	if len(f.Tags) > 0 {
		among(`key IN (SELECT memory FROM tag WHERE tag`, f.Tags)
		where += `)`
	}
	if f.Path != "" {
		where += ` AND path = ?`
		args = append(args, f.Path)
	}
	if f.Pinned {
		where += ` AND pinned`
	}
	if f.Grounded {
		where += ` AND ground != ''`
	}
	switch {
	case f.All:
	case f.AsOf.IsZero():
		where += ` AND valid_to IS NULL`
	default:
		where += ` AND created_at <= ? AND (valid_to IS NULL OR valid_to > ?)`
		args = append(args, f.AsOf.Unix(), f.AsOf.Unix())
	}
	return ` WHERE true` + where, args
}

// List returns memories, newest first.
func (s *Store) List(ctx context.Context, f Filter) ([]Memory, error) {
	where, args := f.condition()
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	return listMemories(ctx, s.db, where+` ORDER BY created_at DESC, key DESC LIMIT ?`, append(args, limit)...)
}

// Get returns a memory with its log. The start of an id is enough if it is unique. It returns
// ErrNone or ErrAmbiguous otherwise.
func (s *Store) Get(ctx context.Context, id string) (Memory, error) {
	m, err := readMemory(ctx, s.db, id)
	if err == nil {
		m.Log, err = readEvents(ctx, s.db, m.ID)
	}
	return m, err
}

func readMemory(ctx context.Context, q querier, id string) (Memory, error) {
	found, err := listMemories(ctx, q, ` WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id != ?1, id LIMIT 2`, id)
	switch {
	case err != nil:
		return Memory{}, err
	case len(found) == 0 || id == "":
		return Memory{}, fmt.Errorf("%w: %q", ErrNone, id)
	case len(found) > 1 && found[0].ID != id:
		return Memory{}, fmt.Errorf("%w: %q", ErrAmbiguous, id)
	}
	return found[0], nil
}

func readEvents(ctx context.Context, q querier, id string) (log []Event, err error) {
	rows, err := q.QueryContext(ctx, `SELECT at, action, detail, sum, (SELECT summed FROM corpus) FROM event
		WHERE memory = (SELECT key FROM memory WHERE id = ?) ORDER BY key`, id)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e Event
		var at int64
		var kept keptSum
		if err := rows.Scan(&at, &e.Action, &e.Detail, &kept.sum, &kept.summed); err != nil {
			return nil, sqlite.Explain(err)
		}
		if kept.differs(sumOfEvent(id, at, e.Action, e.Detail)) {
			return nil, damageError(fmt.Sprintf("the history of memory %q", id))
		}
		e.At = time.Unix(at, 0).UTC()
		log = append(log, e)
	}
	return log, sqlite.Explain(rows.Err())
}

// Edit changes a memory by calling edit, and logs its former text. It returns ErrInvalid for a
// memory that is no longer current, or that is invalid afterwards. An edit without changes writes
// nothing.
func (s *Store) Edit(ctx context.Context, id string, allowSecret bool, edit func(*Memory)) (m Memory, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		old, err := readMemory(ctx, tx, id)
		if err != nil {
			return err
		}
		if m = old; !old.Current() {
			return fmt.Errorf("%w: %q no longer holds, so it stays as it was", ErrInvalid, old.ID)
		}
		m.Tags, m.Aliases = slices.Clone(old.Tags), slices.Clone(old.Aliases)
		if edit(&m); m.Content == old.Content && sameContent(m, old) {
			return nil
		}
		m.ID, m.Origin, m.Created = old.ID, old.Origin, old.Created
		if err := m.Valid(allowSecret); err != nil {
			return err
		}
		if m, err = m.completed(old.Created); err != nil {
			return err
		}
		if err := checkUnique(ctx, tx, old, m); err != nil {
			return err
		}
		if err := rewriteMemory(ctx, tx, m); err != nil {
			return err
		}
		return noteEvent(ctx, tx, m.ID, s.now(), "edited", describeReplaced(old, m))
	})
	return m, err
}

// checkUnique returns an error if an edit makes a memory equal to another current one.
func checkUnique(ctx context.Context, tx *sql.Tx, old, m Memory) error {
	if m.Content == old.Content && m.Type == old.Type && m.Path == old.Path && m.Symbol == old.Symbol &&
		m.Commit == old.Commit {
		return nil
	}
	near, err := listMemories(ctx, tx, ` WHERE words IN (?, ?) AND valid_to IS NULL AND id != ? ORDER BY key LIMIT 100`,
		merge.Key(m.Content), merge.OldKey(m.Content), m.ID)
	for _, other := range near {
		if mayMerge(other, m) && other.Path == m.Path && other.Symbol == m.Symbol && other.Commit == m.Commit {
			return fmt.Errorf("%w: %q says the same: supersede %q by it instead", ErrInvalid, other.ID, m.ID)
		}
	}
	return err
}

func sameContent(a, b Memory) bool {
	return a.Type == b.Type && slices.Equal(a.Tags, b.Tags) && slices.Equal(a.Aliases, b.Aliases) &&
		a.Confidence == b.Confidence && a.Pinned == b.Pinned &&
		a.Source == b.Source && a.Session == b.Session && a.Commit == b.Commit && a.Path == b.Path &&
		a.Symbol == b.Symbol && a.Ground == b.Ground
}

// describeReplaced returns the former values of the fields that an edit replaced.
func describeReplaced(old, m Memory) string {
	var was []string
	add := func(name string, a, b any) {
		if fmt.Sprint(a) != fmt.Sprint(b) {
			was = append(was, fmt.Sprintf("%s was %q", name, fmt.Sprint(a)))
		}
	}
	add("content", old.Content, m.Content)
	add("type", old.Type, m.Type)
	add("tags", strings.Join(old.Tags, ","), strings.Join(m.Tags, ","))
	add("aliases", strings.Join(old.Aliases, ","), strings.Join(m.Aliases, ","))
	add("confidence", old.Confidence, m.Confidence)
	add("pinned", old.Pinned, m.Pinned)
	add("source", old.Source, m.Source)
	add("session", old.Session, m.Session)
	add("commit", old.Commit, m.Commit)
	add("path", old.Path, m.Path)
	add("symbol", old.Symbol, m.Symbol)
	add("ground", old.Ground, m.Ground)
	return strings.Join(was, "; ")
}

// Forget ends a memory. The memory and its history stay in the store.
func (s *Store) Forget(ctx context.Context, id string) (Memory, error) {
	return s.endMemory(ctx, id, "", "forgotten")
}

// Supersede ends a memory in favour of another, which must be current.
func (s *Store) Supersede(ctx context.Context, old, by string) (Memory, error) {
	return s.endMemory(ctx, old, by, "superseded")
}

func (s *Store) endMemory(ctx context.Context, id, by, action string) (m Memory, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		m, err = endMemory(ctx, tx, id, by, action, s.now())
		return err
	})
	return m, err
}

// endMemory ends a memory, in favour of another one unless by is empty.
func endMemory(ctx context.Context, tx *sql.Tx, id, by, action string, now time.Time) (Memory, error) {
	m, err := readMemory(ctx, tx, id)
	if err != nil {
		return m, err
	}
	if by != "" {
		successor, err := readMemory(ctx, tx, by)
		if err != nil {
			return m, err
		}
		if by = successor.ID; by == m.ID || !successor.Current() {
			return m, fmt.Errorf("%w: %q cannot supersede %q", ErrInvalid, by, m.ID)
		}
	}
	if !m.Current() && (by == "" || m.SupersededBy == by) {
		return m, nil
	}
	m.Ended, m.SupersededBy = now.UTC().Truncate(time.Second), by
	if err := rewriteMemory(ctx, tx, m); err != nil {
		return m, err
	}
	return m, noteEvent(ctx, tx, m.ID, now, action, by)
}

// Purge removes a memory and its history for good. Its bytes are overwritten in the database. The
// write-ahead log is emptied too, unless another process is reading it.
func (s *Store) Purge(ctx context.Context, id string) (m Memory, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		if m, err = readMemory(ctx, tx, id); err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, `PRAGMA secure_delete = ON`); err == nil {
			_, err = leaveLists(ctx, tx, m)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM memory WHERE id = ?`, m.ID)
		}
		return err
	})
	if err == nil {
		_, err = s.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	}
	return m, sqlite.Explain(err)
}
