package memory

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"patina/internal/safeio"
	"patina/memory/persona"
	"patina/oracles/embed"
	"patina/store/doc"
	"patina/store/sqlite"
	"patina/store/text"
)

// waitForOther is how long a materialization waits for another process that materializes.
const waitForOther = 2 * time.Second

// A Summary is the result of a materialization.
type Summary struct {
	Notes   int  // current ones
	Events  int  // that could be read
	Read    int  // events that the store did not have before
	Faults  int  // places that could not be read, or only with a correction
	Rebuilt bool // made from scratch: the store was missing or damaged
	// Unembedded says why notes have no vector of the chosen model. They are found by their words.
	Unembedded error
}

// NoteModel returns the model for a user's notes unless another one is chosen. It is the built-in
// one, because a model fitted to a project would need new vectors in each project.
func NoteModel() doc.BatchEmbedder { return doc.Batched(embed.Base()) }

// Materialize updates the store from the log. It reads only files that have changed, unless full is
// set or the store is damaged. The old store stays in place until the new one is complete, so an
// interrupted process leaves both the log and the old store unchanged.
func (u UserNotes) Materialize(ctx context.Context, full bool) (Summary, error) {
	s, err := u.materialize(ctx, full)
	if err != nil {
		return s, fmt.Errorf("materialize notes: %w", err)
	}
	return s, nil
}

// Embed makes missing vectors by the Model, at most Most. The error wraps ErrModel if the model
// fails.
func (u UserNotes) Embed(ctx context.Context) error {
	done := false
	_, err := u.Read(ctx, func(s *Store) (err error) {
		done, err = s.embedded(ctx, u.Model)
		return err
	})
	if done || err != nil {
		return err
	}
	s, err := u.Materialize(ctx, false)
	return errors.Join(err, s.Unembedded)
}

func (u UserNotes) materialize(ctx context.Context, full bool) (s Summary, err error) {
	if err := os.MkdirAll(u.derived(), 0o700); err != nil {
		return s, err
	}
	lock, err := os.OpenFile(filepath.Join(u.derived(), "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := safeio.Lock(ctx, lock, waitForOther); err != nil {
		return s, err
	}
	u.sweep()
	if !full {
		s, err = u.replace(ctx, true)
	}
	if full || errors.Is(err, sqlite.ErrDamaged) || errors.Is(err, os.ErrNotExist) {
		s, err = u.replace(ctx, false)
		s.Rebuilt = true
	}
	return s, err
}

// unfinished matches the stores left by killed processes. The caller must hold the lock, so that no
// process works on one.
const unfinished = "new-*.db*"

func (u UserNotes) sweep() {
	left, _ := filepath.Glob(filepath.Join(u.derived(), unfinished))
	for _, name := range left {
		_ = os.Remove(name)
	}
}

// replace makes a new store beside the old one, and puts it in its place. If continued is set, it
// starts with a copy of the old one.
func (u UserNotes) replace(ctx context.Context, continued bool) (s Summary, err error) {
	f, err := os.CreateTemp(u.derived(), unfinished[:len(unfinished)-1])
	if err != nil {
		return s, err
	}
	name := f.Name()
	defer func() { _ = os.Remove(name) }() // renamed if there was no error
	if continued {
		err = copyTo(f, u.Database())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return s, err
	}
	if s, err = u.fill(ctx, name, continued); err != nil {
		return s, err
	}
	if err := syncFile(name); err != nil {
		return s, err
	}
	if err := os.Rename(name, u.Database()); err != nil {
		return s, err
	}
	return s, syncFile(u.derived())
}

func copyTo(to io.Writer, name string) error {
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, from.Close())
}

// syncFile syncs a file or a folder, so that it survives a power loss.
func syncFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) { // not supported by the file system
		err = nil
	}
	return errors.Join(err, f.Close())
}

// fill updates the store in a file from the log.
func (u UserNotes) fill(ctx context.Context, name string, continued bool) (s Summary, err error) {
	db := sqlite.Open(name, sqlite.Fresh())
	defer func() { err = errors.Join(sqlite.Explain(err), db.Close()) }()
	db.SetMaxOpenConns(1)
	if continued {
		err = checkUserStore(ctx, db)
	} else {
		err = makeUserTables(ctx, db)
	}
	if err == nil {
		_, err = db.ExecContext(ctx, `PRAGMA foreign_keys = ON`)
	}
	if err != nil {
		return s, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return s, err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	w := &logSync{notes: u, ctx: ctx, tx: tx}
	if s, err = w.sync(); err != nil {
		return s, err
	}
	return s, tx.Commit()
}

// makeUserTables creates the tables of an empty store: those of every store, and those of the log.
func makeUserTables(ctx context.Context, db *sql.DB) error {
	if err := sqlite.Migrate(ctx, db, migrations); err != nil {
		return err
	}
	tables, err := schemas.ReadFile("schema/log.sql")
	if err == nil {
		_, err = db.ExecContext(ctx, string(tables)+fmt.Sprintf("PRAGMA user_version = %d;", userVersion))
	}
	return err
}

// A logSync is one materialization in its transaction.
type logSync struct {
	notes UserNotes
	ctx   context.Context
	tx    *sql.Tx
}

func (w *logSync) exec(query string, args ...any) error {
	_, err := w.tx.ExecContext(w.ctx, query, args...)
	return err
}

// An entry is an event of the log with its stored memory.
type entry struct {
	persona.Record
	key  int64 // 0: not stored yet
	kept Memory
}

func (w *logSync) sync() (s Summary, err error) {
	all, gone, faults, err := w.entries()
	if err != nil {
		return s, err
	}
	records := make([]persona.Record, len(all))
	for i, e := range all {
		if records[i] = e.Record; e.key == 0 {
			s.Read++
		}
	}
	states, odd := persona.Resolve(records)
	if err := w.write(all, gone, states); err != nil {
		return s, err
	}
	if err := w.embed(); errors.Is(err, ErrModel) {
		s.Unembedded = err
	} else if err != nil {
		return s, err
	}
	if err := w.exec(`INSERT OR REPLACE INTO made VALUES(1, ?)`, time.Now().Unix()); err != nil {
		return s, err
	}
	s.Events, s.Faults = len(all), faults+len(odd)
	return s, w.tx.QueryRowContext(w.ctx, `SELECT count(*) FROM memory WHERE valid_to IS NULL`).Scan(&s.Notes)
}

// embed makes the missing vectors. An error that wraps ErrModel leaves a store that can be used.
func (w *logSync) embed() error {
	model := w.notes.Model
	if model == nil {
		model = NoteModel()
		others, err := readIntegers(w.ctx, w.tx, `SELECT count(*) FROM model WHERE name <> ?`, model.Model())
		if err != nil || len(others) == 1 && others[0] > 0 {
			return err
		}
	}
	most := cmp.Or(w.notes.Most, embedBatch)
	for {
		found, err := readUnembedded(w.ctx, w.tx, model, most)
		if err != nil {
			return err
		}
		vectors, failed := vectorsOf(w.ctx, model, found.memories)
		if failed != nil { // a new store must name a model all the same
			named, err := readIntegers(w.ctx, w.tx, `SELECT count(*) FROM model`)
			if err == nil && len(named) == 1 && named[0] == 0 {
				err = putVectors(w.ctx, w.tx, model, unembedded{}, nil)
			}
			return errors.Join(err, failed)
		}
		err = putVectors(w.ctx, w.tx, model, found, vectors)
		if err != nil || len(found.keys) < most || w.notes.Most > 0 {
			return err
		}
	}
}

// entries returns the events of the log in order, and the stored events that the log no longer has.
// It reads only files that have changed. If a file cannot be read, its stored events stay. faults
// counts the faulty places.
func (w *logSync) entries() (all, gone []entry, faults int, err error) {
	files, lost, err := w.notes.Files()
	if err != nil {
		return nil, nil, 0, err
	}
	known, err := readLogFiles(w.ctx, w.tx)
	if err != nil {
		return nil, nil, 0, err
	}
	had, err := w.keptEntries()
	if err != nil {
		return nil, nil, 0, err
	}
	faults = len(lost)
	for _, f := range files {
		if err := w.ctx.Err(); err != nil {
			return nil, nil, 0, err
		}
		k, ok := known[f.Name]
		delete(known, f.Name)
		if !ok || k.File != f {
			records, wrong, err := w.notes.ReadFile(f.Name)
			if err != nil {
				faults++
				all = append(all, had[f.Name]...)
				delete(had, f.Name)
				continue
			}
			had[f.Name], gone = reuseEntries(had[f.Name], records, gone)
			k.faults = len(wrong)
			if err := w.exec(`INSERT OR REPLACE INTO logfile
				VALUES(?, ?, ?, ?, ?)`, f.Name, f.Size, f.ModTime, int64(f.Inode), k.faults); err != nil {
				return nil, nil, 0, err
			}
		}
		faults += k.faults
		all = append(all, had[f.Name]...)
		delete(had, f.Name)
	}
	for name := range known {
		if err := w.exec(`DELETE FROM logfile WHERE name = ?`, name); err != nil {
			return nil, nil, 0, err
		}
	}
	for _, entries := range had {
		gone = append(gone, entries...)
	}
	return all, gone, faults, nil
}

// reuseEntries returns entries for the records of a file, with their stored memories. Stored events
// that are not among the records are appended to gone.
func reuseEntries(had []entry, records []persona.Record, gone []entry) (now, goneNow []entry) {
	at := map[int]entry{}
	for _, e := range had {
		at[e.Line] = e
	}
	for _, r := range records {
		e := entry{Record: r}
		if old, ok := at[r.Line]; ok && sameRecord(old.Record, r) {
			e = old
			delete(at, r.Line)
		}
		now = append(now, e)
	}
	for _, e := range had {
		if _, ok := at[e.Line]; ok {
			gone = append(gone, e)
		}
	}
	return now, gone
}

// sameRecord reports whether two records have the same content. Times are compared in seconds, as
// they are stored.
func sameRecord(a, b persona.Record) bool {
	return a.ID == b.ID && a.Type == b.Type && a.Content == b.Content && a.Source == b.Source &&
		a.Project == b.Project &&
		a.Supersedes == b.Supersedes && a.Time.Unix() == b.Time.Unix() && slices.Equal(a.Domains, b.Domains)
}

// keptEntries returns the stored events, by file and in the order of their lines.
func (w *logSync) keptEntries() (map[string][]entry, error) {
	memories, err := listMemories(w.ctx, w.tx, inLog+` ORDER BY file, line`)
	if err != nil {
		return nil, err
	}
	rows, err := w.tx.QueryContext(w.ctx, `SELECT memory, file, line, event, domains, project, supersedes FROM logged
		ORDER BY file, line`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	all := map[string][]entry{}
	for i := 0; rows.Next(); i++ {
		var e entry
		var domains string
		if err := rows.Scan(&e.key, &e.File, &e.Line, &e.ID, &domains, &e.Project, &e.Supersedes); err != nil {
			return nil, err
		}
		if i == len(memories) {
			return nil, damageError("the log in the store of notes")
		}
		m := memories[i]
		e.kept, e.Type, e.Content, e.Source, e.Time, e.Domains = m, m.Type, m.Content, m.Source, m.Created,
			persona.Domains(domains)
		all[e.File] = append(all[e.File], e)
	}
	return all, rows.Err()
}

// write updates the memories to the states of the events. Memories whose event is gone or has a new
// name are removed first, so that names are unique at any time.
func (w *logSync) write(all, gone []entry, states []persona.State) error {
	times := map[string]time.Time{}
	for i, s := range states {
		if !s.Twin {
			times[s.Name] = all[i].Time
		}
	}
	want := make([]Memory, len(all))
	for i, e := range all {
		want[i] = userMemory(e.Record, states[i], times)
		if e.key != 0 && e.kept.ID != want[i].ID {
			gone = append(gone, e)
			all[i].key = 0
		}
	}
	for _, e := range gone {
		if err := w.remove(e); err != nil {
			return err
		}
	}
	for i, e := range all {
		if err := w.put(e, want[i], states[i].Twin); err != nil {
			return err
		}
	}
	return nil
}

// twinMark begins the id of the memory of a twin, because its name is taken. No name begins with
// it.
const twinMark = "="

// userMemory returns the memory of an event. A superseded one ends when the superseding event was
// written. times has the times of events by name.
func userMemory(r persona.Record, s persona.State, times map[string]time.Time) Memory {
	m := Memory{
		Scope: ScopeUser, ID: s.Name, Content: r.Content, Type: r.Type, Tags: slices.Sorted(slices.Values(r.Domains)),
		Confidence: 0.95,
		Source:     r.Source, Created: r.Time, SupersededBy: s.HiddenBy, Origin: User,
	}
	if s.Twin {
		m.ID = fmt.Sprintf("%s%s:%d", twinMark, r.File, r.Line)
	}
	if !s.IsShown(r) {
		m.Ended = r.Time
		if t, ok := times[s.HiddenBy]; ok {
			m.Ended = t
		}
	}
	return m
}

func (w *logSync) remove(e entry) error {
	if err := w.exec(`DELETE FROM stem WHERE rowid = ?`, e.key); err != nil {
		return err
	}
	return w.exec(`DELETE FROM memory WHERE key = ?`, e.key)
}

// put writes the memory of an event, if it has changed.
func (w *logSync) put(e entry, m Memory, twin bool) error {
	had := e.key != 0 && e.kept.Current()
	switch {
	case e.key == 0:
		var err error
		if e.key, err = insertMemory(w.ctx, w.tx, m); err != nil {
			return err
		}
		err = w.exec(`INSERT INTO logged
			VALUES(?, ?, ?, ?, ?, ?, ?, ?)`, e.key, e.File, e.Line, e.ID, strings.Join(e.Domains, ","), e.Project, e.Supersedes, twin)
		if err != nil {
			return err
		}
	case e.kept.SupersededBy != m.SupersededBy || e.kept.Ended.Unix() != m.Ended.Unix():
		if err := rewriteMemory(w.ctx, w.tx, m); err != nil {
			return err
		}
	}
	switch {
	case m.Current() && !had:
		return w.exec(`INSERT INTO stem(rowid, words) VALUES(?, ?)`, e.key, eventStems(e.Event))
	case !m.Current() && had:
		return w.exec(`DELETE FROM stem WHERE rowid = ?`, e.key)
	}
	return nil
}

// eventStems returns the words of an event and its domains, as indexed by FTS5.
func eventStems(e persona.Event) string {
	var b strings.Builder
	text.Runs(clipText(e.Content, MaxContent)+" "+strings.Join(e.Domains, " "), func(run string) {
		text.Words(run, func(stem string) {
			b.WriteString(stem)
			b.WriteByte(' ')
		})
	})
	return b.String()
}

// clipText returns at most n bytes of a text, in whole runes.
func clipText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
