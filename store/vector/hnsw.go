package vector

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// HNSW parameters, chosen by measurement (hnswbench_test.go, 100,000 and 600,000 rows).
const (
	connectivity = 16  // links of a node on the upper levels; the lowest has twice as many
	expansionAdd = 128 // candidates for the links of a row

	// A search for k rows follows 2k candidates, but at least expansionSearch.
	expansionSearch = 256
)

// An Index finds near rows in a File without a scan (HNSW). It is derived from the file, so it may
// be deleted. It covers the rows from the time at which it was built; later ones must be scanned.
// Its methods are safe for concurrent use.
type Index struct {
	file  *File
	rows  int64
	saved mapping
	// slots bounds concurrent searches, because USearch has room for a fixed number and does not
	// check.
	slots chan struct{}

	mu    sync.RWMutex // held for writing by Close
	graph graph
	open  bool
}

// OpenIndex maps the index of a file for reading. f must stay open as long as the index. If the
// file grows, f and the index still answer for the rows they know, because every later File at that
// path begins with them. The error wraps ErrDamaged if path is not a whole index, or belongs to
// other rows. OpenIndex reads and checks all of it, because a changed link could lead anywhere.
func OpenIndex(path string, f *File) (*Index, error) {
	x := &Index{file: f, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	if err := x.saved.mapFile(path); err != nil {
		return nil, fmt.Errorf("read vector index: %w", err)
	}
	if err := x.view(); err != nil {
		_ = x.saved.close()
		return nil, fmt.Errorf("read vector index %q: %w", path, err)
	}
	x.open = true
	return x, nil
}

func (x *Index) view() error {
	var t footer
	var err error
	if cut := x.saved.guarded(func() { t, err = decodeFooter(x.saved.data) }); cut != nil {
		err = cut
	}
	if err != nil {
		return err
	}
	if err := x.file.Hold(t.rows); err != nil {
		return err
	}
	defer x.file.Release()
	if x.file.identity(t.rows) != t.identity {
		return fmt.Errorf("%w: built of another file", ErrDamaged)
	}
	x.rows = t.rows
	// A view brings its own memory, so the capacity is 0.
	if x.graph, err = newGraph(x.file.Slice(0, t.rows), x.file.header.Dimension, 0, cap(x.slots)); err != nil {
		return err
	}
	if err := x.graph.view(x.saved.data[:t.size]); err != nil {
		x.graph.free()
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

// Rows returns the number of rows covered: the first ones in the file.
func (x *Index) Rows() int64 { return x.rows }

// Search returns up to k rows near q, best first, with their exact products. Ties are in the order
// of rows. Rows of zeros are not found. The error wraps ErrClosed after Close, and ErrDamaged if
// the file or the index was cut. Search panics if q is not as long as a row.
func (x *Index) Search(q []int8, k int) (rows []int64, dots []int32, err error) {
	if len(q) != x.file.header.Dimension {
		panic(fmt.Sprintf("vector: a question of %d bytes for rows of %d", len(q), x.file.header.Dimension))
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.open {
		return nil, nil, fmt.Errorf("search vector index: %w", ErrClosed)
	}
	if err := x.file.Hold(x.rows); err != nil {
		return nil, nil, err
	}
	defer x.file.Release()
	if err := x.saved.holdMapping(int64(len(x.saved.data))); err != nil {
		return nil, nil, err
	}
	defer x.saved.release()
	x.slots <- struct{}{}
	rows, dots, err = x.graph.search(q, int(min(int64(max(2*k, expansionSearch)), x.rows)))
	<-x.slots
	if err != nil {
		return nil, nil, fmt.Errorf("search vector index: %w", err)
	}
	sortFound(rows, dots)
	k = min(k, len(rows))
	return rows[:k], dots[:k], nil
}

// Close closes the index after the searches that are running. A second call does nothing.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.open {
		x.open = false
		x.graph.free()
	}
	return x.saved.close()
}

// sortFound sorts by product, best first, then by row.
func sortFound(rows []int64, dots []int32) {
	type hit struct {
		row int64
		dot int32
	}
	hits := make([]hit, len(rows))
	for i := range hits {
		hits[i] = hit{rows[i], dots[i]}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.dot, a.dot), cmp.Compare(a.row, b.row)) })
	for i, h := range hits {
		rows[i], dots[i] = h.row, h.dot
	}
}
