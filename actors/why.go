package actors

import (
	"context"
	"errors"
	"slices"

	"patina/fusion"
	"patina/store/doc"
)

// A WhyRequest asks how one document was ranked for a question.
type WhyRequest struct {
	Request
	DocID string // a symbol ranks as its file
}

// An Explanation shows how one document was ranked for a question.
type Explanation struct {
	Answer     // Results holds the document alone, or nothing if no channel found it
	Ranked int // documents in the ranking
}

// whyLimit is the least limit for Why, so that a document far below the shown ones has its ranks
// too.
const whyLimit = 200

// Why implements Service: it runs a request and explains one document's place, by its rank, shares
// and contributions. The document may come from any project.
func (e *Engine) Why(ctx context.Context, w WhyRequest) (*Explanation, error) {
	r, docID := w.Request, w.DocID
	if docID == "" {
		return nil, errors.New("explain rank: no document")
	}
	x := &Explanation{}
	r.Limit = max(r.Limit, whyLimit)
	a, err := e.scry(ctx, r, func(_ int, ranking []fusion.Result) []int {
		x.Ranked = len(ranking)
		if i := slices.IndexFunc(ranking, func(r fusion.Result) bool { return doc.Kind(r.Key.Kind).Means(r.Key.ID, docID) }); i >= 0 {
			return []int{i}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	x.Answer = *a
	return x, nil
}
