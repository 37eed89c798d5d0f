package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"patina/store/folder"
	"patina/store/vector"
)

// ManyVectors is the number of vectors that justifies a graph (HNSW). Below it, a full scan takes a
// few milliseconds and a build minutes (bench/history/meaning.md, "Speed of the vectors").
const ManyVectors = 500_000

// BuildGraph builds the graph for the published vectors, if they are many and the present graph
// covers less than half. Questions and updates go on; questions scan all rows until it is there.
//
// The graph is derived: cancelling or failing leaves nothing behind. It is no error if another
// process is building, or if a full scrape replaced the database meanwhile. report gets the rows
// done.
func BuildGraph(ctx context.Context, dir string, seal Seal, report func(done, total int64)) error {
	return buildGraph(ctx, dir, seal, ManyVectors, report)
}

func buildGraph(ctx context.Context, dir string, seal Seal, many int64, report func(done, total int64)) (err error) {
	in, err := folder.Open(dir, seal.Anyone)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	path, err := in.Database()
	if err != nil {
		return err
	}
	rows, err := publishedRows(ctx, dir, seal)
	if err != nil || rows < many {
		return err
	}
	building := folder.GraphOf(filepath.Base(path)) + ".lock"
	l, _, err := in.LockFile(ctx, building, 0)
	if errors.Is(err, ErrLocked) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("build the graph of vectors: %w", err)
	}
	defer func() { _ = errors.Join(in.Remove(building), l.Close()) }()
	f, err := openVectors(path, nil)
	if err != nil {
		return unlessReplaced(in, path, fmt.Errorf("build the graph of vectors: %w", err))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if x, err := vector.OpenIndex(folder.GraphOf(path), f); err == nil {
		covered := x.Rows()
		_ = x.Close()
		if 2*covered > rows {
			return nil
		}
	}
	err = vector.BuildIndex(ctx, f, rows, folder.GraphOf(path), func(done int64) { report(done, rows) })
	in.Settle()
	return unlessReplaced(in, path, err)
}

// unlessReplaced returns err, the result of building path's graph. If path is no longer published,
// it removes the useless graph instead.
func unlessReplaced(in *folder.Folder, path string, err error) error {
	if now, e := in.Database(); e != nil || now == path {
		return err
	}
	if e := os.Remove(folder.GraphOf(path)); !errors.Is(e, os.ErrNotExist) {
		return e
	}
	return nil
}

// publishedRows counts the vectors named by the published generation.
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

// A vectorGraph is a graph with its vector file.
type vectorGraph struct {
	*vector.Index
	file *vector.File
}

func (g *vectorGraph) closeGraph() { _ = errors.Join(g.Close(), g.file.Close()) }

// openGraph opens a database's graph. A panic in the library becomes an error: no caller waits
// here.
func openGraph(database string) (g *vectorGraph, err error) {
	defer func() {
		if p := recover(); p != nil {
			g, err = nil, fmt.Errorf("open the graph of vectors: %v", p)
		}
	}()
	if _, err := os.Stat(folder.GraphOf(database)); err != nil {
		return nil, err
	}
	f, err := openVectors(database, nil)
	if err != nil {
		return nil, err
	}
	x, err := vector.OpenIndex(folder.GraphOf(database), f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &vectorGraph{x, f}, nil
}

// ready returns the graph if it is open. Opening reads all of it, so it runs beside the questions,
// once for each new graph. A graph that fails to open counts as absent.
func (v *vectorFile) ready(database string, rows int64) *vectorGraph {
	v.mu.Lock()
	defer v.mu.Unlock()
	if rows < v.many || v.opening || v.closed {
		return v.graph
	}
	made, err := os.Stat(folder.GraphOf(database))
	if err == nil && (v.tried == nil || !os.SameFile(made, v.tried) || !made.ModTime().Equal(v.tried.ModTime())) {
		v.opening, v.tried = true, made
		v.work.Go(func() { v.switchTo(database) })
	}
	return v.graph
}

// switchTo opens the graph for later questions. Questions that hold the old one finish with it, or
// by a scan. A graph that panics while opening counts as absent.
func (v *vectorFile) switchTo(database string) {
	var g *vectorGraph
	defer func() {
		_ = recover()
		v.mu.Lock()
		v.opening = false
		if g != nil && !v.closed {
			g, v.graph = v.graph, g // g is now the old graph
		}
		v.mu.Unlock()
		if g != nil {
			g.closeGraph()
		}
	}()
	if opened, err := openGraph(database); err == nil {
		g = opened
	}
}

// GraphRows counts the rows covered by the graph in use. It is 0 while questions scan all rows:
// with few vectors, or until the graph is open.
func (r *Reader) GraphRows() int64 {
	v := &r.on.vectors
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.graph == nil {
		return 0
	}
	return v.graph.Rows()
}
