package visit

import (
	"context"
	"errors"
	"slices"

	"patina/actors"
	"patina/actors/api"
	"patina/ask/project"
	"patina/registry"
	"patina/registry/mother"
	"patina/registry/route"
	"patina/store/text"
)

// A Mother reaches repositories on other machines, by their names on all machines. Nothing is
// reached before a method asks for it. Its methods are safe for concurrent use.
type Mother interface {
	// Target returns a repository for an engine to ask. It is the same value at each call for one
	// name. What cannot be reached, or is unknown, is the error of the target's methods.
	Target(repository string) api.Target
	// Sketches returns the sketches of repositories that are known, by name. It waits for others
	// for 50 ms at most.
	Sketches(ctx context.Context, repositories []string) map[string]route.Sketch
	// Counts returns how often terms occur in all repositories together that the user may ask,
	// except in those of without. It waits for 50 ms at most.
	Counts(ctx context.Context, terms, without []string) (text.Frequencies, error)
}

// errNoMother is the reason if a caller brings no Mother.
var errNoMother = errors.New("repositories on other machines are not asked here")

// A network holds the projects that a question may go to: those of this machine, those of others,
// and the edges between them.
type network struct {
	all   []registry.Project // registered here, then on other machines
	edges []mother.Edge
	// copies are the projects of this machine by their names on all machines, of those that are
	// also known from other machines. They are asked here only.
	copies map[string]registry.Project
	names  []string // on all machines, of the projects of this machine; nil without far ones
}

// readNetwork reads the network around a place.
func readNetwork(ctx context.Context, p project.Place) (network, error) {
	g, err := mother.Known(ctx, p.Home)
	if err != nil {
		return network{}, err
	}
	here, err := registry.Listed(p.Home)
	n := network{all: here, edges: g.Edges, copies: map[string]registry.Project{}}
	if len(g.Far) == 0 || err != nil {
		return n, err
	}
	far := map[string]bool{}
	for _, x := range g.Far {
		far[x.Far] = true
	}
	for _, x := range append([]registry.Project{p.Project}, here...) {
		name := project.Place{Project: x}.RepositoryName()
		if name == "" || x.Far != "" || slices.Contains(n.names, name) {
			continue
		}
		n.names = append(n.names, name)
		if far[name] {
			n.copies[name] = x
		}
	}
	n.all = append(append([]registry.Project{}, here...), g.Far...)
	n.edges = n.redirect(g.Far)
	return n, nil
}

// redirect returns the edges with the copies of this machine in place of far repositories.
func (n network) redirect(far []registry.Project) []mother.Edge {
	to := map[string]string{}
	for _, x := range far {
		if own, ok := n.copies[x.Far]; ok {
			to[x.ID] = own.ID
		}
	}
	if len(to) == 0 {
		return n.edges
	}
	var out []mother.Edge
	for _, e := range n.edges {
		if id, ok := to[e.From]; ok {
			e.From = id
		}
		if id, ok := to[e.To]; ok {
			e.To = id
		}
		if e.From != e.To {
			out = append(out, e)
		}
	}
	return out
}

// mostFar bounds the far repositories whose sketches are read for a question.
const mostFar = 50

// sketches returns the sketches of the projects of this machine and of far ones, by id: of those
// whose ids are wanted, and then of others up to mostFar, because a word is as common as in all
// that is registered. m may be nil.
func (n network) sketches(ctx context.Context, p project.Place, m Mother, wanted []route.Candidate) map[string]route.Sketch {
	var here []registry.Project
	far, others, ids := []string{}, []string{}, map[string]string{}
	for _, x := range n.all {
		if x.Far == "" {
			here = append(here, x)
			continue
		}
		if _, twice := n.copies[x.Far]; twice || ids[x.Far] != "" {
			continue
		}
		ids[x.Far] = x.ID
		if slices.ContainsFunc(wanted, func(c route.Candidate) bool { return c.Project == x.ID }) {
			far = append(far, x.Far)
		} else {
			others = append(others, x.Far)
		}
	}
	if room := mostFar - len(far); room > 0 {
		far = append(far, others[:min(room, len(others))]...)
	}
	out := sketches(p, here)
	if m == nil || len(far) == 0 {
		return out
	}
	for name, s := range m.Sketches(ctx, far) {
		out[ids[name]] = s
	}
	return out
}

// FarTarget returns a repository on other machines for an engine to ask. m may be nil.
func FarTarget(m Mother, name string) api.Target {
	if m == nil {
		return absent(name)
	}
	return m.Target(name)
}

// absent is a far repository for a caller without a Mother.
type absent string

func (a absent) Name() string     { return string(a) }
func (absent) Channels() []string { return api.Channels() }
func (a absent) failure() error {
	return &api.Failure{Project: string(a), Status: api.Unreachable, Detail: errNoMother.Error()}
}
func (a absent) Ask(context.Context, *api.Ask) (*api.Lists, error) { return nil, a.failure() }
func (a absent) Describe(context.Context, *api.Describe) (*api.Descriptions, error) {
	return nil, a.failure()
}
func (a absent) Read(context.Context, api.Lookup) (any, error) { return nil, a.failure() }

// OpenFar returns an engine with the far repository of a place, for look-ups there. The caller must
// close the engine.
func OpenFar(p project.Place, t api.Target) (*actors.Engine, error) {
	e, err := actors.Open(actors.Options{Lazy: true})
	if err != nil {
		return nil, err
	}
	x := actors.Project{ID: p.ID, Name: p.Name}
	if err := e.AddTargetAs(x, t); err != nil {
		return nil, errors.Join(err, e.Close(context.Background()))
	}
	return e, nil
}

// FarPlace returns the place of a far repository, by its name on all machines. It need not be
// registered any more.
func FarPlace(ctx context.Context, p project.Place, name string) (project.Place, error) {
	g, err := mother.Known(ctx, p.Home)
	if err != nil {
		return project.Place{}, err
	}
	x := registry.Project{ID: mother.FarID(name), Name: mother.ShortName(name), Far: name}
	if i := slices.IndexFunc(g.Far, func(x registry.Project) bool { return x.Far == name }); i >= 0 {
		x = g.Far[i]
	}
	return p.Known(x), nil
}
