package lookups

import (
	"context"
	"fmt"
	"strings"

	"patina/actors/api"
	"patina/belief/knowledge"
	"patina/belief/standing"
	"patina/code/lookup"
)

func (d *Desk) standing(ctx context.Context, r api.StandingRequest) (any, error) {
	snap, err := d.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	all, err := knowledge.Beliefs(ctx, d.Reader, snap)
	if err != nil {
		return nil, err
	}
	a := &api.StandingAnswer{Index: d.compared()}
	for _, same := range []func(id string) bool{
		func(id string) bool { return id == r.ID },
		func(id string) bool { return strings.EqualFold(id, r.ID) },
	} {
		for _, x := range all {
			if same(x.ID) && a.Belief.ID == "" {
				a.Belief = x.Belief
			}
		}
	}
	g := standing.Of(knowledge.Claims(all))
	var ok bool
	if a.Explanation, ok = g.Explain(a.Belief.ID); !ok || a.Belief.ID == "" {
		return nil, fmt.Errorf("belief %q: %w", r.ID, lookup.ErrNoDocument)
	}
	a.Settled, _ = g.Settled()
	return a, nil
}
