package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/store/vector"
)

// ManyVectors is the number of vectors from which a graph (HNSW) is worth building. Below, a scan of
// all takes a few milliseconds, and a build minutes (bench/RESULTS.md, "Speed of the vectors").
const ManyVectors = 500_000

// overfetched is how many rows of the graph are asked for, as a multiple of the documents wanted: a file has many rows, and some
// rows belong to documents that the view does not see. A row costs 5 µs (BenchmarkIndex): for a hundred hits 400 are asked for, 2 ms;
// 3,200 would take longer than a look at a million.
const overfetched = 2

// graphOf names the graph of a database's vectors.
func graphOf(database string) string { return strings.TrimSuffix(database, ".db") + ".hnsw" }

// BuildGraph makes the graph of the published vectors, if they are many and it is missing or covers less than half of them.
// Questions and updates go on meanwhile; questions look at all rows until it is there. It is derived: a cancelled or failed building
// leaves nothing, and one that another process is at, or whose database a full scrape has replaced meanwhile, is no error. report
// hears of the rows done.
func BuildGraph(ctx context.Context, dir string, seal Seal, report func(done, total int64)) error {
	return buildGraph(ctx, dir, seal, ManyVectors, report)
}

func buildGraph(ctx context.Context, dir string, seal Seal, many int64, report func(done, total int64)) (err error) {
	in, err := OpenFolder(dir, seal.Anyone)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	path, err := published(in)
	if err != nil {
		return err
	}
	rows, err := publishedRows(ctx, dir, seal)
	if err != nil || rows < many {
		return err
	}
	building := graphOf(filepath.Base(path)) + ".lock"
	l, _, err := lockNamed(ctx, in, building, 0)
	if errors.Is(err, ErrLocked) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("build the graph of vectors: %w", err)
	}
	defer func() { _ = errors.Join(in.root.Remove(building), l.Close()) }()
	f, err := openVectors(path, nil)
	if err != nil {
		return unlessReplaced(in, path, fmt.Errorf("build the graph of vectors: %w", err))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if x, err := vector.OpenIndex(graphOf(path), f); err == nil {
		covered := x.Rows()
		_ = x.Close()
		if 2*covered > rows {
			return nil
		}
	}
	err = vector.BuildIndex(ctx, f, rows, graphOf(path), func(done int64) { report(done, rows) })
	in.settle()
	return unlessReplaced(in, path, err)
}

// unlessReplaced returns err, the end of the building of path's graph; none if path is no longer the published database, whose graph
// is of no use then.
func unlessReplaced(in *Folder, path string, err error) error {
	if now, e := published(in); e != nil || now == path {
		return err
	}
	if e := os.Remove(graphOf(path)); !errors.Is(e, os.ErrNotExist) {
		return e
	}
	return nil
}

// publishedRows counts the rows of the vector file that the published generation names.
func publishedRows(ctx context.Context, dir string, seal Seal) (int64, error) {
	s, err := OpenSealed(dir, MainView, seal)
	if err != nil {
		return 0, err
	}
	defer func() { _ = s.Close() }()
	p, err := s.Pin(ctx, 1)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	snap, err := p.Readers[0].snapshot(ctx)
	if err != nil {
		return 0, err
	}
	return snap.rows, nil
}

// A vectorGraph is a graph with the file that it was built of.
type vectorGraph struct {
	*vector.Index
	file *vector.File
}

func (g *vectorGraph) close() { _ = errors.Join(g.Close(), g.file.Close()) }

func openGraph(database string) (*vectorGraph, error) {
	if _, err := os.Stat(graphOf(database)); err != nil {
		return nil, err
	}
	f, err := openVectors(database, nil)
	if err != nil {
		return nil, err
	}
	x, err := vector.OpenIndex(graphOf(database), f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &vectorGraph{x, f}, nil
}

// ready returns the graph if it is open. Opening reads all of it, so that happens beside the questions, once for each graph that is
// made while the database is open; one that cannot be opened is one that is not there.
func (v *vectorFile) ready(database string, rows int64) *vectorGraph {
	v.mu.Lock()
	defer v.mu.Unlock()
	if rows < v.many || v.opening {
		return v.graph
	}
	made, err := os.Stat(graphOf(database))
	if err == nil && (v.tried == nil || !os.SameFile(made, v.tried) || !made.ModTime().Equal(v.tried.ModTime())) {
		v.opening, v.tried = true, made
		go v.switchTo(database)
	}
	return v.graph
}

// switchTo opens the graph and gives it to the questions to come. Those that hold the one before are answered by it, or by a scan.
func (v *vectorFile) switchTo(database string) {
	g, err := openGraph(database)
	v.mu.Lock()
	v.opening = false
	if err == nil && !v.closed {
		g, v.graph = v.graph, g // g is now what is not needed any more
	}
	v.mu.Unlock()
	if g != nil {
		g.close()
	}
}

// GraphRows tells how many rows the graph covers that questions to this reader's database are answered by; 0 while each of them
// looks at all rows, as it does where vectors are few, and until the graph is made and opened.
func (r *Reader) GraphRows() int64 {
	v := &r.on.vectors
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.graph == nil {
		return 0
	}
	return v.graph.Rows()
}

// chooseByGraph adds groups of the segments that the graph covers, where one kind has many rows in it and nothing is filtered. It
// returns those segments: the others are to be scanned.
func (s *nearSearch) chooseByGraph(g *vectorGraph, many int64, segments []*segment) ([]*segment, error) {
	if g == nil || s.allow != nil {
		return nil, nil
	}
	covered := make(map[string]int64)
	for _, x := range segments {
		if x.vectors+x.vectorRows() <= g.Rows() {
			covered[x.space] += x.vectorRows()
		}
	}
	var done []*segment // by first row
	limit := 0
	for _, x := range segments {
		if x.vectors+x.vectorRows() <= g.Rows() && covered[x.space] >= many {
			done = append(done, x)
			limit = max(limit, s.lists[Kind(x.space)].limit)
		}
	}
	if len(done) == 0 {
		return nil, nil
	}
	slices.SortFunc(done, func(a, b *segment) int { return int(a.vectors - b.vectors) })
	rows, dots, err := g.Search(s.rounded, overfetched*limit)
	if errors.Is(err, vector.ErrClosed) { // a newer one has taken its place
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("search the graph of vectors: %w", damaged(err))
	}
	type place struct {
		segment *segment
		group   int
	}
	seen := make(map[place]bool)
	for i, row := range rows {
		at, exact := slices.BinarySearchFunc(done, row, func(x *segment, row int64) int { return int(x.vectors - row) })
		if !exact {
			at--
		}
		if at < 0 || row >= done[at].vectors+done[at].vectorRows() {
			continue // of another kind
		}
		p := place{done[at], done[at].groupOf(row)}
		if seen[p] || p.segment.hidden != nil && p.segment.hidden[p.group] {
			continue
		}
		seen[p] = true // the best row of a group comes first
		if list := s.lists[Kind(p.segment.space)]; dots[i] > list.floor {
			list.add(neighbour{p.segment, nil, p.group, dots[i]})
		}
	}
	return done, nil
}

// groupOf is the group that a row of the vector file belongs to.
func (g *segment) groupOf(row int64) int {
	at := row - g.vectors
	if at >= int64(g.chunks) {
		return int(at - int64(g.chunks))
	}
	i, exact := slices.BinarySearch(g.starts, uint32(at))
	if !exact {
		return i - 1
	}
	for g.starts[i+1] == uint32(at) { // groups without chunks stand before it
		i++
	}
	return i
}
