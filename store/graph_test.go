package store_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"sync"
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

// graphsIn lists the files of graphs, and of their making, in a store.
func graphsIn(t *testing.T, dir string) []string {
	found, err := filepath.Glob(filepath.Join(dir, "*.hnsw*"))
	check(t, err)
	return found
}

// A graph is made for many vectors only, once, and goes with its database.
func TestGraphIsMadeWhereItIsWorthIt(t *testing.T) {
	c := newCorpus(1)
	c.fill()
	dir := t.TempDir()
	c.build(t, dir)
	graphs := func() []string { return graphsIn(t, dir) }
	check(t, store.BuildGraph(context.Background(), dir, store.Seal{}, nil))
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

// A graph takes minutes where it is worth it: updates go on meanwhile, another process does not make it too, and a full scrape may
// replace the database that it is made for.
func TestStoreIsFreeWhileAGraphIsMade(t *testing.T) {
	c := newCorpus(1)
	c.fill()
	dir := t.TempDir()
	c.build(t, dir)
	graphs := func() []string { return graphsIn(t, dir) }
	called := false
	check(t, store.BuildGraphWhile(context.Background(), dir, 1, func() {
		called = true
		c.randomUpdate(t, dir)
		check(t, store.BuildGraphFrom(context.Background(), dir, 1))
		if made, err := filepath.Glob(filepath.Join(dir, "*.hnsw")); err != nil || len(made) > 0 {
			t.Errorf("made by another meanwhile: %q, %v", made, err)
		}
	}))
	if !called || len(graphs()) != 1 {
		t.Errorf("called %v, graphs %q", called, graphs())
	}
	check(t, os.Remove(graphs()[0]))
	check(t, store.BuildGraphWhile(context.Background(), dir, 1, func() { c.build(t, dir) }))
	if len(graphs()) > 0 {
		t.Errorf("a graph of a database that is gone: %q", graphs())
	}
}

// Questions that go on while a graph is made, and made again, are answered alike before, during and after: by a look at all rows,
// then by the graph as soon as it is there, though the readers were open long before. None fails.
func TestSwitchToGraph(t *testing.T) {
	c := newCorpus(1)
	c.fill()
	dir := t.TempDir()
	c.build(t, dir)
	s, err := store.Open(dir)
	check(t, err)
	p, err := s.Pin(context.Background(), 4)
	check(t, err)
	p.Readers[0].LookForGraph(1)
	questions := make([][]float32, 20)
	before := make([]map[store.Kind][]store.Ranked, len(questions))
	for i := range questions {
		questions[i] = storetest.Hashed{}.Question([]store.QuestionPart{{Text: c.words(6), Weight: 1}})
		before[i], err = p.Readers[0].Nearest(context.Background(), questions[i], store.Filter{}, 100)
		check(t, err)
	}
	if p.Readers[0].GraphRows() > 0 {
		t.Error("a graph before it was made")
	}
	end := make(chan struct{})
	var asking sync.WaitGroup
	switched := make(chan struct{}, len(p.Readers)-1) // one for each that was answered by a graph
	for _, r := range p.Readers[1:] {
		asking.Go(func() {
			told := false
			for i := 0; ; i = (i + 1) % len(questions) {
				if !told && r.GraphRows() > 0 {
					told = true
					switched <- struct{}{}
				}
				got, err := r.Nearest(context.Background(), questions[i], store.Filter{}, 100)
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
	check(t, store.BuildGraphFrom(context.Background(), dir, 1))
	for range p.Readers[1:] {
		<-switched
	}
	graphs, err := filepath.Glob(filepath.Join(dir, "*.hnsw"))
	check(t, err)
	for range 5 { // another in its place
		check(t, os.Remove(graphs[0]))
		check(t, store.BuildGraphFrom(context.Background(), dir, 1))
		_, err := p.Readers[0].Nearest(context.Background(), questions[0], store.Filter{}, 100)
		check(t, err)
	}
	close(end)
	asking.Wait()
	p.Close()
	check(t, s.Close())
}
