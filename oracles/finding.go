package oracles

import (
	"context"
	"maps"
	"slices"
	"sync"

	"patina/store"
	"patina/store/text"
)

// A finding is what one generation has of a question before anything is ranked. It is never changed.
type finding struct {
	question text.Question
	scoring  *scoring
	defined  map[int64]float64 // X by file
	named    direct            // what a long text names
}

// findings are those of the readers of one pin: of the question asked last, for its evidence follows its lists, and need not read
// them again.
type findings struct {
	mu   sync.Mutex
	last *finding
}

// finding reads what the generation has of a question, unless another reader of the pin has done so. Nobody waits for another one,
// who may be late.
func findingOf(ctx context.Context, r *store.Reader, q text.Question) (*finding, error) {
	kept := store.MemoOf[findings](r.Memo)
	kept.mu.Lock()
	last := kept.last
	kept.mu.Unlock()
	if last != nil && equal(last.question, q) {
		return last, nil
	}
	x := &finding{question: q}
	var err error
	if x.scoring, err = prepare(ctx, r, q, false); err != nil {
		return nil, err
	}
	if x.defined, err = definingFiles(ctx, r, x.scoring.snap, q); err != nil {
		return nil, err
	}
	if x.named, err = namedBy(ctx, r, x.scoring.snap, q); err != nil {
		return nil, err
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	kept.last = x
	return x, nil
}

// equal tells whether two questions are one to the store: all else follows from the text.
func equal(a, b text.Question) bool {
	return a.Raw == b.Raw && a.Long == b.Long && slices.Equal(a.Terms, b.Terms) && maps.Equal(a.Weights, b.Weights)
}
