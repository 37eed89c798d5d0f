package actors

import (
	"context"
	"fmt"

	"patina/standing"
	"patina/store/belief"
	"patina/store/knowledge"
	"patina/store/lookup"
)

func (StandingRequest) verb() string { return "standing" }

func (r StandingRequest) read(ctx context.Context, d *desk) (any, error) {
	files, err := knowledge.All(ctx, d.Reader)
	if err != nil {
		return nil, err
	}
	a := &StandingAnswer{Index: d.compared()}
	claims := make([]standing.Claim, len(files))
	for i, f := range files {
		claims[i] = claimOf(f.Belief)
		if f.ID == r.ID && a.Belief.ID == "" {
			a.Belief = f.Belief
		}
	}
	g := standing.Of(claims)
	var ok bool
	if a.Explanation, ok = g.Explain(r.ID); !ok || a.Belief.ID == "" {
		return nil, fmt.Errorf("belief %q: %w", r.ID, lookup.ErrNoDocument)
	}
	a.Settled, _ = g.Settled()
	return a, nil
}

// claimOf is what a belief claims of others.
func claimOf(b belief.Belief) standing.Claim {
	return standing.Claim{
		ID: b.ID, Entrenchment: b.Entrenchment, Held: b.Status == "active" || b.Status == "scoped",
		Supports: linksOf(b.Supports), Attacks: linksOf(b.Attacks), AttackedBy: linksOf(b.AttackedBy),
	}
}

func linksOf(edges []belief.Edge) []standing.Link {
	links := make([]standing.Link, len(edges))
	for i, e := range edges {
		links[i] = standing.Link{Target: e.Target, Status: e.Status, Confidence: e.Confidence}
	}
	return links
}
