package oracles

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"patina/store"
	"patina/store/text"
)

// A finding is the data of a question in one generation, before ranking. It is immutable except for
// the board, so it may be shared.
type finding struct {
	question text.Question
	scoring  *scoring
	defined  map[int64]float64 // X by file
	named    mentioned         // names in a long text

	filled atomic.Pointer[board] // nil while it is in use
}

// board takes the board that an earlier step has filled, or returns an empty one. The caller must
// wipe it or give it back by keepBoard.
func (x *finding) board() *board {
	if b := x.filled.Swap(nil); b != nil {
		return b
	}
	return x.scoring.newBoard()
}

// keepBoard keeps a board for the next step.
func (x *finding) keepBoard(b *board) {
	if old := x.filled.Swap(b); old != nil {
		old.wipe()
	}
}

// wantedFiles returns the files that are listed whatever their score.
func (x *finding) wantedFiles() map[int64]bool {
	wanted := x.named.any()
	for key := range x.defined {
		wanted[key] = true
	}
	return wanted
}

// findings caches the finding of the last question for the readers of one pin, because evidence
// follows the lists and need not read the same data again.
type findings struct {
	mu   sync.Mutex
	last *finding
}

// findingOf returns the finding of a question, from the cache if another reader of the pin has made
// it. It never waits for another reader, because that may be late.
func findingOf(ctx context.Context, r *store.Reader, q text.Question) (*finding, error) {
	kept := store.MemoOf[findings](r.Memo)
	kept.mu.Lock()
	last := kept.last
	kept.mu.Unlock()
	if last != nil && sameQuestion(last.question, q) {
		return last, nil
	}
	x := &finding{question: q}
	var err error
	if x.scoring, err = prepareScoring(ctx, r, q, false); err != nil {
		return nil, err
	}
	if x.defined, err = definingFiles(ctx, r, x.scoring.snap, q); err != nil {
		return nil, err
	}
	if x.named, err = namedBy(ctx, r, x.scoring.snap, q); err != nil {
		return nil, err
	}
	if err = x.translate(ctx, r, q); err != nil {
		return nil, err
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	kept.last = x
	return x, nil
}

// TermWeights returns the weight of each term by which a question is ranked: its idf, times its
// weight in a long text.
func TermWeights(ctx context.Context, r *store.Reader, q text.Question) (map[string]float64, error) {
	found, err := findingOf(ctx, r, q)
	if err != nil {
		return nil, err
	}
	weights := make(map[string]float64, len(found.scoring.terms))
	for i, t := range found.scoring.terms {
		weights[t] = found.scoring.idf[i]
	}
	return weights, nil
}

// sameQuestion reports whether two questions have the same finding. Other fields need not be
// compared, because they follow from the text.
func sameQuestion(a, b text.Question) bool {
	return a.Raw == b.Raw && a.Long == b.Long &&
		slices.Equal(a.Terms, b.Terms) && maps.Equal(a.Weights, b.Weights) &&
		a.Wide.Chunks == b.Wide.Chunks && maps.Equal(a.Wide.Terms, b.Wide.Terms)
}
