package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"patina/oracles"
	"patina/oracles/embed"
	"patina/store"
	"patina/store/text"
)

// passages is how many chunks of the tree are embedded to measure that.
const passages = 20000

// meaning measures the built-in embedder and the oracle that uses it.
func (b *bench) meaning(ctx context.Context, qs []question) error {
	b.say("meaning")
	reader, done, err := b.reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	var chunks []store.Passage
	enoughChunks := errors.New("enough")
	err = reader.Chunks(ctx, func(c store.ChunkText) error {
		chunks = append(chunks, store.Passage{Path: c.Path, Body: c.Text})
		if len(chunks) == passages {
			return enoughChunks
		}
		return nil
	})
	if err != nil && !errors.Is(err, enoughChunks) {
		return err
	}
	model := embed.Base()
	one, two := make([]float64, rounds), make([]float64, rounds)
	for i := range rounds {
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
	for range runs {
		began := time.Now()
		if _, err := embed.Load(table); err != nil {
			return err
		}
		load = append(load, time.Since(began))
	}
	var took, nearest [][]time.Duration
	oracle := oracles.NewSemantic()
	for range rounds + 1 { // the first warms up
		round, err := timed(ctx, qs, func(_ context.Context, q question) error {
			model.Question([]store.QuestionPart{{Text: q.text, Weight: 1}})
			return nil
		})
		if err != nil {
			return err
		}
		took = append(took, round)
		round, err = timed(ctx, qs, func(ctx context.Context, q question) error {
			_, err := oracle.Query(ctx, reader, oracles.Question{Text: q.text, Parsed: text.ParseQuestion(q.text), Limit: enough})
			return err
		})
		if err != nil {
			return err
		}
		nearest = append(nearest, round)
	}
	b.report.add(figure{"reading the fitted table", "ms", each(load, millis)})
	b.report.add(latencies("embedding a question", took[1:], warmPercentiles[:1])...)
	b.report.add(latencies("semantic oracle alone, no engine", nearest[1:], warmPercentiles)...)
	return nil
}

// embedRate is how many passages a second so many goroutines embed.
func embedRate(model store.Embedder, chunks []store.Passage, cores int) float64 {
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
