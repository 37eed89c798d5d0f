package train

import (
	"context"
	"fmt"
	"io"
	"time"

	"patina/oracles/embed"
)

// Training parameters. Package embed has those of Adam.
const (
	// Pieces is the number of rows of the table, one for each word piece.
	Pieces = embed.MaxPieces
	// Dimension is the number of floats in a row.
	Dimension = 256
	// rate is the step size after warmUp steps. It falls linearly to lastShare of rate.
	rate      = 0.01
	warmUp    = 50
	lastShare = 0.02
	seed      = 1
	keepEvery = 100 // steps between two saved tables, in case the run is interrupted
)

// Run trains a table in a number of steps. It calls keep with the current table every keepEvery
// steps, and returns an error of keep. It drops the texts of c.
func Run(
	ctx context.Context, c *Corpus, words *embed.Vocabulary, steps int, log io.Writer,
	keep func(step int, t *embed.Table) error,
) (*embed.Table, error) {
	return run(ctx, c, words, steps, blocks, log, keep)
}

// run is Run with a number of blocks for each batch.
func run(
	ctx context.Context, c *Corpus, words *embed.Vocabulary, steps, blocks int, log io.Writer,
	keep func(step int, t *embed.Table) error,
) (*embed.Table, error) {
	l := newLessons(encode(words, c.examples), words.Len(), blocks, seed)
	c.examples = nil // texts are no longer needed
	for _, t := range l.tasks {
		fmt.Fprintf(log, "%s: %d pairs, weight %.1f\n", t.name, len(t.pairs), t.share)
	}
	fmt.Fprintf(log, "%d steps, %d an epoch\n", steps, l.perEpoch())
	if l.perEpoch() == 0 {
		return nil, fmt.Errorf("train: too few pairs for one batch of %d", blocks*blockPairs)
	}
	trainer := embed.NewTrainer(words.Len(), Dimension, seed)
	started, loss := time.Now(), 0.0
	for step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		loss += trainer.Step(l.next(), rateAt(step, steps))
		if (step+1)%20 == 0 {
			pace := time.Since(started).Seconds() / float64(step+1)
			fmt.Fprintf(log, "step %d: loss %.3f, %.2f s a step\n", step+1, loss/20, pace)
			loss = 0
		}
		if (step+1)%keepEvery == 0 && step+1 < steps {
			if err := keep(step+1, trainer.Quantise(words)); err != nil {
				return nil, err
			}
		}
	}
	return trainer.Quantise(words), nil
}

// rateAt returns the step size, which rises to rate and then falls to lastShare of it.
func rateAt(step, steps int) float32 {
	if step < warmUp {
		return rate * float32(step+1) / warmUp
	}
	return rate * (1 - (1-lastShare)*float32(step-warmUp)/float32(max(1, steps-warmUp)))
}
