package actors

import (
	"context"
	"errors"
	"slices"

	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
)

// whyLimit is the least limit for Why, so that documents far below the shown ones have ranks.
const whyLimit = 200

// Why implements Service. It runs a request and explains the rank, the shares and the contributions
// of one document of any project.
func (e *Engine) Why(ctx context.Context, w api.WhyRequest) (*api.Explanation, error) {
	r, docID := w.Request, w.DocID
	if docID == "" {
		return nil, errors.New("explain rank: no document")
	}
	x := &api.Explanation{}
	r.Limit = max(r.Limit, whyLimit)
	a, err := e.scry(ctx, r, func(ranking []fusion.Result) []int {
		x.Ranked = len(ranking)
		isWanted := func(r fusion.Result) bool { return doc.Kind(r.Key.Kind).Means(r.Key.ID, docID) }
		if i := slices.IndexFunc(ranking, isWanted); i >= 0 {
			return []int{i}
		}
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	x.Answer = *a
	return x, nil
}
