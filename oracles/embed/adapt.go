package embed

import (
	"context"
	"sync"

	"patina/store/doc"
)

// The parameters of adaptation. On twelve repositories they reached 0.49 MRR from commit subject to
// changed file, against 0.38 before. More steps took longer and gained nothing.
const (
	adaptSteps   = 150
	adaptPairs   = 384  // in a step, if there are so many
	fewestPairs  = 8    // with fewer, a task teaches chance
	adaptRate    = 4e-3 // in the first step; falls linearly to lastRate
	lastRate     = 1e-5
	fewestChunks = 3    // in a file whose chunks are paired
	newestPairs  = 8000 // pairs of a commit and a file
	mostFiles    = 20   // files in a commit; larger ones are skipped
)

// Adapt fits the table to a repository in 150 steps. It learns from comments and headings with the
// text below them, from chunks in one file, and from past subjects with the files changed. It
// returns m itself if there are fewer than eight such comments and eight such subjects. Similar
// corpora give similar tables, and equal ones equal tables. Adapt from the base model: otherwise
// the same pairs count twice.
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

// rateOf is the rate of a step. The conversion keeps the compiler from fusing the product with the
// sum where a processor can: the fit would have other bits there.
func rateOf(step int) float32 {
	return float32(adaptRate*(1-float32(step)/adaptSteps)) + lastRate
}
