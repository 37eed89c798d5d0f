// Package build writes the index of a repository, one generation at a time.
//
// New begins a fresh database beside the published one, Update a transaction on it. A Writer takes
// files from Workers, and commits. Publish makes all of it visible at once. Before that, readers
// see the previous generation. Package store reads the index. Its DESIGN.md states what a crash may
// lose.
package build

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"patina/belief"
	"patina/store"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/sqlite"
	"patina/store/text"
)

// ErrRebuild is returned if an index answers but should be rebuilt, because it is mostly garbage,
// has outgrown its model, or needs other vectors. The error has the reason.
var ErrRebuild = errors.New("index is better rebuilt")

func rebuildError(why string) error { return fmt.Errorf("%w: %s", ErrRebuild, why) }

// Options describe a scrape to its writer.
type Options struct {
	Root      string // the working tree's root
	Extractor int    // the parsers' version: for another one, Update returns ErrOlder
	ProjectID string // the project's random name, kept with the index
	// Seal is kept with a fresh index. Updating an index with another seal gives ErrForeign.
	Seal    store.Seal
	Discard bool // Build first removes the published index, unread

	// View names the working tree, MainView for the main one. Views lists the trees that still
	// exist; the store forgets all others. If Views is nil, it keeps all.
	View  string
	Views []string

	// Embedder makes the vectors. If it is nil, there are none. A fresh index fits an Adapter to
	// its content. An update opens that table with Load, whose bytes are mapped from a file and
	// valid until the writer ends.
	Embedder doc.Embedder
	Load     func(table []byte) (doc.Adapter, error)
	// KeepModel keeps the index's model and mode of the Embedder, because nobody asked for a
	// rebuild.
	KeepModel bool
	// Identity returns the address by which the user commits, or "" if it is not known. It may be
	// nil.
	Identity func() string
	// Draft marks a fresh index as one that the next update builds anew. Its Embedder is Unfitted.
	Draft bool
}

// Version names the tokenizer and the parsers that fill an index.
func (o Options) Version() string { return fmt.Sprintf("%d.%d", text.Version, o.Extractor) }

// A Writer builds one generation, invisible before Publish. Abort, or the process's end, leaves the
// last generation as it was. Goroutines may call its methods concurrently, except Publish and
// Abort, which end it. After an error, every later call returns that error.
type Writer struct {
	segments

	before time.Time // when another writer last took the lock
	listed time.Time // see Listed
	out    bool      // fresh, but its words are published already
}

// A transaction is the one connection of a Writer, with its statements and its first error. What is
// in it is guarded by mu, but for the fields above mu, which never change.
type transaction struct {
	ctx   context.Context
	dir   string
	in    *folder.Folder
	name  string // the database file's name
	fresh bool
	o     Options
	lock  *os.File
	db    *sql.DB

	mu          sync.Mutex
	conn        *sql.Conn
	stmts       map[string]*sql.Stmt
	err         error
	changed     bool
	publication int64 // the previous one
	nextKey     int64
}

// The contents of an index are its files and commits, and the views that see them.
type contents struct {
	transaction
	last      doc.Generation // the previous one
	read      doc.HistoryState
	view      view
	members   doc.Bitmap // the view's
	others    []view
	othersSee doc.Bitmap         // the union of the others' members
	hidden    bool               // some view lost commits
	files     map[string]indexed // in a fresh index: files.go
	sorts     map[sort]int       // the view's files: the change since the last generation
	paths     map[string]int64   // path ids in the history; nil until needed
	repeated  repetition
}

// The segments of an index hold its posting lists. Workers collect them.
type segments struct {
	learning
	workers []*Worker
	history *Worker // for commits
}

type indexed struct {
	key int64
	doc.FileState
}

// New begins a fresh database beside the published one. It takes the store's lock, waiting a
// little for another scrape.
func New(ctx context.Context, dir string, o Options) (*Writer, error) {
	w, err := newWriter(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	w.fresh = true
	w.view = view{id: 1, name: o.View}
	if w.name, err = w.in.NextDatabase(); err != nil {
		return nil, w.give(err)
	}
	if o.Discard {
		w.in.Discard()
	} else {
		w.last.Number = store.LastNumber(ctx, w.in)
	}
	// SQLite would not say why it cannot make a file. It also gives its logs the database's mode.
	if err := w.in.Create(w.name); err != nil {
		return nil, w.give(err)
	}
	if err := w.connect(sqlite.Fresh()); err != nil {
		return nil, w.give(err)
	}
	for _, s := range []string{format.PageSize, "BEGIN", format.Tables, belief.Tables} {
		if _, err := w.conn.ExecContext(ctx, s); err != nil {
			return nil, w.give(err)
		}
	}
	for k, v := range map[string]string{"format": strconv.Itoa(format.Version), "extractor": o.Version(), "project": o.ProjectID, "embedder": o.EmbedderName(), "seal": o.Seal.Secret} {
		if err := w.exec(`INSERT INTO meta(key, value) VALUES(?, ?)`, k, v); err != nil {
			return nil, w.give(err)
		}
	}
	w.nextKey = 1
	w.changed, w.repeated.all = true, true
	return w, nil
}

// Update begins a transaction on the published database. ErrNoIndex, ErrOlder, ErrNewer, ErrDamaged
// and ErrRebuild say why a fresh one is needed instead.
func Update(ctx context.Context, dir string, o Options) (*Writer, error) {
	w, err := newWriter(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	path, err := w.in.Database()
	if err != nil {
		return nil, w.give(err)
	}
	w.name = filepath.Base(path)
	if err := w.connect(sqlite.Update(&format.Schema)); err != nil {
		return nil, w.give(fmt.Errorf("open %s: %w", path, store.Damaged(err)))
	}
	if err := store.CheckFormat(w.conn); err != nil {
		return nil, w.give(fmt.Errorf("update %s: %w", dir, err))
	}
	if err := o.Seal.Check(w.conn); err != nil {
		return nil, w.give(fmt.Errorf("update %s: %w", dir, err))
	}
	if err := w.verified(path); err != nil {
		return nil, w.give(err)
	}
	if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return nil, w.give(fmt.Errorf("update %s: %w", path, store.Damaged(err)))
	}
	if err := w.load(); err != nil {
		return nil, w.give(store.Damaged(err))
	}
	return w, nil
}

func newWriter(ctx context.Context, dir string, o Options) (*Writer, error) {
	in, err := folder.Make(dir, o.Seal.Anyone)
	if err != nil {
		return nil, err
	}
	l, before, err := in.Lock(ctx)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	w := &Writer{before: before}
	w.ctx, w.dir, w.in, w.o, w.lock = ctx, dir, in, o, l
	w.stmts, w.files, w.sorts = make(map[string]*sql.Stmt), make(map[string]indexed), make(map[sort]int)
	w.history = newWorker(w)
	return w, nil
}

func (w *transaction) connect(o sqlite.Options) (err error) {
	w.db = sqlite.Open(filepath.Join(w.dir, w.name), o)
	w.db.SetMaxOpenConns(1)
	w.conn, err = w.db.Conn(w.ctx)
	return err
}

// give aborts the writer and returns err.
func (w *Writer) give(err error) error {
	w.err = err
	w.Abort()
	return err
}

// load reads the published state an update needs.
func (w *Writer) load() error {
	var extractor string
	row := w.conn.QueryRowContext(w.ctx, `SELECT value FROM meta WHERE key = 'extractor'`)
	if err := row.Scan(&extractor); err != nil {
		return err
	}
	if extractor != w.o.Version() {
		return store.ErrOlder
	}
	row = w.conn.QueryRowContext(w.ctx, `SELECT number, next_key FROM generation`)
	if err := row.Scan(&w.last.Number, &w.nextKey); err != nil {
		return err
	}
	if w.nextKey < 1 || w.last.Number < 0 {
		return fmt.Errorf("generation %d, next key %d: %w", w.last.Number, w.nextKey, store.ErrDamaged)
	}
	if w.nextKey > doc.MaxKey/2 {
		return rebuildError("its keys are used up")
	}
	if err := w.enterView(); err != nil {
		return err
	}
	return w.worthUpdating()
}

// An index is rebuilt once more than half is garbage. Below smallIndex chunks, a rebuild gains
// nothing noticeable.
const smallIndex = 2000

func (w *Writer) worthUpdating() error {
	snap, err := store.SnapshotOf(w.ctx, w.conn, w.seenByAny())
	if err != nil {
		return err
	}
	if err := w.loadVectors(snap); err != nil {
		return err
	}
	fitted := snap // the same with one view
	if len(w.others) > 0 {
		if fitted, err = store.SnapshotOf(w.ctx, w.conn, w.firstView()); err != nil {
			return err
		}
	}
	return w.outworn(snap, fitted)
}

// Outworn returns an error wrapping ErrRebuild if the next scrape would rebuild the present index.
func (w *Writer) Outworn() error {
	return w.do(func() error {
		snap, err := store.SnapshotOf(w.ctx, w.conn, w.seenByAny())
		if err != nil {
			return err
		}
		return w.outworn(snap, snap)
	})
}

// outworn is worthUpdating without the checks on how the index was published. seen has all views'
// members, fitted those for which the model was made.
func (w *transaction) outworn(seen, fitted *store.Snapshot) error {
	all := 0
	for _, g := range seen.Segments {
		if g.Space != store.Subjects {
			all += int(g.Chunks)
		}
	}
	var adapted sql.NullInt64
	const query = `SELECT (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'adapted_at')`
	if err := w.conn.QueryRowContext(w.ctx, query).Scan(&adapted); err != nil {
		return err
	}
	switch {
	case all > smallIndex && all > 2*seen.Chunks:
		return rebuildError("more of it is garbage than alive")
	case w.drifted(fitted, adapted.Int64):
		return rebuildError("half of it is newer than the model of its vectors")
	}
	return nil
}

// exec runs one statement, prepared once. The caller holds mu, or is alone.
func (w *transaction) exec(query string, values ...any) error {
	st, err := w.prepared(query)
	if err != nil {
		return err
	}
	// Without a cancellable context the driver starts no goroutine for each statement. Calls
	// through do check ctx.
	_, err = st.Exec(values...)
	return err
}

// A rowsInsert inserts up to mostRows rows with one statement. A statement a row costs twice the
// time, most of it on the way to SQLite.
type rowsInsert struct {
	columns    int
	statements [mostRows]string // by the number of rows, from one
}

const mostRows = 16

var (
	symbolRows = rowsOf(3, `INSERT INTO symbol(name, file, ordinal) VALUES`)
	importRows = rowsOf(2, `INSERT OR IGNORE INTO import(target, file) VALUES`)
)

// rowsOf makes a rowsInsert of a statement without its rows.
func rowsOf(columns int, statement string) rowsInsert {
	r := rowsInsert{columns: columns}
	row := "(?" + strings.Repeat(", ?", columns-1) + ")"
	for i := range r.statements {
		r.statements[i] = statement + row + strings.Repeat(", "+row, i)
	}
	return r
}

// insertRows inserts rows, whose values follow each other.
func (w *contents) insertRows(r *rowsInsert, values []any) error {
	for len(values) > 0 {
		n := min(len(values)/r.columns, mostRows)
		if err := w.exec(r.statements[n-1], values[:n*r.columns]...); err != nil {
			return err
		}
		values = values[n*r.columns:]
	}
	return nil
}

// query is exec for statements with rows.
func (w *transaction) query(query string, values ...any) (*sql.Rows, error) {
	st, err := w.prepared(query)
	if err != nil {
		return nil, err
	}
	return st.Query(values...)
}

func (w *transaction) prepared(query string) (*sql.Stmt, error) {
	st := w.stmts[query]
	if st == nil {
		var err error
		if st, err = w.conn.PrepareContext(context.Background(), query); err != nil {
			return nil, err
		}
		w.stmts[query] = st
	}
	return st, nil
}

// do runs f with the connection unless the writer has failed or its context is done.
func (w *transaction) do(f func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err == nil {
		if err := f(); err != nil {
			w.err = fmt.Errorf("write %s: %w", filepath.Join(w.dir, w.name), store.Damaged(err))
		}
	}
	return w.err
}

// Before returns when another writer last took the store's lock, by its files' clock, or the zero
// time.
func (w *Writer) Before() time.Time { return w.before }

// Listed records when the whole tree was listed for the generation. The zero time changes nothing.
func (w *Writer) Listed(at time.Time) { w.listed = at }

// LastListed returns when the view's tree was last listed completely, or the zero time.
func (w *Writer) LastListed() (at time.Time, err error) {
	return at, w.do(func() error {
		var nanos int64
		err := w.conn.QueryRowContext(context.Background(), format.SelectListed, format.ListedKey+w.view.name).
			Scan(&nanos)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		at = time.Unix(0, nanos)
		return err
	})
}

// Last returns the previous generation.
func (w *Writer) Last() doc.Generation { return w.last }

// Touch records a new stat for a file with the same content.
func (w *Writer) Touch(path string, s doc.Stat) error {
	return w.do(func() error {
		x, held, err := w.fileAt(path)
		if !held || err != nil {
			return err
		}
		x.Stat = s
		return w.noteFile(path, x.key, x.FileState)
	})
}

// Remove takes a file out of the generation.
func (w *Writer) Remove(path string) error { return w.do(func() error { return w.remove(path) }) }

func (w *contents) remove(path string) error {
	x, held, err := w.fileAt(path)
	if !held || err != nil {
		return err
	}
	delete(w.files, path)
	w.changed = true
	if err := w.touchFile(x.key); err != nil {
		return err
	}
	f, err := w.fileParts(x.key)
	if err != nil {
		return err
	}
	for k := x.key; k <= x.key+f.sections(); k++ {
		w.members.Clear(k)
	}
	w.sorts[f.sort]--
	const statement = `DELETE FROM seen WHERE view = ? AND key = ?`
	if err := w.exec(statement, w.view.id, x.key); err != nil || w.othersSee.Has(x.key) {
		return err
	}
	return w.erase(x.key, f)
}

// erase deletes a file's rows, once no view sees it.
func (w *contents) erase(key int64, f fileParts) error {
	if f.kind == doc.Code {
		for i, e := range f.entries {
			const statement = `DELETE FROM symbol WHERE name = ? AND file = ? AND ordinal = ?`
			if err := w.exec(statement, doc.SymbolName(e), key, i); err != nil {
				return err
			}
		}
	}
	for _, t := range f.imports {
		if err := w.exec(`DELETE FROM import WHERE target = ? AND file = ?`, t, key); err != nil {
			return err
		}
	}
	// An old decision has sections.
	if t := f.kind.Traits(); t.Named != "" || t.Shape == doc.OfSections {
		if err := belief.Erase(w.exec, key); err != nil {
			return err
		}
	}
	return errors.Join(w.exec(`DELETE FROM message WHERE file = ?`, key),
		w.exec(`DELETE FROM shingle WHERE file = ?`, key), w.exec(`DELETE FROM body WHERE key = ?`, key),
		w.exec(`DELETE FROM file WHERE key = ?`, key))
}

// Abort discards the generation. It does nothing after Publish.
func (w *Writer) Abort() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lock == nil {
		return
	}
	w.fitting.wait()
	if w.conn != nil && (!w.fresh || w.out) {
		_, _ = w.conn.ExecContext(context.Background(), "ROLLBACK")
	}
	w.close()
	if w.fresh && w.name != "" {
		if !w.out {
			_ = w.in.Remove(w.name)
		}
		_ = w.in.Remove(folder.VectorsOf(w.name))
	}
	w.unlock()
}

func (w *Writer) close() {
	for _, s := range w.stmts {
		_ = s.Close()
	}
	if w.conn != nil {
		_ = w.conn.Close()
	}
	if w.db != nil {
		_ = w.db.Close()
	}
	if w.vectors != nil {
		_ = w.vectors.Close()
		w.vectors = nil
	}
	w.returnTable()
	w.forgetVectors()
	sqlite.TrimHeaps()
}

func (w *transaction) unlock() {
	_ = w.lock.Close()
	_ = w.in.Close()
	w.lock = nil
	if w.err == nil {
		w.err = errors.New("the writer has ended")
	}
}

// verified verifies the database before an update, which would carry damage on. It notes the
// publication.
func (w *transaction) verified(path string) error {
	w.publication = format.LastPublication(w.conn)
	return format.VerifyDatabase(path, w.conn)
}
