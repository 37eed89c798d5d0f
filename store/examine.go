package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"patina/store/doc"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/sqlite"
)

// An Examination is a report on a store's folder, in whatever state it is. Examining writes
// nothing.
type Examination struct {
	Exists     bool
	ReadOnly   bool   // this process may not write there
	Bytes      int64  // all files in the folder
	Holder     string // the process scraping now, from the lock file; empty if none
	File       string // the published database; empty if unknown
	Format     int    // the Schema's version; 0 if unreadable
	Extractor  string // versions of tokenizer and parsers
	Model      string // empty without vectors
	Generation doc.Generation
	Documents  map[doc.Kind]int // visible documents by kind
	// Err is the reason why questions cannot be answered, or nil. It wraps ErrNoIndex, ErrNewer,
	// ErrOlder, ErrDamaged or another cause.
	Err error
}

// Format is the schema version that this program reads and writes.
const Format = format.Version

// Examine examines the store in dir, as questions about one view would. It always returns an
// Examination, whose Err has the problem.
func Examine(ctx context.Context, dir, view string, seal Seal) Examination {
	var x Examination
	in, err := folder.Open(dir, seal.Anyone)
	if err != nil {
		x.Exists = !errors.Is(err, fs.ErrNotExist)
		if x.Err = err; !x.Exists {
			x.Err = fmt.Errorf("open %s: %w", dir, ErrNoIndex)
		}
		return x
	}
	defer func() { _ = in.Close() }()
	x.Exists, x.ReadOnly, x.Holder = true, sqlite.Unwritable(dir), in.Holder()
	if x.Bytes, x.Err = in.Size(); x.Err != nil {
		return x
	}
	path, err := in.Database()
	if err != nil {
		x.Err = err
		return x
	}
	x.File = filepath.Base(path)
	if x.Err = x.readVersions(ctx, path); x.Err == nil {
		x.Err = x.readGeneration(ctx, dir, view, seal)
	}
	return x
}

// readVersions reads the fields common to every version.
func (x *Examination) readVersions(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("open %s: %w", path, doc.DamagedBy(err))
	}
	err := sqlite.AsReader(path, &format.Schema, func(o sqlite.Options) error {
		db := sqlite.Open(path, o)
		defer func() { _ = db.Close() }()
		const query = `SELECT CAST(f.value AS INTEGER), e.value FROM meta f, meta e WHERE f.key = 'format'
			AND e.key = 'extractor'`
		row := db.QueryRowContext(ctx, query)
		return Damaged(row.Scan(&x.Format, &x.Extractor))
	})
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	return nil
}

func (x *Examination) readGeneration(ctx context.Context, dir, view string, seal Seal) error {
	s, err := OpenSealed(dir, view, seal)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	p, err := s.Pin(ctx, 1)
	if err != nil {
		return err
	}
	defer p.Close()
	x.Generation = p.Readers[0].Generation()
	if x.Documents, err = p.Readers[0].Documents(ctx); err != nil {
		return err
	}
	if x.Model, err = p.Readers[0].Model(ctx); errors.Is(err, ErrNoVectors) {
		return nil
	}
	return err
}

// Documents counts the view's documents by kind.
func (r *Reader) Documents(ctx context.Context) (map[doc.Kind]int, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	counted := make(map[doc.Kind]map[int64]bool)
	for _, k := range doc.Kinds() {
		counted[k] = make(map[int64]bool)
	}
	for _, g := range snap.Segments {
		seen := counted[doc.Kind(g.Space)] // nil for commit subjects
		for from, to := range g.Visible() {
			for _, key := range g.Keys[from:to] {
				if seen != nil {
					seen[key] = true
				}
			}
		}
	}
	out := make(map[doc.Kind]int)
	for k, seen := range counted {
		out[k] = len(seen)
	}
	return out, nil
}
