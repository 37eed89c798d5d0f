package lookups

import (
	"context"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/belief/knowledge"
	"patina/belief/mine"
)

func (d *Desk) proposals(ctx context.Context, r api.ProposalsRequest) (any, error) {
	a := &api.ProposalsAnswer{Index: d.compared()}
	if r.Source != "" {
		p, err := mine.ProposalAt(ctx, d.Reader, r.Source)
		a.Proposals = []mine.Proposal{p}
		return a, err
	}
	keep, err := d.newProposalFilter(ctx, r.Skip)
	if err != nil {
		return nil, err
	}
	a.Proposals, err = mine.Proposals(ctx, d.Reader, r.Limit, keep)
	return a, err
}

// newProposalFilter returns a filter for sentences that are neither dismissed nor quoted by a
// belief.
func (d *Desk) newProposalFilter(ctx context.Context, skip []string) (func(mine.Proposal) bool, error) {
	beliefs, err := knowledge.All(ctx, d.Reader)
	if err != nil {
		return nil, err
	}
	return func(p mine.Proposal) bool {
		if slices.Contains(skip, p.Key()) {
			return false
		}
		return !slices.ContainsFunc(beliefs, func(b knowledge.File) bool { return strings.Contains(b.Text, p.Text) })
	}, nil
}
