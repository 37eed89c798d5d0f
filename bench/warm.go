package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"patina/store"
)

// searches measures warm questions with each vector search of this index: the scan of all rows and,
// if the scrape made a graph, the graph. The graph is moved away during the scan, because an index
// with many vectors would use only the graph.
func (b *bench) searches(ctx context.Context, qs []question) error {
	graphs, err := filepath.Glob(filepath.Join(b.store, "*.hnsw"))
	if err != nil || len(graphs) == 0 {
		return errors.Join(err, b.warm(ctx, qs, "", false))
	}
	aside := filepath.Join(b.work, "aside.hnsw")
	if err := os.Rename(graphs[0], aside); err != nil {
		return err
	}
	err = b.warm(ctx, qs, " (scan of all vectors)", false)
	if err := errors.Join(err, os.Rename(aside, graphs[0])); err != nil {
		return err
	}
	return b.warm(ctx, qs, " (graph of the vectors)", true)
}

// warm measures questions in this process, one after another: to the engine, to an engine with
// empty oracles, and to two oracles without an engine. They take turns. No result is cached, and a
// first round does not count.
func (b *bench) warm(ctx context.Context, qs []question, search string, graph bool) (err error) {
	engine, err := b.open(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close(context.Background())) }()
	idle, err := b.open(nothings())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, idle.Close(context.Background())) }()
	reader, done, err := b.reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	ways := []struct {
		name string
		ask  ask
		took [][]time.Duration
	}{
		{name: "warm question: all channels" + search, ask: b.asking(engine)},
		{name: "— semantic oracle alone, no engine" + search, ask: semantic(reader)},
		{name: "— lexical oracle alone, no engine", ask: lexical(reader)},
		{name: "— oracles that do nothing", ask: b.asking(idle)},
	}
	for round := range b.times.rounds + 1 {
		b.say("warm questions, round %d of %d", round, b.times.rounds)
		for i := range ways {
			took, err := timed(ctx, qs, ways[i].ask)
			if err != nil {
				return err
			}
			if round > 0 {
				ways[i].took = append(ways[i].took, took)
			}
		}
		if err := answeredBy(ctx, reader, graph); err != nil {
			return err
		}
	}
	for _, w := range ways {
		b.report.add(latencies(w.name, w.took, warmPercentiles)...)
	}
	return nil
}

// graphWait is the time that a reader may take to load a graph: a gigabyte from a slow disk.
const graphWait = time.Minute

// answeredBy waits until a reader uses the graph. If graph is false, it returns an error if the
// reader does. Engines must have been asked before, because they read the same file.
func answeredBy(ctx context.Context, r *store.Reader, graph bool) error {
	if !graph {
		if n := r.GraphRows(); n > 0 {
			return fmt.Errorf("a graph of %d vectors answered in place of the scan", n)
		}
		return nil
	}
	for end := time.Now().Add(graphWait); r.GraphRows() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return errors.New("the graph of the vectors was not opened")
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
