package persona

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/internal/safeio"
	"patina/oracles/embed"
	"patina/store/doc"
	"patina/store/sqlite"
	"patina/store/text"
)

// waitForOther is how long a materialization waits for another process that does the same.
const waitForOther = 2 * time.Second

// A Summary says what a materialization did.
type Summary struct {
	Notes   int  // that hold
	Events  int  // that could be read
	Read    int  // events read from the log this time
	Faults  int  // places that could not be taken as they stand
	Rebuilt bool // from nothing: there was no database, or a damaged one
}

// noteModel makes the vectors of notes. It is the built-in one, since a table fitted to a project
// would place all notes anew in each.
func noteModel() doc.Embedder { return embed.Base() }

// Materialize brings the database up to the log. It reads only what has been appended, unless full
// is set, the database is damaged or a file of the log was rewritten. The old database stays in its
// place until the new one is complete.
func (p Persona) Materialize(ctx context.Context, full bool) (Summary, error) {
	s, err := p.materialize(ctx, full)
	if err != nil {
		return s, fmt.Errorf("materialize notes: %w", err)
	}
	return s, nil
}

func (p Persona) materialize(ctx context.Context, full bool) (s Summary, err error) {
	if err := os.MkdirAll(p.derived(), folderMode); err != nil {
		return s, err
	}
	lock, err := os.OpenFile(filepath.Join(p.derived(), "lock"), os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := safeio.Lock(ctx, lock, waitForOther); err != nil {
		return s, err
	}
	p.sweep()
	if !full {
		s, err = p.replace(ctx, true)
	}
	if full || errors.Is(err, sqlite.ErrDamaged) || errors.Is(err, os.ErrNotExist) {
		s, err = p.replace(ctx, false)
		s.Rebuilt = true
	}
	return s, err
}

// unfinished matches the databases that a killed process has left. The lock is held: nobody works
// on one.
const unfinished = "new-*.db*"

func (p Persona) sweep() {
	left, _ := filepath.Glob(filepath.Join(p.derived(), unfinished))
	for _, name := range left {
		_ = os.Remove(name)
	}
}

// replace makes a new database beside the old one, from it if it is to be continued, and puts it
// into its place.
func (p Persona) replace(ctx context.Context, continued bool) (s Summary, err error) {
	f, err := os.CreateTemp(p.derived(), unfinished[:len(unfinished)-1])
	if err != nil {
		return s, err
	}
	name := f.Name()
	defer func() { _ = os.Remove(name) }() // it has another name where all went well
	if continued {
		err = copyTo(f, p.Database())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return s, err
	}
	if s, err = p.fill(ctx, name, continued); err != nil {
		return s, err
	}
	if err := syncFile(name); err != nil {
		return s, err
	}
	if err := os.Rename(name, p.Database()); err != nil {
		return s, err
	}
	return s, syncFolder(p.derived())
}

func copyTo(to io.Writer, name string) error {
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, from.Close())
}

// syncFile makes a file survive a power loss.
func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// fill brings the database in a file up to the log.
func (p Persona) fill(ctx context.Context, name string, continued bool) (s Summary, err error) {
	db := sqlite.Open(name, sqlite.Fresh())
	defer func() { err = errors.Join(sqlite.Explain(err), db.Close()) }()
	db.SetMaxOpenConns(1)
	if continued {
		err = checkSound(ctx, db)
	} else {
		_, err = db.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d;", version))
	}
	if err != nil {
		return s, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return s, err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	w := &writing{persona: p, ctx: ctx, tx: tx, model: noteModel()}
	if s, err = w.writeAll(); err != nil {
		return s, err
	}
	return s, tx.Commit()
}

// A writing is one materialization inside its transaction.
type writing struct {
	persona Persona
	ctx     context.Context
	tx      *sql.Tx
	model   doc.Embedder
	read    int
}

func (w *writing) exec(query string, args ...any) error {
	_, err := w.tx.ExecContext(w.ctx, query, args...)
	return err
}

func (w *writing) writeAll() (s Summary, err error) {
	files, lost, err := w.persona.files()
	if err != nil {
		return s, err
	}
	if err := w.forgetFiles(files); err != nil {
		return s, err
	}
	for _, f := range files {
		if err := w.readLogFile(f); err != nil {
			return s, err
		}
	}
	if err := w.compareEvents(lost); err != nil {
		return s, err
	}
	if err := w.embed(); err != nil {
		return s, err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	if err := w.exec(`INSERT OR REPLACE INTO meta(name, value) VALUES('made', ?), ('model', ?)`, now, w.model.Model()); err != nil {
		return s, err
	}
	const counts = `SELECT (SELECT count(*) FROM event WHERE holds), (SELECT count(*) FROM event), (SELECT count(*) FROM fault)`
	s.Read = w.read
	return s, w.tx.QueryRowContext(w.ctx, counts).Scan(&s.Notes, &s.Events, &s.Faults)
}

// forgetFiles removes the events from files that are gone.
func (w *writing) forgetFiles(files []logFile) error {
	known, err := readColumn(w.ctx, w.tx, `SELECT name FROM file`)
	if err != nil {
		return err
	}
	for _, name := range known {
		if !slices.ContainsFunc(files, func(f logFile) bool { return f.name == name }) {
			if err := w.drop(name, 0); err != nil {
				return err
			}
			if err := w.exec(`DELETE FROM file WHERE name = ?`, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// drop removes what came from a file's lines after the first few.
func (w *writing) drop(name string, lines int) error {
	for _, query := range []string{
		`DELETE FROM stem WHERE rowid IN (SELECT key FROM event WHERE file = ? AND line > ?)`,
		`DELETE FROM event WHERE file = ? AND line > ?`,
		`DELETE FROM fault WHERE file = ? AND line > ?`,
	} {
		if err := w.exec(query, name, lines); err != nil {
			return err
		}
	}
	return nil
}

// readLogFile reads what has been appended to a file, or all of it if it was rewritten.
func (w *writing) readLogFile(f logFile) error {
	old := struct {
		logFile
		read  int64
		lines int
		sum   []byte
	}{}
	row := w.tx.QueryRowContext(w.ctx, `SELECT size, mtime, inode, read, lines, sum FROM file WHERE name = ?`, f.name)
	err := row.Scan(&old.size, &old.modTime, &old.inode, &old.read, &old.lines, &old.sum)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	old.name = f.name
	if err == nil && old.logFile == f {
		return nil
	}
	in, err := w.persona.openLog(f.name)
	if err != nil {
		return w.unreadable(f, err)
	}
	defer func() { _ = in.Close() }()
	body, err := io.ReadAll(io.LimitReader(in, longestFile))
	if err != nil {
		return w.unreadable(f, err)
	}
	if old.read > int64(len(body)) || !bytes.Equal(old.sum, sumBytes(body[:old.read])) {
		old.read, old.lines = 0, 0
	}
	if err := w.drop(f.name, old.lines); err != nil {
		return err
	}
	got, err := readEvents(bytes.NewReader(body[old.read:]), f.name, old.lines)
	if err != nil {
		return err
	}
	if err := w.keepReading(got); err != nil {
		return err
	}
	whole := old.read + got.bytes
	return w.exec(`INSERT OR REPLACE INTO file(name, size, mtime, inode, read, lines, sum) VALUES(?, ?, ?, ?, ?, ?, ?)`,
		f.name, f.size, f.modTime, f.inode, whole, got.lines, sumBytes(body[:whole]))
}

func sumBytes(b []byte) []byte {
	sum := sha256.Sum256(b)
	return sum[:]
}

// unreadable notes a file that exists and cannot be read. What was read of it before stays.
func (w *writing) unreadable(f logFile, cause error) error {
	if err := w.exec(`DELETE FROM fault WHERE file = ? AND line = 0`, f.name); err != nil {
		return err
	}
	return w.fault(Fault{File: f.name, Reason: cause.Error(), Lost: true}, false)
}

func (w *writing) fault(f Fault, compared bool) error {
	return w.exec(`INSERT INTO fault(file, line, reason, lost, compared) VALUES(?, ?, ?, ?, ?)`, f.File, f.Line, f.Reason, f.Lost, compared)
}

// keepReading writes what a reading has found.
func (w *writing) keepReading(got reading) error {
	const query = `INSERT INTO event(file, line, id, type, content, source, domains, time, project, supersedes) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	for _, r := range got.records {
		err := w.exec(query, r.file, r.line, r.ID, r.Type, r.Content, r.Source, strings.Join(r.Domains, ","), r.Time.Unix(), r.Project, r.Supersedes)
		if err != nil {
			return err
		}
	}
	for _, f := range got.faults {
		if err := w.fault(f, false); err != nil {
			return err
		}
	}
	w.read += len(got.records)
	return nil
}

// compareEvents names all events and finds the ones that hold. It writes those that have changed.
func (w *writing) compareEvents(lost []Fault) error {
	if err := w.exec(`DELETE FROM fault WHERE compared`); err != nil {
		return err
	}
	keys, all, old, err := w.records()
	if err != nil {
		return err
	}
	states, faults := resolveRecords(all)
	for _, f := range append(lost, faults...) {
		if err := w.fault(f, true); err != nil {
			return err
		}
	}
	for i, s := range states {
		holds := s.isShown(all[i])
		if (compared{s.name, s.hiddenBy, holds}) == old[i] {
			continue
		}
		if err := w.exec(`UPDATE event SET name = ?, hidden = ?, holds = ? WHERE key = ?`, s.name, s.hiddenBy, holds, keys[i]); err != nil {
			return err
		}
		switch {
		case holds && !old[i].holds:
			err = w.exec(`INSERT INTO stem(rowid, words) VALUES(?, ?)`, keys[i], eventStems(all[i].Event))
		case !holds && old[i].holds:
			err = w.exec(`DELETE FROM stem WHERE rowid = ?`, keys[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compared is a state as it is stored.
type compared struct {
	name, hidden string
	holds        bool
}

// records reads all events in the order of the log.
func (w *writing) records() (keys []int64, all []record, old []compared, err error) {
	rows, err := w.tx.QueryContext(w.ctx, `SELECT key, file, line, id, content, domains, supersedes, name, hidden, holds FROM event ORDER BY file, line`)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		var r record
		var c compared
		var domains string
		if err := rows.Scan(&key, &r.file, &r.line, &r.ID, &r.Content, &domains, &r.Supersedes, &c.name, &c.hidden, &c.holds); err != nil {
			return nil, nil, nil, err
		}
		r.Domains = Domains(domains)
		keys, all, old = append(keys, key), append(all, r), append(old, c)
	}
	return keys, all, old, rows.Err()
}

// longestIndexed bounds the bytes of a note that are searched.
const longestIndexed = LongestNote

// eventStems are the words of an event as FTS5 reads them, with its domains.
func eventStems(e Event) string {
	var b strings.Builder
	text.Runs(clipText(e.Content, longestIndexed)+" "+strings.Join(e.Domains, " "), func(run string) {
		text.Words(run, func(stem string) {
			b.WriteString(stem)
			b.WriteByte(' ')
		})
	})
	return b.String()
}

// clipText returns at most n bytes of a text, whole runes only.
func clipText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// embed makes the vectors that are missing, or all if the model is another one.
func (w *writing) embed() error {
	var of string
	err := w.tx.QueryRowContext(w.ctx, `SELECT value FROM meta WHERE name = 'model'`).Scan(&of)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if of != w.model.Model() {
		if err := w.exec(`UPDATE event SET vector = NULL WHERE vector IS NOT NULL`); err != nil {
			return err
		}
	}
	missing, contents, err := w.unembedded()
	if err != nil {
		return err
	}
	row := make([]int8, w.model.Dimension())
	for i, key := range missing {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		w.model.Embed(row, w.model.Encode(nil, doc.Passage{Body: clipText(contents[i], longestIndexed)}))
		if err := w.exec(`UPDATE event SET vector = ? WHERE key = ?`, asBytes(row), key); err != nil {
			return err
		}
	}
	return nil
}

func (w *writing) unembedded() (keys []int64, contents []string, err error) {
	rows, err := w.tx.QueryContext(w.ctx, `SELECT key, content FROM event WHERE holds AND vector IS NULL`)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key int64
		var content string
		if err := rows.Scan(&key, &content); err != nil {
			return nil, nil, err
		}
		keys, contents = append(keys, key), append(contents, content)
	}
	return keys, contents, rows.Err()
}

func asBytes(row []int8) []byte {
	out := make([]byte, len(row))
	for i, x := range row {
		out[i] = byte(x)
	}
	return out
}

// readColumn reads a column of texts.
func readColumn(ctx context.Context, tx *sql.Tx, query string) (out []string, err error) {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}
