package visit

import (
	"context"
	"slices"

	"patina/ask/project"
	"patina/registry"
	"patina/registry/mother"
	"patina/registry/route"
)

// Admit finds a project that a client of a server may name in a call from a place: by a name, an id
// or a path. listed are the projects that the user's settings allow it to name. name is a name by
// which FindPlace finds the project. ok is false both for a project that must not be seen and for
// one that does not exist, because the client must not learn the difference.
func Admit(ctx context.Context, p project.Place, repo string, listed []string) (name string, ok bool, err error) {
	open, err := nameable(ctx, p, listed)
	if err != nil {
		return "", false, err
	}
	i, err := IndexOf(open, repo, p.From)
	if err != nil {
		return "", false, nil
	}
	at := open[i].Locator()
	if other, err := FindPlace(p, repo); err != nil || other.Locator() != at { // ambiguous
		return at, true, nil
	}
	return repo, true, nil
}

// nameable returns the projects that a client may name in a question from the place: those that the
// user has registered (patina repo add), those to which edges from the place lead, and those in
// listed, each by its name, id or root.
func nameable(ctx context.Context, p project.Place, listed []string) ([]registry.Project, error) {
	all, err := registry.Listed(p.Home)
	if err != nil {
		return nil, err
	}
	registered, err := mother.Repositories(ctx, p.Home)
	if err != nil {
		return nil, err
	}
	g, err := mother.Known(ctx, p.Home)
	if err != nil {
		return nil, err
	}
	edges, err := edgesFrom(ctx, p)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(append(slices.Clone(all), g.Far...), func(x registry.Project) bool {
		return !slices.ContainsFunc(registered, func(r mother.Repository) bool { return r.ID == x.ID }) &&
			!slices.ContainsFunc(edges, func(e route.Candidate) bool { return e.Project == x.ID }) &&
			!slices.Contains(listed, x.Name) && !slices.Contains(listed, x.ID) && !slices.Contains(listed, x.Locator())
	}), nil
}
