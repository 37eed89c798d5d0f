package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"patina/store/vector"
)

// ErrNoVectors says that an index was made without an embedder.
var ErrNoVectors = errors.New("no vectors")

// vectorFile is the vector file of one database, mapped once for all its readers.
type vectorFile struct {
	mu    sync.Mutex
	file  *vector.File   // nil until the first reader needs it
	sound map[int64]bool // segments whose rows have been compared with their sum

	many    int64        // rows from which on a graph is looked for
	graph   *vectorGraph // nil until it is open
	tried   os.FileInfo  // of the graph that was opened last, or could not be
	opening bool
	closed  bool
	work    sync.WaitGroup // the opening of a graph
}

// openVectors opens the vector file of a database, which may have been open before. That there is none is damage: the database names it.
func openVectors(database string, before *vector.File) (f *vector.File, err error) {
	if before != nil {
		f, err = before.Again()
	} else {
		f, err = vector.Open(vectorsBeside(database))
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, joined{ErrDamaged, err}
	}
	return f, Damaged(err)
}

// vectorsBeside is the path of the vector file of the database at a path.
func vectorsBeside(database string) string {
	return filepath.Join(filepath.Dir(database), vectorsOf(filepath.Base(database)))
}

// held returns the vector file with at least so many rows; the caller releases it.
func (v *vectorFile) held(database string, rows int64) (*vector.File, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.file == nil || v.file.Rows() < rows { // it has grown
		f, err := openVectors(database, v.file)
		if err != nil {
			return nil, err
		}
		if v.file != nil {
			_ = v.file.Close() // those who hold it keep it
		}
		v.file = f
	}
	return v.file, Damaged(v.file.Hold(rows))
}

// isSound reports whether the rows of a segment have been compared with their sum by this process.
func (v *vectorFile) isSound(g *Segment) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.sound[g.Id]
}

// judge notes that a segment is sound, if sum is that of its rows as they were written.
func (v *vectorFile) judge(g *Segment, sum uint64) error {
	if !g.sum.Valid || int64(sum) != g.sum.Int64 {
		return fmt.Errorf("vectors of segment %d are not what was written: %w", g.Id, ErrDamaged)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sound == nil {
		v.sound = make(map[int64]bool)
	}
	v.sound[g.Id] = true
	return nil
}

// check compares the rows of a segment with their sum, unless this process has done so.
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

// dots multiplies all rows of a segment with q, and compares them with their sum on the way, the first time that this process sees them.
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

// compareVectors compares the rows of a segment with their sum.
func compareVectors(f *vector.File, g *Segment) error { return new(vectorFile).check(f, g) }

// close waits for a graph that is being opened.
func (v *vectorFile) close() {
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
		v.graph.close()
		v.graph = nil
	}
}

// Model names the model of the vectors. ErrNoVectors says that there are none.
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

// Table returns a copy of the table that the model was adapted to: what a question is embedded with. It is empty for a model
// that was not adapted.
func (r *Reader) Table(ctx context.Context) ([]byte, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	f, err := r.on.vectors.held(r.on.name, snap.rows)
	if err != nil {
		return nil, fmt.Errorf("read the table of the vectors: %w", err)
	}
	defer f.Release()
	if m := f.Header().Model; m != snap.Model {
		return nil, fmt.Errorf("read the table of the vectors: it is of model %q, not %q: %w", m, snap.Model, ErrDamaged)
	}
	return bytes.Clone(f.Header().Table), nil
}

// Calibration says what cosines mean in this generation.
func (r *Reader) Calibration(ctx context.Context) (Calibration, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return snap.random, nil
}
