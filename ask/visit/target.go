package visit

import (
	"context"
	"errors"
	"slices"

	"patina/actors/api"
	"patina/store/doc"
)

// A Target answers for a project with the kinds that it shows to others, whatever they ask for. The
// engine limits Ask to these kinds if its project has them (actors.Project.Kinds).
type Target struct {
	api.Target         // of the engine
	Service    Service // on the same engine
}

// Describe implements api.Target. It leaves out documents of other kinds.
func (t Target) Describe(ctx context.Context, m *api.Describe) (*api.Descriptions, error) {
	if len(m.Wants) == 0 {
		return t.Target.Describe(ctx, m)
	}
	inner := *m
	inner.Wants = slices.DeleteFunc(slices.Clone(m.Wants), func(w api.Want) bool {
		k := doc.KindOf(w.DocID)
		return !t.Service.shows(w.Kind) || k.Traits().Prefix != "" && !t.Service.shows(k)
	})
	d, err := t.Target.Describe(ctx, &inner)
	if err != nil {
		return nil, err
	}
	if d == nil { // nothing is left of the wants
		return &api.Descriptions{Query: m.Query}, nil
	}
	out := *d
	out.Found = nil
	for _, f := range d.Found {
		if t.Service.shows(f.Kind) {
			f.Links = t.Service.shownLinks(f.Links)
			out.Found = append(out.Found, f)
		}
	}
	return &out, nil
}

// Read implements api.Target. A look-up that would show another kind fails with api.Unavailable.
func (t Target) Read(ctx context.Context, r api.Lookup) (any, error) {
	if api.StaysHome(r) != "" {
		return t.Target.Read(ctx, r)
	}
	r = api.WithOptions(r, api.ReadOptions{Project: t.Name(), Timeout: r.Options().Timeout})
	answer, err := api.Read(ctx, t.Service, r)
	if _, ok := errors.AsType[*api.Failure](err); err == nil || ok {
		return answer, err
	}
	f := &api.Failure{
		Project: t.Service.Project, Read: r.Verb(), Status: api.Failed, Detail: err.Error(), Causes: api.CausesOf(err),
	}
	hidden, isHidden := errors.AsType[*Error](err)
	closed, isClosed := errors.AsType[*ClosedError](err)
	switch {
	case isHidden:
		f.Status, f.Detail = api.Unavailable, hidden.Error()
	case isClosed:
		f.Status, f.Detail = api.Unavailable, closed.Error()
	case ctx.Err() != nil:
		f.Status = api.Deadline
	}
	return nil, f
}
