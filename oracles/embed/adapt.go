package embed

import (
	"context"
	"sync"

	"patina/store/doc"
)

// The parameters of adaptation. On twelve repositories they gave 0.49 MRR from the subject of a
// commit to the changed file, against 0.38 before. More steps took longer and gained nothing.
const (
	adaptSteps   = 150
	adaptPairs   = 384  // in a step, if there are as many
	fewestPairs  = 8    // with fewer, a task would teach chance
	adaptRate    = 4e-3 // in the first step; it falls linearly to lastRate
	lastRate     = 1e-5
	fewestChunks = 3    // in a file whose chunks are paired
	newestPairs  = 8000 // pairs of a commit and a file
	mostFiles    = 20   // files in a commit; larger commits are skipped
)

// Adapt fits the table to a repository in 150 steps. It learns from comments and headings with the
// text below them, from chunks of the same file, and from past subjects with the files changed. It
// returns m itself if there are fewer than eight such comments and fewer than eight such subjects.
// Equal corpora give equal tables, and similar corpora similar tables. m should be the base model,
// because the same pairs would count twice in an adapted one. The error is that of ctx.
func (m *Model) Adapt(ctx context.Context, c doc.Corpus) (doc.Adapter, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	batcher := newBatcher(c, m.table.words.Len())
	if len(batcher.docs) < fewestPairs && len(batcher.commits) < fewestPairs {
		return m, nil
	}
	trainer := trainerFrom(m.table, batcher.numbers.pieces)
	batch := batcher.batch(0)
	for step := range adaptSteps {
		var next Batch
		var making sync.WaitGroup
		if step+1 < adaptSteps {
			making.Go(func() { next = batcher.batch(step + 1) }) // on one core
		}
		if len(batch.Questions) >= fewestPairs {
			trainer.Step(batch, rateOf(step))
		}
		making.Wait()
		batch = next
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return &Model{table: trainer.adapted(m.table, batcher.numbers.numberOf), scratch: m.scratch}, nil
}

// rateOf returns the rate of a step. The conversion must stay, because it keeps the compiler from
// fusing the product with the sum, which would give other bits on some processors.
func rateOf(step int) float32 {
	return float32(adaptRate*(1-float32(step)/adaptSteps)) + lastRate
}
