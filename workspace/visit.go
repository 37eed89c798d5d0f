package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"patina/actors"
	"patina/mother"
	"patina/registry"
	"patina/route"
	"patina/store"
	"patina/store/text"
)

// alone is the weight of a project that no edge leads to: a user has named it.
const alone = 0.5

// A Visit is a project asked beside home.
type Visit struct {
	Place
	Name     string       // in answers; unlike home's and the other visits'
	Relation string       // the edge's type; empty without an edge
	Weight   float64      // 1 for an edge with the weight of new ones, or a higher one
	Kinds    []store.Kind // that it shares
	Alone    bool         // no other registered project has its name
}

// An UnknownError is about a name that no registered project has, or several.
type UnknownError struct {
	Name  string
	Roots []string // of the projects with the name; of all, where none has it
	Many  bool
}

// Error implements error.
func (e *UnknownError) Error() string {
	if e.Many {
		return fmt.Sprintf("several projects are named %q", e.Name)
	}
	return fmt.Sprintf("no project %q", e.Name)
}

// Named finds a project by the name or the id in the registry, or by its path.
func (p Place) Named(name string) (Place, error) {
	if filepath.IsAbs(name) || strings.HasPrefix(name, ".") {
		other, err := At(name, "")
		if err == nil && !other.Published() {
			err = fmt.Errorf("no index for %q: %w", other.Root, store.ErrNoIndex)
		}
		return other, err
	}
	all, err := registry.Projects(p.Home)
	if err != nil {
		return Place{}, err
	}
	return p.among(all, name)
}

// among finds a project by its name or id.
func (p Place) among(all []registry.Project, name string) (Place, error) {
	var roots, known []string
	var found Place
	for _, x := range all {
		known = append(known, x.Root)
		if x.Name == name || x.ID == name {
			found = Place{Project: believed(x), Home: p.Home}
			roots = append(roots, x.Root)
		}
	}
	switch len(roots) {
	case 0:
		return Place{}, &UnknownError{Name: name, Roots: known}
	case 1:
		return found, nil
	}
	return Place{}, &UnknownError{Name: name, Roots: roots, Many: true}
}

// sketches returns the sketches of projects, by id. Projects without one are left out.
func (p Place) sketches(all []registry.Project) map[string]route.Sketch {
	out := make(map[string]route.Sketch, len(all))
	for _, x := range all {
		if s := (Place{Project: x, Home: p.Home}).Sketch(); s != nil {
			out[x.ID] = *s
		}
	}
	return out
}

// to returns the visits to projects named by a user: through the edges from home, or without one at
// a weight of their own.
func (p Place) to(all []registry.Project, names []string, edges []route.Candidate) ([]Visit, error) {
	var out []Visit
	for _, name := range names {
		find := func(name string) (Place, error) { return p.among(all, name) }
		if filepath.IsAbs(name) || strings.HasPrefix(name, ".") {
			find = p.Named
		}
		other, err := find(name)
		if err != nil {
			return nil, err
		}
		if other.Root == p.Root || slices.ContainsFunc(out, func(v Visit) bool { return v.Root == other.Root }) {
			continue
		}
		v := Visit{Place: other, Name: other.Project.Name, Weight: alone}
		if i := slices.IndexFunc(edges, func(e route.Candidate) bool { return e.Project == other.ID }); i >= 0 {
			v.Relation, v.Weight = edges[i].Relation, min(1, edges[i].Weight/mother.StartWeight)
		}
		_, err = p.among(all, v.Name)
		v.Alone = err == nil
		taken := func(name string) bool {
			return name == p.Name || slices.ContainsFunc(out, func(v Visit) bool { return v.Name == name })
		}
		if taken(v.Name) {
			v.Name += "-" + other.ID[:min(4, len(other.ID))]
		}
		out = append(out, v)
	}
	return out, nil
}

// A Related route is what the edges from home say about a question.
type Related struct {
	Home    float64 // the fit of home
	Choices []route.Choice
	Names   map[string]string // of the candidates, by id
	Visits  []Visit

	sketches map[string]route.Sketch // of all registered projects
}

// Follow chooses the projects to ask a question along the edges from home: one hop, the best by
// their words and the weights of the edges.
func (p Place) Follow(ctx context.Context, question string) (Related, error) {
	edges, err := p.edges(ctx)
	if err != nil || len(edges) == 0 {
		return Related{}, err
	}
	registered, err := registry.Projects(p.Home)
	if err != nil {
		return Related{}, err
	}
	sketches := p.sketches(registered)
	for i, e := range edges {
		if s, ok := sketches[e.Project]; ok {
			edges[i].Sketch = &s
		}
	}
	terms, all := text.ParseQuestion(question).Terms, slices.Collect(maps.Values(sketches))
	r := Related{
		sketches: sketches,
		Home:     route.Fit(terms, sketches[p.ID], all), Names: map[string]string{},
		Choices: route.Choose(terms, sketches[p.ID], all, edges),
	}
	for _, x := range registered {
		r.Names[x.ID] = x.Name
	}
	var ids []string
	for _, c := range r.Choices {
		if c.Asked {
			ids = append(ids, c.Project)
		}
	}
	r.Visits, err = p.to(registered, ids, edges)
	return r, err
}

// edges returns the ends of the edges from home, each once: by its heaviest edge.
func (p Place) edges(ctx context.Context) ([]route.Candidate, error) {
	if p.ID == "" {
		return nil, nil
	}
	all, err := mother.Edges(ctx, p.Home, p.ID)
	var out []route.Candidate
	for _, e := range all {
		if !slices.ContainsFunc(out, func(c route.Candidate) bool { return c.Project == e.To }) {
			out = append(out, route.Candidate{Project: e.To, Relation: e.Relation, Weight: e.Weight})
		}
	}
	return out, err
}

// ToNamed returns the visits to projects named by a user.
func (p Place) ToNamed(ctx context.Context, names []string) (Related, error) {
	edges, err := p.edges(ctx)
	if err != nil {
		return Related{}, err
	}
	all, err := registry.Projects(p.Home)
	if err != nil {
		return Related{}, err
	}
	visits, err := p.to(all, names, edges)
	return Related{Visits: visits, sketches: p.sketches(all)}, err
}

// A Host answers for projects, and for more when asked to.
type Host interface{ Visit(actors.Project) error }

// Asked adds visits to a request asked at the place: the projects, the weights of the routes to
// them, and one idf for all. A project without a usable index is asked all the same, and the answer
// says what is wrong there.
func (p Place) Asked(ctx context.Context, h Host, r actors.Request, to Related) (actors.Request, error) {
	if len(to.Visits) == 0 {
		return r, nil
	}
	r.Home, r.Projects, r.Weights = p.Name, []string{p.Name}, map[string]float64{}
	for _, v := range to.Visits {
		seal, err := v.sealed(ctx)
		if err != nil && !errors.Is(err, store.ErrForeign) {
			return r, err
		}
		err = h.Visit(actors.Project{
			ID: v.ID, Name: v.Name, Root: v.Root, StoreDir: v.Store, Seal: seal, View: v.view(), Kinds: v.Kinds,
		})
		if err != nil {
			return r, err
		}
		r.Projects, r.Weights[v.Name] = append(r.Projects, v.Name), v.Weight
	}
	r.Counts = route.Count(text.ParseQuestion(r.Text).Terms, slices.Collect(maps.Values(to.sketches)))
	return r, nil
}
