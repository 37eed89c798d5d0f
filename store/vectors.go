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
	trust bool           // the file was verified lately and has not been written since: nothing is compared

	many    int64        // rows from which on a graph is looked for
	graph   *vectorGraph // nil until it is open
	tried   os.FileInfo  // of the graph that was opened last, or could not be
	opening bool
	closed  bool
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
	return f, damaged(err)
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
		v.file, v.trust = f, trusted(vectorsBeside(database))
	}
	return v.file, damaged(v.file.Hold(rows))
}

// note remembers on the disk that all vectors were compared with their sums, so that the next process need not.
func (v *vectorFile) note(database string, snap *snapshot) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.trust {
		return
	}
	for _, g := range snap.segments {
		if g.vectors >= 0 && !v.sound[g.id] {
			return
		}
	}
	v.trust = true
	stamp(vectorsBeside(database))
}

// check compares the rows of a segment with their sum, the first time that this process sees it.
func (v *vectorFile) check(f *vector.File, g *segment) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.trust || v.sound[g.id] {
		return nil
	}
	if int64(f.Sum(g.vectors, g.vectorRows())) != g.sum.Int64 {
		return fmt.Errorf("vectors of segment %d are not what was written: %w", g.id, ErrDamaged)
	}
	if v.sound == nil {
		v.sound = make(map[int64]bool)
	}
	v.sound[g.id] = true
	return nil
}

func (v *vectorFile) close() {
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
	v.closed = true
}

// Model names the model of the vectors. ErrNoVectors says that there are none.
func (r *Reader) Model(ctx context.Context) (string, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return "", err
	}
	if snap.model == "" {
		return "", ErrNoVectors
	}
	return snap.model, nil
}

// Table returns a copy of the table that the model was adapted to: what a question is embedded with. It is empty for a model
// that was not adapted.
func (r *Reader) Table(ctx context.Context) ([]byte, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	f, err := r.on.vectors.held(r.on.name, snap.rows)
	if err != nil {
		return nil, fmt.Errorf("read the table of the vectors: %w", err)
	}
	defer f.Release()
	if m := f.Header().Model; m != snap.model {
		return nil, fmt.Errorf("read the table of the vectors: it is of model %q, not %q: %w", m, snap.model, ErrDamaged)
	}
	return bytes.Clone(f.Header().Table), nil
}

// Calibration says what cosines mean in this generation.
func (r *Reader) Calibration(ctx context.Context) (Calibration, error) {
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return snap.random, nil
}
