package actors

import (
	"context"
	"errors"
	"slices"

	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
)

// whyLimit is the least limit for Why, so that a document far below the shown ones has its ranks
// too.
const whyLimit = 200

// Why implements Service: it runs a request and explains one document's place, by its rank, shares
// and contributions. The document may come from any project.
func (e *Engine) Why(ctx context.Context, w api.WhyRequest) (*api.Explanation, error) {
	r, docID := w.Request, w.DocID
	if docID == "" {
		return nil, errors.New("explain rank: no document")
	}
	x := &api.Explanation{}
	r.Limit = max(r.Limit, whyLimit)
	a, err := e.scry(ctx, r, func(ranking []fusion.Result) []int {
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
