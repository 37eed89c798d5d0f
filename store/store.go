// Package store reads the index of a scraped repository: posting lists, vectors, documents,
// history.
//
// One SQLite database holds everything but the vectors, which are in a file beside it. Package
// build writes both. A reader pins one generation and sees only that one, whatever is published
// meanwhile. DESIGN.md in this folder states crash safety, who may write, and what a reader sees.
//
// All SQL that reads the index is in this package and in the packages under code and belief that
// use a Reader. Package store/text handles words, and packages oracles and fusion rank.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"patina/store/doc"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/sqlite"
	"patina/store/vector"
)

// The faults in a store that callers distinguish.
var (
	// ErrNoIndex is folder.ErrNoIndex: a folder has no index, or the index no such view.
	ErrNoIndex = folder.ErrNoIndex
	// ErrNewer is returned if the index has a newer format.
	ErrNewer = errors.New("index was written by a newer patina")
	// ErrOlder is returned if the index has an older format or older parsers, and must be rebuilt.
	ErrOlder = errors.New("index was written by an older patina")
	// ErrDamaged is doc.ErrDamaged: stored bytes are not as written, and the index must be rebuilt.
	ErrDamaged = doc.ErrDamaged
	// ErrLocked is folder.ErrLocked: another process is writing.
	ErrLocked = folder.ErrLocked
	// ErrForeign is returned if the index has another seal than the user's.
	ErrForeign = errors.New("index was not made here")
)

// connections bounds one process's open read transactions on a store. A query takes one for each
// oracle.
const connections = 20

// A Seal proves to a user that an index was made here.
type Seal struct {
	Secret string // also in the index and the user's registry; empty accepts any index
	Anyone bool   // accept files of other users
}

// A Store is one repository's index, open for reading. It is safe for concurrent use.
type Store struct {
	dir    string
	view   string // the view it reads
	seal   Seal
	sem    *semaphore.Weighted
	mu     sync.Mutex
	folder *folder.Folder
	open   *database // the published one, as last seen
	last   doc.Generation
}

// A database is one index-N.db, open for one view. It closes once it is no longer published and its
// last pin has gone.
type database struct {
	name     string // the file's path
	info     os.FileInfo
	folder   *folder.Folder
	view     string
	db       *sql.DB
	pins     int  // guarded by Store.mu
	retired  bool // guarded by Store.mu
	known    atomic.Pointer[publishedState]
	snapshot atomic.Pointer[Snapshot]
	vectors  vectorFile
}

// Open opens the store in dir for the main working tree. It may fail with ErrNoIndex, ErrNewer,
// ErrOlder or ErrDamaged.
func Open(dir string) (*Store, error) { return OpenView(dir, MainView) }

// OpenView opens the store in dir for one working tree. It also returns ErrNoIndex if the store has
// no such view.
func OpenView(dir, view string) (*Store, error) { return OpenSealed(dir, view, Seal{}) }

// OpenSealed is OpenView for an index with a seal. It returns ErrForeign if the seal differs.
func OpenSealed(dir, view string, seal Seal) (*Store, error) {
	s := &Store{dir: dir, view: view, seal: seal, sem: semaphore.NewWeighted(connections)}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.refresh()
	if err == nil {
		if s.last, err = readGeneration(context.Background(), s.open.db, view); err != nil {
			err = fmt.Errorf("open %s: %w", dir, Damaged(err))
		}
	}
	if err != nil {
		return nil, errors.Join(err, s.closeFolder())
	}
	return s, nil
}

// Close closes the store. Open pins keep their connections until they close.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeFolder()
}

// closeFolder closes the folder and retires the database. The caller holds mu.
func (s *Store) closeFolder() (err error) {
	if s.folder != nil {
		err = s.folder.Close()
		s.folder = nil
	}
	if s.open != nil {
		err = errors.Join(err, s.open.retire())
		s.open = nil
	}
	return err
}

func (d *database) retire() error {
	d.retired = true
	if d.pins == 0 {
		return d.closeDatabase()
	}
	return nil
}

func (d *database) closeDatabase() error {
	d.vectors.closeFile()
	return d.db.Close()
}

// refresh opens the published database unless it is open already. The caller holds mu.
func (s *Store) refresh() error {
	var last error
	// A scrape may publish and remove the old database between looking and opening.
	for range 3 {
		if err := s.openFolder(); err != nil {
			return err
		}
		path, err := s.folder.Database()
		if err != nil {
			return err
		}
		if s.open != nil && s.open.name == path && s.open.folder == s.folder && !s.open.replaced() {
			return nil
		}
		d, err := s.openPublished(path)
		if err != nil && isRemoved(path) {
			last = err
			continue
		}
		if err != nil {
			return err
		}
		if s.open != nil {
			_ = s.open.retire()
		}
		s.open = d
		return nil
	}
	return fmt.Errorf("open %s: the published database is gone (%v): %w", s.dir, last, ErrDamaged)
}

// openFolder opens the folder, and opens it again if its name now means another folder.
func (s *Store) openFolder() error {
	if s.folder != nil {
		if !s.folder.IsMoved() {
			return nil
		}
		_ = s.folder.Close()
		s.folder = nil
	}
	f, err := folder.Open(s.dir, s.seal.Anyone)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("open %s: %w", s.dir, ErrNoIndex)
	}
	s.folder = f
	return err
}

// openPublished opens a database, if the folder is safe and the seal fits.
func (s *Store) openPublished(path string) (*database, error) {
	if err := s.folder.Check(); err != nil {
		return nil, err
	}
	d, err := openDatabase(path, s.view)
	if err != nil {
		return nil, err
	}
	d.folder = s.folder
	if err := s.seal.Check(d.db); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), d.closeDatabase())
	}
	return d, nil
}

// Check compares the seal with the database's. It returns ErrForeign if they differ. A seal without
// a secret matches every index.
func (s Seal) Check(db sqlite.Querier) error {
	if s.Secret == "" {
		return nil
	}
	secret, err := sealOf(db)
	if err == nil && secret != s.Secret {
		err = ErrForeign
	}
	return err
}

// SecretOf returns the seal's secret in a folder's published index.
func SecretOf(f *folder.Folder) (string, error) {
	path, err := f.Database()
	if err != nil {
		return "", err
	}
	db, err := openVerified(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }()
	return sealOf(db)
}

func sealOf(db sqlite.Querier) (secret string, err error) {
	err = db.QueryRowContext(context.Background(), `SELECT value FROM meta WHERE key = 'seal'`).Scan(&secret)
	return secret, Damaged(err)
}

// isRemoved reports whether a scrape has removed a replaced database. Open files stay usable, but
// cannot be opened again.
func isRemoved(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, os.ErrNotExist)
}

// replaced reports whether the database's name now means another file than the open one: a folder
// that was emptied and filled anew has files of the same names. One that is being emptied has not.
func (d *database) replaced() bool {
	info, err := os.Stat(d.name)
	return err == nil && !os.SameFile(info, d.info)
}

func openDatabase(path, view string) (*database, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	d := &database{name: path, info: info, view: view, vectors: vectorFile{many: ManyVectors, signed: manySigned}}
	var group errgroup.Group
	// Map the vectors now, while they are there. Missing or damaged ones are reported on first use.
	group.Go(func() error {
		f, err := d.vectors.holdRows(path, 0)
		if err == nil {
			f.Release()
		} else if isRemoved(path) {
			return err
		}
		return nil
	})
	group.Go(func() (err error) {
		d.db, err = openVerified(path)
		return err
	})
	if err := group.Wait(); err != nil {
		d.vectors.closeFile()
		if d.db != nil {
			err = errors.Join(err, d.db.Close())
		}
		return nil, err
	}
	return d, nil
}

// openVerified opens the database file alone.
func openVerified(path string) (*sql.DB, error) {
	var db *sql.DB
	err := sqlite.AsReader(path, &format.Schema, func(o sqlite.Options) (err error) {
		db, err = openWith(path, o)
		return err
	})
	if err == nil {
		if err = format.VerifyDatabase(path, db); err != nil {
			_ = db.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return db, nil
}

// openWith opens a pool and tries it.
func openWith(path string, o sqlite.Options) (*sql.DB, error) {
	db := sqlite.Open(path, o)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	if err := CheckFormat(db); err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}

// CheckFormat returns ErrNewer or ErrOlder if an index is of another format than this program's.
func CheckFormat(db sqlite.Querier) error {
	var v int
	err := db.QueryRowContext(context.Background(), format.SelectVersion).Scan(&v)
	switch {
	case err != nil:
		return Damaged(err)
	case v > format.Version:
		return ErrNewer
	case v < format.Version:
		return ErrOlder
	}
	return nil
}

// Damaged explains an error from SQLite: ErrDamaged for an unsound database, otherwise as
// sqlite.Explain does.
func Damaged(err error) error {
	err = sqlite.Explain(err)
	switch {
	case err == nil, errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, sqlite.ErrDamaged), errors.Is(err, vector.ErrDamaged):
		return doc.DamagedBy(err)
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("%w: a row that every index has is missing", ErrDamaged)
	}
	return err
}

// A Pin holds readers on one generation.
type Pin struct {
	Readers []*Reader
	store   *Store
	on      *database
	memo    *Memo // shared by its readers
}

// Pin begins n read transactions on the same generation. It waits for free connections until ctx is
// done.
func (s *Store) Pin(ctx context.Context, n int) (p *Pin, err error) {
	// A scrape may replace the database before all connections are open.
	for range 3 {
		var d *database
		if p, d, err = s.pin(ctx, n); err == nil || d == nil || !isRemoved(d.name) {
			break
		}
	}
	return p, err
}

// pin makes one attempt for Pin, and returns the database it used.
func (s *Store) pin(ctx context.Context, n int) (*Pin, *database, error) {
	if err := s.sem.Acquire(ctx, int64(n)); err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	err := s.refresh()
	d := s.open
	if err == nil {
		d.pins++
	}
	s.mu.Unlock()
	if err != nil {
		s.sem.Release(int64(n))
		return nil, nil, err
	}
	p := &Pin{store: s, on: d, memo: &Memo{}}
	if err := p.beginReaders(ctx, n); err != nil {
		s.sem.Release(int64(n - len(p.Readers)))
		p.Close()
		return nil, d, fmt.Errorf("read %s: %w", s.dir, Damaged(err))
	}
	if err := p.agree(ctx); err != nil {
		p.Close()
		return nil, d, fmt.Errorf("read %s: %w", s.dir, Damaged(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = p.Readers[0].Generation()
	return p, d, nil
}

// Last returns the generation that was last read.
func (s *Store) Last() doc.Generation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// beginReaders begins n transactions: one after the other if there are enough idle connections,
// otherwise concurrently, because opening one takes almost a millisecond. Readers holds every
// transaction that began, even after an error.
func (p *Pin) beginReaders(ctx context.Context, n int) error {
	begun := make([]*Reader, n)
	var group errgroup.Group
	if p.on.db.Stats().Idle >= n {
		group.SetLimit(1)
	}
	for i := range begun {
		group.Go(func() (err error) {
			begun[i], err = p.on.beginReader(ctx, p.memo)
			return err
		})
	}
	err := group.Wait()
	p.Readers = slices.DeleteFunc(begun, func(r *Reader) bool { return r == nil })
	return err
}

// agree restarts older transactions until all see one generation.
func (p *Pin) agree(ctx context.Context) error {
	for range 3 {
		newest := int64(0)
		for _, r := range p.Readers {
			newest = max(newest, r.sees.generation.Number)
		}
		same := true
		for i, r := range p.Readers {
			if r.sees.generation.Number == newest {
				continue
			}
			same = false
			r.session.End()
			fresh, err := p.on.beginReader(ctx, p.memo)
			if err != nil {
				p.Readers = append(p.Readers[:i], p.Readers[i+1:]...)
				p.store.sem.Release(1)
				return err
			}
			p.Readers[i] = fresh
		}
		if same {
			return nil
		}
	}
	return errors.New("the index changed faster than it could be read")
}

// Close ends the transactions.
func (p *Pin) Close() {
	for _, r := range p.Readers {
		r.session.End()
	}
	p.store.sem.Release(int64(len(p.Readers)))
	p.Readers = nil
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	p.on.pins--
	if p.on.retired && p.on.pins == 0 {
		_ = p.on.closeDatabase()
	}
}

// A Reader answers from one generation. It is used by one goroutine at a time.
type Reader struct {
	on       *database
	session  *sqlite.Session
	sees     *publishedState
	snapshot *Snapshot // nil until needed
	Memo     *Memo     // its pin's
}

func (d *database) beginReader(ctx context.Context, m *Memo) (*Reader, error) {
	s, err := sqlite.Begin(ctx, d.db)
	if err != nil {
		return nil, err
	}
	r := &Reader{on: d, session: s, Memo: m}
	if r.sees, err = d.published(ctx, s); err != nil {
		s.End()
		return nil, err
	}
	return r, nil
}

// Generation returns the published state the reader sees.
func (r *Reader) Generation() doc.Generation { return r.sees.generation }

// conn returns the session's connection, for rare queries.
func (r *Reader) conn() *sql.Conn { return r.session.Conn() }

// Query runs a query in the reader's transaction.
func (r *Reader) Query(ctx context.Context, query string, args ...any) (*sqlite.Rows, error) {
	return r.session.Query(ctx, query, args...)
}

// QueryRow runs a query for one row in the reader's transaction.
func (r *Reader) QueryRow(ctx context.Context, query string, args ...any) *sqlite.Row {
	return r.session.QueryRow(ctx, query, args...)
}
