package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"time"

	"patina/oracles/embed"
	"patina/scrape"
	"patina/store/doc"
)

// fits is how often the model is fitted to the same corpus. Equal corpora give equal tables.
const fits = 3

// fitting measures the cost of fitting the model to the repository, within a first scrape in this
// process.
func (b *bench) fitting(ctx context.Context, _ []question) (err error) {
	b.say("fitting the model")
	w := &watched{Adapter: embed.Base()}
	dir := filepath.Join(b.work, "fitted")
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if _, err := scrape.Run(ctx, scrape.Options{
		Root: b.tree.root, StoreDir: dir, Embedder: w,
		Load: embed.Load,
	}); err != nil {
		return err
	}
	if len(w.took) == 0 {
		b.report.note("The model was not fitted: there is nothing to learn from.")
		return nil
	}
	b.report.add(
		figure{"fitting the model to the repository", "s", each(w.took, wallSeconds)},
		figure{"— CPU time", "s", each(w.took, cpuSeconds)},
		figure{"— heap that it adds at its greatest", "MB", each(w.took, peakMegabytes)},
		figure{
			"— chunks, and pairs of a commit and a file, that it may learn from", "thousand",
			[]float64{float64(w.chunks+w.pairs) / 1000},
		},
	)
	return nil
}

// A watched is the built-in model. It fits several times and records the cost of each.
type watched struct {
	doc.Adapter
	took          []usage // peak has heap growth, with garbage
	chunks, pairs int
}

// Adapt implements doc.Adapter. The model that it returns is not watched.
func (w *watched) Adapt(ctx context.Context, c doc.Corpus) (a doc.Adapter, err error) {
	w.chunks = len(c.Passages)
	for _, change := range c.Commits {
		w.pairs += len(change.Files)
	}
	for range fits {
		runtime.GC()
		before, stop := heap(), watchHeap()
		began, cpu := time.Now(), processorTime()
		if a, err = w.Adapter.Adapt(ctx, c); err != nil {
			return nil, err
		}
		u := usage{wall: time.Since(began), cpu: processorTime() - cpu}
		u.peak = stop() - before
		w.took = append(w.took, u)
	}
	return a, nil
}

// watchHeap records the peak size of the heap. The function that it returns must be called once; it
// stops the recording and returns the peak.
func watchHeap() func() int64 {
	end, most := make(chan struct{}), make(chan int64)
	go func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		greatest := heap()
		for {
			select {
			case <-tick.C:
				greatest = max(greatest, heap())
			case <-end:
				most <- max(greatest, heap())
				return
			}
		}
	}()
	return func() int64 {
		close(end)
		return <-most
	}
}

// heap returns the size of the heap in bytes: live objects, and garbage that is not yet collected.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
