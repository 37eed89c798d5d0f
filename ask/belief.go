package ask

import (
	"context"
	"errors"
	"strings"

	"patina/actors/api"
	"patina/code/lookup"
)

// showBelief returns a belief and the code that it is about. If the request names kinds, the answer
// is only that code. It returns a *NoBeliefError if there is no such belief.
func showBelief(ctx context.Context, c *Call, r Request) (*Answer, error) {
	kinds, err := KindsNamed(r.Kinds)
	if err != nil {
		return nil, err
	}
	id := strings.TrimPrefix(r.Name, BeliefPrefix)
	out := &Answer{Form: Belief}
	err = c.read(ctx, r.Packages, true, func(e api.Service) error {
		found, err := e.Detail(ctx, api.DetailRequest{ReadOptions: c.Within(), DocID: BeliefPrefix + id})
		if err == nil && found.Description.Belief == nil {
			err = lookup.ErrNoDocument
		}
		if errors.Is(err, lookup.ErrNoDocument) {
			return &NoBeliefError{id}
		}
		if err != nil {
			return err
		}
		reach := api.ReachRequest{ReadOptions: c.Within(), IDs: []string{found.Description.Belief.ID}}
		about, err := e.Reach(ctx, reach)
		if errors.Is(err, lookup.ErrNoDocument) {
			about, err = &api.ReachAnswer{Index: found.Index}, nil // a former decision
		}
		if err != nil {
			return err
		}
		about.Index = c.State(about.Index)
		out.Belief = &BeliefAnswer{Description: found.Description, About: about, CodeAlone: len(kinds) > 0}
		for _, b := range about.Beliefs {
			out.Belief.Reached = append(out.Belief.Reached, b.Reached...)
		}
		return nil
	})
	return out, err
}

// listHeld returns the beliefs that hold.
func listHeld(ctx context.Context, c *Call, _ Request) (*Answer, error) {
	list, err := ListBeliefs(ctx, c, func(status string, _ []string) bool { return IsHeld(status) })
	return &Answer{Form: Beliefs, Beliefs: list}, err
}

// IsHeld reports whether a belief with this status holds today.
func IsHeld(status string) bool { return status == "active" || status == "scoped" }

// ListBeliefs returns the beliefs for which keep returns true. keep must not be nil; it gets the
// status and the facets of a belief.
func ListBeliefs(
	ctx context.Context, c *Call, keep func(status string, facets []string) bool,
) (list *BeliefList, err error) {
	err = c.Read(ctx, func(e api.Service) error {
		a, err := e.Beliefs(ctx, api.BeliefsRequest{ReadOptions: c.Within()})
		if err != nil {
			return err
		}
		a.Index = c.State(a.Index)
		whole := len(a.Beliefs)
		kept := a.Beliefs[:0]
		for _, x := range a.Beliefs {
			if keep(x.Status, x.Facets) {
				kept = append(kept, x)
			}
		}
		a.Beliefs = kept
		list = &BeliefList{BeliefsAnswer: a, LeftOut: whole - len(kept)}
		return nil
	})
	return list, err
}
