package embedders

import (
	"context"
	"sync/atomic"

	"patina/store/doc"
)

// Counts are what the models of a pool did.
type Counts struct{ Opened, Questions, Passages atomic.Int64 }

type counting struct {
	Embedder
	c *Counts
}

func (x counting) EmbedQuestion(ctx context.Context, parts []doc.QuestionPart) ([]float32, error) {
	x.c.Questions.Add(1)
	return x.Embedder.EmbedQuestion(ctx, parts)
}

func (x counting) EmbedPassages(ctx context.Context, dst []int8, passages []doc.Passage) error {
	x.c.Passages.Add(int64(len(passages)))
	return x.Embedder.EmbedPassages(ctx, dst, passages)
}
