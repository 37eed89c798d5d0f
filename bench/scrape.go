package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"patina/store"
)

// scrapes measures first scrapes, each into its own store, and rescrapes into the last one. Other
// programs, and scrapes with an unfitted model, take turns with the first scrapes.
func (b *bench) scrapes(ctx context.Context) error {
	var took, unfitted []usage
	var published []time.Duration
	var last scraped
	var peers []*peer
	if b.times.beside {
		peers = b.indexers(ctx)
	}
	for i := range b.times.first {
		if b.store != "" {
			if err := os.RemoveAll(b.store); err != nil {
				return err
			}
		}
		b.store = filepath.Join(b.work, fmt.Sprintf("store-%d", i))
		var u usage
		var err error
		published = append(published, publishedIn(b.store, func() { u, err = b.scrapeInto(ctx, b.store) }))
		if err != nil {
			return err
		}
		if last, err = readScraped(u.out); err != nil {
			return err
		}
		b.say("first scrape %d of %d: %.1f s", i+1, b.times.first, u.wall.Seconds())
		took = append(took, u)
		if b.times.beside {
			u, err := b.unfitted(ctx)
			if err != nil {
				return err
			}
			unfitted = append(unfitted, u)
		}
		for _, p := range peers {
			if err := p.run(ctx, b); err != nil {
				return err
			}
		}
	}
	if err := b.firstFigures(took, published, last); err != nil {
		return err
	}
	b.unfittedFigures(took, unfitted)
	b.peerFigures(took, peers)
	if err := b.history(ctx); err != nil {
		return err
	}
	return b.rescrapes(ctx)
}

// publishedIn runs f and returns the time until an index could be opened in dir, which must be
// empty.
func publishedIn(dir string, f func()) time.Duration {
	began, end, found := time.Now(), make(chan struct{}), make(chan time.Duration)
	go func() {
		for {
			if s, err := store.Open(dir); err == nil {
				_ = s.Close()
				found <- time.Since(began)
				return
			}
			select {
			case <-end:
				found <- time.Since(began)
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	f()
	close(end)
	return <-found
}

// unfitted runs a first scrape without fitting the model.
func (b *bench) unfitted(ctx context.Context) (usage, error) {
	dir := filepath.Join(b.work, "unfitted")
	u, err := b.process(ctx, nil, b.patina, "scrape", "--no-adapt", "--json", "--store", dir)
	return u, errors.Join(err, os.RemoveAll(dir))
}

// unfittedFigures reports the cost that fitting adds to a first scrape, as the difference between
// two processes.
func (b *bench) unfittedFigures(fitted, unfitted []usage) {
	if len(unfitted) == 0 {
		return
	}
	added := func(of func(usage) float64) []float64 {
		var out []float64
		for i, u := range unfitted {
			out = append(out, of(fitted[i])-of(u))
		}
		return out
	}
	b.report.add(
		figure{"first scrape with the model as it is", "s", each(unfitted, wallSeconds)},
		figure{"— fitting adds", "s", added(wallSeconds)},
		figure{"— fitting adds, CPU time", "s", added(cpuSeconds)},
		figure{"— fitting adds, peak memory", "MB", added(peakMegabytes)},
	)
}

// scraped has the fields of patina scrape --json that are used here.
type scraped struct {
	Bytes   int64 `json:"bytes"` // read from files
	Files   int   `json:"files"` // in the index
	Chunks  int   `json:"chunks"`
	Commits int   `json:"all_commits"`
}

func readScraped(out []byte) (s scraped, err error) {
	if err = json.Unmarshal(out, &s); err == nil && s.Files+s.Commits == 0 {
		err = errors.New("nothing was indexed")
	}
	if err != nil {
		err = fmt.Errorf("read what patina scrape printed: %w", err)
	}
	return s, err
}

func (b *bench) firstFigures(took []usage, published []time.Duration, s scraped) error {
	size, err := folderSize(b.store)
	if err != nil {
		return err
	}
	b.report.indexed = s
	rate := func(of float64) func(usage) float64 {
		return func(u usage) float64 { return of / u.wall.Seconds() }
	}
	b.report.add(
		figure{"first scrape", "s", each(took, wallSeconds)},
		figure{"— CPU time", "s", each(took, cpuSeconds)},
		figure{"— peak memory", "MB", each(took, peakMegabytes)},
	)
	if graphs, err := filepath.Glob(filepath.Join(b.store, "*.hnsw")); err == nil && len(graphs) > 0 {
		b.report.add(figure{
			"— until it is published: the graph of the vectors is made after that", "s",
			each(published, seconds),
		})
		b.report.note("Until the graph (HNSW) is made, questions look at all vectors. Its time and memory are in those of the first scrape.")
	}
	b.report.add(
		figure{"— files", "/s", each(took, rate(float64(s.Files)))},
		figure{"— source", "MB/s", each(took, rate(float64(s.Bytes)/megabyte))},
		figure{"bytes indexed", "MB", []float64{float64(s.Bytes) / megabyte}},
		figure{"store", "MB", []float64{float64(size) / megabyte}},
		figure{"— of the bytes indexed", "×", []float64{float64(size) / float64(s.Bytes)}},
	)
	parts, err := os.ReadDir(b.store)
	for _, p := range parts {
		if i, e := p.Info(); e == nil && i.Size() >= megabyte/100 {
			b.report.add(figure{"— " + p.Name(), "MB", []float64{float64(i.Size()) / megabyte}})
		}
	}
	return err
}

// folderSize returns the total size of a folder's files.
func folderSize(dir string) (int64, error) {
	total := int64(0)
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		total += info.Size()
		return nil
	})
	return total, err
}

func (b *bench) rescrapes(ctx context.Context) error {
	b.say("unchanged rescrapes")
	var took []usage
	for range b.times.runs {
		u, err := b.scrapeInto(ctx, b.store)
		if err != nil {
			return err
		}
		took = append(took, u)
	}
	b.report.add(
		figure{"unchanged rescrape", "ms", each(took, func(u usage) float64 { return millis(u.wall) })},
		figure{"— CPU time", "ms", each(took, func(u usage) float64 { return millis(u.cpu) })},
	)
	return nil
}
