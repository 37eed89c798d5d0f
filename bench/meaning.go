package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"patina/code/lookup"
	"patina/oracles/embed"
	"patina/store/doc"
)

// passages is the number of chunks that are embedded for measuring the rate.
const passages = 20000

// meaning measures the built-in embedder.
func (b *bench) meaning(ctx context.Context, qs []question) error {
	b.say("meaning")
	reader, done, err := b.reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	var chunks []doc.Passage
	enoughChunks := errors.New("enough")
	err = lookup.Chunks(ctx, reader, func(c lookup.ChunkText) error {
		chunks = append(chunks, doc.Passage{Path: c.Path, Body: c.Text})
		if len(chunks) == passages {
			return enoughChunks
		}
		return nil
	})
	if err != nil && !errors.Is(err, enoughChunks) {
		return err
	}
	model := embed.Base()
	one, two := make([]float64, b.times.rounds), make([]float64, b.times.rounds)
	for i := range b.times.rounds {
		one[i], two[i] = embedRate(model, chunks, 1), embedRate(model, chunks, 2)
	}
	b.report.add(
		figure{"encode and embed chunks, one core", "/s", one},
		figure{"— two cores", "/s", two},
	)
	var load []time.Duration
	table, err := reader.Table(ctx)
	if err != nil {
		return err
	}
	for range b.times.runs {
		began := time.Now()
		if _, err := embed.Load(table); err != nil {
			return err
		}
		load = append(load, time.Since(began))
	}
	var took [][]time.Duration
	for range b.times.rounds + 1 { // the first one is the warm-up
		round, err := timed(ctx, qs, func(_ context.Context, q question) error {
			model.Question([]doc.QuestionPart{{Text: q.text, Weight: 1}})
			return nil
		})
		if err != nil {
			return err
		}
		took = append(took, round)
	}
	b.report.add(figure{"reading the fitted table", "ms", each(load, millis)})
	b.report.add(latencies("embedding a question", took[1:], warmPercentiles[:1])...)
	return nil
}

// embedRate returns the passages embedded per second by the given number of goroutines.
func embedRate(model doc.Embedder, chunks []doc.Passage, cores int) float64 {
	began := time.Now()
	var all sync.WaitGroup
	for c := range cores {
		all.Go(func() {
			row := make([]int8, model.Dimension())
			var encoded []byte
			for i := c; i < len(chunks); i += cores {
				encoded = model.Encode(encoded[:0], chunks[i])
				model.Embed(row, encoded)
			}
		})
	}
	all.Wait()
	return float64(len(chunks)) / time.Since(began).Seconds()
}
