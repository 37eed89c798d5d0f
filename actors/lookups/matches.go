package lookups

import (
	"context"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
)

// A search keeps a part of its budget for the answer.
const (
	matchesShare = 10
	matchesMost  = 100 * time.Millisecond
)

func (d *Desk) matches(ctx context.Context, r api.MatchesRequest) (any, error) {
	within := ctx
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		within, cancel = context.WithDeadline(ctx, end.Add(-reservedPart(time.Until(end), matchesShare, matchesMost)))
		defer cancel()
	}
	found, err := lookup.FindText(within, d.Reader, lookup.TextPattern{Literal: r.Literal, Regex: r.Regex}, r.Filter, r.Limit)
	return &api.MatchesAnswer{Index: d.compared(), TextMatches: found}, err
}

// reservedPart is the part of a budget kept for later steps: one share of it, but never more than
// most.
func reservedPart(budget time.Duration, share int64, most time.Duration) time.Duration {
	return min(budget/time.Duration(share), most)
}
