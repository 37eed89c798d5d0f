package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"patina/store"
	"patina/store/storetest"
)

// With a graph the nearest are those of a slow computation too, in a store that has grown since and hides some of what the graph
// covers: so few rows are all asked for.
func TestNearestByGraph(t *testing.T) {
	for seed := range int64(3) {
		c := newCorpus(seed)
		c.fill()
		for range 10 {
			c.commit()
		}
		dir := t.TempDir()
		c.build(t, dir)
		check(t, store.BuildGraphFrom(context.Background(), dir, 1))
		for range 4 * int(seed) {
			c.randomUpdate(t, dir)
		}
		r := pin(t, dir)
		check(t, r.OpenGraph(20))
		for range 10 {
			q := storetest.Hashed{}.Question([]store.QuestionPart{{Text: c.words(6), Weight: 1}})
			got, err := r.Nearest(context.Background(), q, store.Filter{}, 100)
			check(t, err)
			for k, want := range c.cosines(q) {
				compareCosines(t, got[k], want)
			}
		}
	}
}

// A graph is made for many vectors only, once, and goes with its database.
func TestGraphIsMadeWhereItIsWorthIt(t *testing.T) {
	c := newCorpus(1)
	c.fill()
	dir := t.TempDir()
	c.build(t, dir)
	graphs := func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "*.hnsw*"))
		check(t, err)
		return found
	}
	check(t, store.BuildGraph(context.Background(), dir, nil))
	if len(graphs()) > 0 {
		t.Errorf("a graph of few vectors: %q", graphs())
	}
	check(t, store.BuildGraphFrom(context.Background(), dir, 1))
	if len(graphs()) != 1 {
		t.Errorf("graphs: %q", graphs())
	}
	before, err := os.Stat(graphs()[0])
	check(t, err)
	check(t, store.BuildGraphFrom(context.Background(), dir, 1))
	if after, err := os.Stat(graphs()[0]); err != nil || !os.SameFile(before, after) {
		t.Errorf("a graph that covers all was made again: %v", err)
	}
	c.build(t, dir)
	if len(graphs()) > 0 {
		t.Errorf("the graph of the database before is left: %q", graphs())
	}
}
