package store

import (
	"errors"
	"fmt"
	"os"

	"patina/store/folder"
	"patina/store/vector"
)

// ManyVectors is the number of vectors that justifies a graph (HNSW). Below it, a full scan takes a
// few milliseconds and a build minutes (bench/history/meaning.md, "Speed of the vectors").
const ManyVectors = 500_000

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
	f, err := OpenVectors(database, nil)
	if err != nil {
		return nil, err
	}
	x, err := vector.OpenIndex(folder.GraphOf(database), f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &vectorGraph{x, f}, nil
}

// ready returns the graph if it is open, or nil. Opening reads all of it, so it runs concurrently,
// once for each new graph. A graph that cannot be opened counts as absent.
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
