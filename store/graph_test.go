package store_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"patina/oracles"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// With a graph, the nearest documents are still those from a slow computation. The store has grown
// since, and hides rows from the graph. So few rows are all asked for.
func TestNearestByGraph(t *testing.T) {
	for seed := range int64(3) {
		c := storetest.NewCorpus(seed)
		c.Fill()
		for range 10 {
			c.Commit()
		}
		dir := t.TempDir()
		c.Build(t, dir)
		storetest.Check(t, build.Graph(context.Background(), dir, store.Seal{}, 1, func(int64, int64) {}))
		for range 4 * int(seed) {
			randomUpdate(c, t, dir)
		}
		r := storetest.Pin(t, dir)
		storetest.Check(t, r.OpenGraph(20))
		for range 10 {
			q := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: c.Words(6), Weight: 1}})
			got, err := oracles.Nearest(context.Background(), r, q, doc.Filter{}, 100)
			storetest.Check(t, err)
			for k, want := range cosines(c, q) {
				compareCosines(t, got[k], want)
			}
		}
	}
}

// graphsIn lists a store's graph files and their locks.
func graphsIn(t *testing.T, dir string) []string {
	found, err := filepath.Glob(filepath.Join(dir, "*.hnsw*"))
	storetest.Check(t, err)
	return found
}

// A graph is made only for many vectors, once, and goes with its database.
func TestGraphIsMadeWhereItIsWorthIt(t *testing.T) {
	c := storetest.NewCorpus(1)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	graphs := func() []string { return graphsIn(t, dir) }
	storetest.Check(t, build.Graph(context.Background(), dir, store.Seal{}, store.ManyVectors, nil))
	if len(graphs()) > 0 {
		t.Errorf("a graph of few vectors: %q", graphs())
	}
	storetest.Check(t, build.Graph(context.Background(), dir, store.Seal{}, 1, func(int64, int64) {}))
	if len(graphs()) != 1 {
		t.Errorf("graphs: %q", graphs())
	}
	before, err := os.Stat(graphs()[0])
	storetest.Check(t, err)
	storetest.Check(t, build.Graph(context.Background(), dir, store.Seal{}, 1, func(int64, int64) {}))
	if after, err := os.Stat(graphs()[0]); err != nil || !os.SameFile(before, after) {
		t.Errorf("a graph that covers all was made again: %v", err)
	}
	c.Build(t, dir)
	if len(graphs()) > 0 {
		t.Errorf("the graph of the database before is left: %q", graphs())
	}
}

// Building a large graph takes minutes. Meanwhile updates go on, no other process builds it, and a
// full scrape may replace the database.
func TestStoreIsFreeWhileAGraphIsMade(t *testing.T) {
	c := storetest.NewCorpus(1)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	graphs := func() []string { return graphsIn(t, dir) }
	called := false
	storetest.Check(t, buildGraphWhile(context.Background(), dir, 1, func() {
		called = true
		randomUpdate(c, t, dir)
		storetest.Check(t, build.Graph(context.Background(), dir, store.Seal{}, 1, func(int64, int64) {}))
		if made, err := filepath.Glob(filepath.Join(dir, "*.hnsw")); err != nil || len(made) > 0 {
			t.Errorf("made by another meanwhile: %q, %v", made, err)
		}
	}))
	if !called || len(graphs()) != 1 {
		t.Errorf("called %v, graphs %q", called, graphs())
	}
	storetest.Check(t, os.Remove(graphs()[0]))
	storetest.Check(t, buildGraphWhile(context.Background(), dir, 1, func() { c.Build(t, dir) }))
	if len(graphs()) > 0 {
		t.Errorf("a graph of a database that is gone: %q", graphs())
	}
}

// Questions while a graph is built and rebuilt must get the same answers before, during and after,
// without errors. They scan all rows until the graph exists, even with long-open readers.
func TestSwitchToGraph(t *testing.T) {
	c := storetest.NewCorpus(1)
	c.Fill()
	dir := t.TempDir()
	c.Build(t, dir)
	s, err := store.Open(dir)
	storetest.Check(t, err)
	p, err := s.Pin(context.Background(), 4)
	storetest.Check(t, err)
	p.Readers[0].LookForGraph(1)
	questions := make([][]float32, 20)
	before := make([]map[doc.Kind][]doc.Ranked, len(questions))
	for i := range questions {
		questions[i] = storetest.Hashed{}.Question([]doc.QuestionPart{{Text: c.Words(6), Weight: 1}})
		before[i], err = oracles.Nearest(context.Background(), p.Readers[0], questions[i], doc.Filter{}, 100)
		storetest.Check(t, err)
	}
	if p.Readers[0].GraphRows() > 0 {
		t.Error("a graph before it was made")
	}
	end := make(chan struct{})
	var asking sync.WaitGroup
	switched := make(chan struct{}, len(p.Readers)-1) // one for each answer by a graph
	for _, r := range p.Readers[1:] {
		asking.Go(func() {
			told := false
			for i := 0; ; i = (i + 1) % len(questions) {
				if !told && r.GraphRows() > 0 {
					told = true
					switched <- struct{}{}
				}
				got, err := oracles.Nearest(context.Background(), r, questions[i], doc.Filter{}, 100)
				if err != nil || !reflect.DeepEqual(got, before[i]) {
					t.Errorf("question %d: %v, %v; before the switch %v", i, got, err, before[i])
				}
				select {
				case <-end:
					return
				default:
				}
			}
		})
	}
	storetest.Check(t, build.Graph(context.Background(), dir, store.Seal{}, 1, func(int64, int64) {}))
	for range p.Readers[1:] {
		<-switched
	}
	graphs, err := filepath.Glob(filepath.Join(dir, "*.hnsw"))
	storetest.Check(t, err)
	for range 5 { // another in its place
		storetest.Check(t, os.Remove(graphs[0]))
		storetest.Check(t, build.Graph(context.Background(), dir, store.Seal{}, 1, func(int64, int64) {}))
		_, err := oracles.Nearest(context.Background(), p.Readers[0], questions[0], doc.Filter{}, 100)
		storetest.Check(t, err)
	}
	close(end)
	asking.Wait()
	p.Close()
	storetest.Check(t, s.Close())
}

// buildGraphWhile builds the graph of an index of few vectors, and calls f once meanwhile.
func buildGraphWhile(ctx context.Context, dir string, many int64, f func()) error {
	var once sync.Once
	return build.Graph(ctx, dir, store.Seal{}, many, func(int64, int64) { once.Do(f) })
}
