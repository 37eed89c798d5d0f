package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"patina/store/vector"
)

// ManyVectors is the number of vectors from which a graph (HNSW) is worth building. Below, a scan of
// all takes a few milliseconds, and a build minutes (bench/RESULTS.md, "Speed of the vectors").
const ManyVectors = 500_000

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
	snap, err := p.Readers[0].Snapshot(ctx)
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

// openGraph opens the graph of a database. A panic of the library is an error: nobody waits here.
func openGraph(database string) (g *vectorGraph, err error) {
	defer func() {
		if p := recover(); p != nil {
			g, err = nil, fmt.Errorf("open the graph of vectors: %v", p)
		}
	}()
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
	if rows < v.many || v.opening || v.closed {
		return v.graph
	}
	made, err := os.Stat(graphOf(database))
	if err == nil && (v.tried == nil || !os.SameFile(made, v.tried) || !made.ModTime().Equal(v.tried.ModTime())) {
		v.opening, v.tried = true, made
		v.work.Go(func() { v.switchTo(database) })
	}
	return v.graph
}

// switchTo opens the graph and gives it to the questions to come. Those that hold the one before are
// answered by it, or by a scan. A graph whose opening panics is one that is not there.
func (v *vectorFile) switchTo(database string) {
	var g *vectorGraph
	defer func() {
		_ = recover()
		v.mu.Lock()
		v.opening = false
		if g != nil && !v.closed {
			g, v.graph = v.graph, g // g is now what is not needed any more
		}
		v.mu.Unlock()
		if g != nil {
			g.close()
		}
	}()
	if opened, err := openGraph(database); err == nil {
		g = opened
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
