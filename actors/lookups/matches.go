package lookups

import (
	"context"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
)

// These reserve a part of a search's budget for the answer.
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
	p := lookup.TextPattern{Literal: r.Literal, Regex: r.Regex}
	found, err := lookup.FindText(within, d.Reader, p, r.Filter, r.Limit)
	return &api.MatchesAnswer{Index: d.compared(), TextMatches: found}, err
}

// reservedPart returns the part of a budget that is reserved for later steps: one share of it, but
// at most most.
func reservedPart(budget time.Duration, share int64, most time.Duration) time.Duration {
	return min(budget/time.Duration(share), most)
}
