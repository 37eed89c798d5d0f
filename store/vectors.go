package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"patina/store/doc"
	"patina/store/folder"
	"patina/store/vector"
)

// ErrNoVectors is returned if an index was made without an embedder.
var ErrNoVectors = errors.New("no vectors")

// vectorFile is a database's vector file, mapped once for all its readers.
type vectorFile struct {
	mu    sync.Mutex
	file  *vector.File   // nil until the first reader needs it
	sound map[int64]bool // segments already compared with their sum
	signs map[int64]*vector.Signs

	signed int64 // rows of a segment from which its signs are counted

	many    int64        // rows from which a graph is used
	graph   *vectorGraph // nil until open
	tried   os.FileInfo  // the last graph opened or tried
	opening bool
	closed  bool
	work    sync.WaitGroup // opening a graph
}

// OpenVectors opens a database's vector file, or maps it again if before is open. A missing file is
// damage: the database names it.
func OpenVectors(database string, before *vector.File) (f *vector.File, err error) {
	if before != nil {
		f, err = before.Again()
	} else {
		f, err = vector.Open(folder.VectorsOf(database))
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, doc.DamagedBy(err)
	}
	return f, Damaged(err)
}

// holdRows returns the vector file with at least the given number of rows. The caller releases it.
func (v *vectorFile) holdRows(database string, rows int64) (*vector.File, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.file == nil || v.file.Rows() < rows { // it has grown
		f, err := OpenVectors(database, v.file)
		if err != nil {
			return nil, err
		}
		if v.file != nil {
			_ = v.file.Close() // holders keep it
		}
		v.file = f
	}
	return v.file, Damaged(v.file.Hold(rows))
}

// isSound reports whether this process has compared the segment's rows with their sum.
func (v *vectorFile) isSound(g *Segment) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.sound[g.ID]
}

// judge compares a sum with the stored one and notes a sound segment.
func (v *vectorFile) judge(g *Segment, sum uint64) error {
	if !g.Sum.Valid || int64(sum) != g.Sum.Int64 {
		return fmt.Errorf("vectors of segment %d are not what was written: %w", g.ID, ErrDamaged)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sound == nil {
		v.sound = make(map[int64]bool)
	}
	v.sound[g.ID] = true
	return nil
}

// check compares a segment's rows with their sum, once a process.
func (v *vectorFile) check(f *vector.File, g *Segment) error {
	if v.isSound(g) {
		return nil
	}
	sum, err := f.Sum(g.Vectors, g.VectorRows())
	if err != nil {
		return Damaged(err)
	}
	return v.judge(g, sum)
}

// dots multiplies a segment's rows with q. The first time in this process, it also compares them
// with their sum.
func (v *vectorFile) dots(dst []int32, f *vector.File, g *Segment, q []int8) error {
	if v.isSound(g) {
		vector.Dots(dst, f.Slice(g.Vectors, int64(len(dst))), q)
		return nil
	}
	sum, err := f.DotsSum(dst, g.Vectors, q)
	if err != nil {
		return Damaged(err)
	}
	return v.judge(g, sum)
}

const (
	// manySigned is the number of rows in a segment from which counting signs pays: a scan of as
	// many is spread over processors.
	manySigned = 50_000
	// mostSigned is the number of segments whose signs are kept, 32 bytes a row of the built-in
	// model.
	mostSigned = 4
)

// nearestRows finds a segment's rows near q by their signs. done is false for small segments, and
// the first time in this process: a command that asks one question needs no signs.
func (v *vectorFile) nearestRows(
	found *vector.Found, f *vector.File, g *Segment, q []int8,
) (done bool) {
	if g.VectorRows() < v.signed || len(q) > vector.MaxSigned || !v.isSound(g) {
		return false
	}
	rows := f.Slice(g.Vectors, g.VectorRows())
	v.mu.Lock()
	s := v.signs[g.ID]
	v.mu.Unlock()
	if s == nil {
		s = vector.SignsOf(rows, len(q))
		v.mu.Lock()
		if v.signs == nil || len(v.signs) == mostSigned { // segments come and go
			v.signs = make(map[int64]*vector.Signs)
		}
		v.signs[g.ID] = s
		v.mu.Unlock()
	}
	s.Near(found, rows, q)
	return true
}

// CompareVectors compares a segment's rows with their sum.
func CompareVectors(f *vector.File, g *Segment) error { return new(vectorFile).check(f, g) }

// closeFile waits until a graph being opened is open.
func (v *vectorFile) closeFile() {
	v.mu.Lock()
	v.closed = true
	v.mu.Unlock()
	v.work.Wait()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.file != nil {
		_ = v.file.Close()
		v.file = nil
	}
	if v.graph != nil {
		v.graph.closeGraph()
		v.graph = nil
	}
}

// Model returns the name of the vectors' model. It returns ErrNoVectors if there are no vectors.
func (r *Reader) Model(ctx context.Context) (string, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return "", err
	}
	if snap.Model == "" {
		return "", ErrNoVectors
	}
	return snap.Model, nil
}

// Table returns a copy of the model's adapted table, for embedding questions. It is empty for an
// unadapted model.
func (r *Reader) Table(ctx context.Context) ([]byte, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	f, err := r.on.vectors.holdRows(r.on.name, snap.VectorRows)
	if err != nil {
		return nil, fmt.Errorf("read the table of the vectors: %w", err)
	}
	defer f.Release()
	if m := f.Header().Model; m != snap.Model {
		return nil, fmt.Errorf("read the table of the vectors: it is of model %q, not %q: %w", m, snap.Model, ErrDamaged)
	}
	return bytes.Clone(f.Header().Table), nil
}

// Calibration returns the generation's scale for cosines.
func (r *Reader) Calibration(ctx context.Context) (doc.Calibration, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return snap.random, nil
}
