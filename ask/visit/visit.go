package visit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"patina/actors"
	"patina/actors/api"
	"patina/ask/project"
	"patina/registry"
	"patina/registry/mother"
	"patina/registry/route"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// A Visit is a project that is asked in addition to home.
type Visit struct {
	project.Place
	Name string // in answers; it differs from home's and the other visits'
	// Relation is the type of the edge, with "back" for an edge that leads to home, and ">" between
	// the edges of two hops. It is empty without an edge.
	Relation string
	Weight   float64    // 1 for an edge with the weight of new ones, or a higher one
	Kinds    []doc.Kind // the kinds that it shares; empty means no kinds
	Alone    bool       // no other registered project has its name
}

// An UnknownError is about a name that no registered project has, or several have.
type UnknownError struct {
	Name  string
	Roots []string // of the projects with the name, or of all projects if no project has it
	Many  bool
}

// Error implements error.
func (e *UnknownError) Error() string {
	if e.Many {
		return fmt.Sprintf("several projects are named %q", e.Name)
	}
	return fmt.Sprintf("no project %q", e.Name)
}

// FindPlace finds a project by its name or id in the registry, or by its path. The error may be an
// *UnknownError.
func FindPlace(p project.Place, name string) (project.Place, error) {
	all, err := registry.Listed(p.Home)
	if err != nil && !isPath(name) {
		return project.Place{}, err
	}
	if !isPath(name) {
		g, err := mother.Known(context.Background(), p.Home)
		if err != nil {
			return project.Place{}, err
		}
		all = append(slices.Clone(all), g.Far...)
	}
	return among(p, all, name)
}

// isPath reports whether a name can only be a path.
func isPath(name string) bool { return filepath.IsAbs(name) || strings.HasPrefix(name, ".") }

// IndexOf finds a project by its name or id, or else by its path, which is read from a folder (the
// working folder if from is empty). It returns the project's index in all. The error is an
// *UnknownError.
func IndexOf(all []registry.Project, name, from string) (int, error) {
	path := fromHere(from, name)
	path, _ = filepath.Abs(path)
	for _, means := range []func(registry.Project) bool{
		func(x registry.Project) bool { return name != "" && x.Far == name },
		func(x registry.Project) bool { return !isPath(name) && (x.Name == name || x.ID == name) },
		func(x registry.Project) bool { return !scrape.IsURL(name) && x.Root == path },
	} {
		var found []int
		var roots []string
		for i, x := range all {
			if means(x) {
				found, roots = append(found, i), append(roots, x.Locator())
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return -1, &UnknownError{Name: name, Roots: roots, Many: true}
		}
	}
	known := make([]string, len(all))
	for i, x := range all {
		known[i] = x.Locator()
	}
	return -1, &UnknownError{Name: name, Roots: known}
}

// among finds a project by its name, id or path. A path may lead to any indexed project.
func among(p project.Place, all []registry.Project, name string) (project.Place, error) {
	i, err := IndexOf(all, name, p.From)
	if err == nil && all[i].Far != "" {
		return p.Known(all[i]), nil
	}
	if err == nil {
		x := registry.Lookup(p.Home, all[i].Root, all[i].Store)
		x.Name = all[i].Name
		return p.Known(x), nil
	}
	if !isPath(name) {
		return project.Place{}, err
	}
	other, err := project.At(fromHere(p.From, name), "")
	if err == nil && !other.Published() {
		err = fmt.Errorf("no index for %q: %w", other.Root, store.ErrNoIndex)
	}
	return other, err
}

// fromHere returns a path read from a folder. If from is empty, the folder is the working folder.
func fromHere(from, path string) string {
	if from == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(from, path)
}

// known keeps the sketches that this process has read, by home and id.
var known sync.Map // of *registry.Memo[*route.Sketch]

// sketches returns the sketches of projects, by id. Projects without a sketch are left out.
func sketches(p project.Place, all []registry.Project) map[string]route.Sketch {
	out := make(map[string]route.Sketch, len(all))
	for _, x := range all {
		kept, _ := known.LoadOrStore([2]string{p.Home, x.ID}, &registry.Memo[*route.Sketch]{})
		memo := kept.(*registry.Memo[*route.Sketch])
		state := func() []byte { return registry.SketchState(p.Home, x.ID) }
		s, _ := memo.Of("", state, func() (*route.Sketch, error) {
			return project.Place{Project: x, Home: p.Home}.Sketch(), nil
		})
		if s != nil {
			out[x.ID] = *s
		}
	}
	return out
}

// to returns the visits to projects by their names. A far repository that is registered here, too,
// is visited here. Their weights are those of the edges from home,
// or 1 without an edge. It leaves out home and repeated projects.
func (n network) to(p project.Place, names []string, edges []route.Candidate) ([]Visit, error) {
	var out []Visit
	for _, name := range names {
		other, err := among(p, n.all, name)
		if err != nil {
			return nil, err
		}
		if own, ok := n.copies[other.Far]; ok {
			other = p.Known(registry.Lookup(p.Home, own.Root, own.Store))
			other.Name = own.Name
		}
		at := other.Locator()
		if at == p.Locator() || slices.ContainsFunc(out, func(v Visit) bool { return v.Locator() == at }) {
			continue
		}
		v := Visit{Place: other, Name: other.Project.Name, Weight: 1}
		if i := slices.IndexFunc(edges, func(e route.Candidate) bool { return e.Project == other.ID }); i >= 0 {
			v.Relation, v.Weight = edges[i].Relation, min(1, edges[i].Weight/mother.StartWeight)
		}
		_, err = IndexOf(n.all, v.Name, p.From)
		v.Alone = err == nil
		taken := func(name string) bool {
			return resembles(name, p.Name) || resembles(name, "home") ||
				slices.ContainsFunc(out, func(v Visit) bool { return resembles(v.Name, name) })
		}
		if taken(v.Name) {
			v.Name += "-" + other.ID[:min(4, len(other.ID))]
		}
		out = append(out, v)
	}
	return out, nil
}

// A Route holds the projects that a question visits, and the figures that led to them.
type Route struct {
	Home    float64 // the fit of home
	Choices []route.Choice
	Names   map[string]string // of the candidates, by id
	Visits  []Visit
	// Named means that the user has named the projects. They are asked like home, and their results
	// are not demoted.
	Named bool

	sketches map[string]route.Sketch // of all projects registered here, and of the far candidates
	far      []string                // of these, the far ones, by id
	names    []string                // on all machines, of the projects of this machine
}

// RouteByWords chooses the projects to ask a question, along the edges from home and to home:
// within one hop, the best by their words and the weights of the edges. If no project is chosen, it
// goes a second hop. m may be nil.
func RouteByWords(ctx context.Context, p project.Place, m Mother, question string) (Route, error) {
	if p.ID == "" {
		return Route{}, nil
	}
	if g, err := mother.Known(ctx, p.Home); err != nil || len(ends(g.Edges, p.ID, true)) == 0 {
		return Route{}, err
	}
	n, err := readNetwork(ctx, p)
	if err != nil {
		return Route{}, err
	}
	edges := ends(n.edges, p.ID, true)
	behind := secondHop(n.edges, p.ID, edges)
	drawn := n.sketches(ctx, p, m, slices.Concat(edges, behind))
	every := slices.Collect(maps.Values(drawn))
	parsed := text.ParseQuestion(question)
	q := route.Question{Stems: parsed.Terms, Names: writtenNames(question), Words: len(parsed.Words)}
	choose := func(edges []route.Candidate) []route.Choice {
		for i, e := range edges {
			if s, ok := drawn[e.Project]; ok {
				edges[i].Sketch = &s
				edges[i].ShowsBeliefs = func() bool { return n.showsBeliefs(p, e.Project) }
			}
		}
		return route.Choose(q, drawn[p.ID], every, edges)
	}
	r := n.route(drawn)
	r.Choices, r.Home, r.Names = choose(edges), route.Fit(q.Stems, drawn[p.ID], every), map[string]string{}
	asked := func(c route.Choice) bool { return c.Asked }
	if !slices.ContainsFunc(r.Choices, asked) {
		edges, r.Choices = append(edges, behind...), append(choose(behind), r.Choices...)
	}
	for _, x := range n.all {
		r.Names[x.ID] = x.Name
	}
	var ids []string
	for _, c := range r.Choices {
		if c.Asked {
			ids = append(ids, c.Project)
		}
	}
	r.Visits, err = n.to(p, ids, edges)
	return r, err
}

// route returns a route without visits.
func (n network) route(drawn map[string]route.Sketch) Route {
	r := Route{sketches: drawn, names: n.names}
	for _, x := range n.all {
		if _, ok := drawn[x.ID]; ok && x.Far != "" {
			r.far = append(r.far, x.ID)
		}
	}
	return r
}

// ends returns the ends of the edges from a project, each once, by its heaviest edge. If back is
// set, it also returns the beginnings of the edges to it. all must be sorted, the heaviest first.
func ends(all []mother.Edge, id string, back bool) (out []route.Candidate) {
	add := func(c route.Candidate) {
		if !slices.ContainsFunc(out, func(o route.Candidate) bool { return o.Project == c.Project }) {
			out = append(out, c)
		}
	}
	for _, e := range all {
		if e.From == id {
			add(route.Candidate{Project: e.To, Relation: e.Relation, Weight: e.Weight})
		}
	}
	for _, e := range all {
		if back && e.To == id {
			add(route.Candidate{Project: e.From, Relation: e.Relation + " back", Weight: e.Weight, Far: true})
		}
	}
	return out
}

// secondHop returns the ends of the edges from the ends of the first hop, without home and those
// ends.
func secondHop(all []mother.Edge, home string, firsts []route.Candidate) (out []route.Candidate) {
	seen := func(id string, in []route.Candidate) int {
		return slices.IndexFunc(in, func(c route.Candidate) bool { return c.Project == id })
	}
	for _, first := range firsts {
		for _, c := range ends(all, first.Project, false) {
			c.Relation, c.Weight, c.Far = first.Relation+" > "+c.Relation, first.Weight*c.Weight, true
			switch at := seen(c.Project, out); {
			case c.Project == home || seen(c.Project, firsts) >= 0:
			case at < 0:
				out = append(out, c)
			case out[at].Weight < c.Weight:
				out[at] = c
			}
		}
	}
	return out
}

// writtenNames returns the names in a question that are written as code: in back-ticks, as a call
// or a path of names, with an inner capital, an underscore or a digit, or alone.
func writtenNames(question string) (names []string) {
	fields := strings.Fields(question)
	for _, f := range fields {
		word := strings.Trim(f, "?!,;:.'\"")
		asCode := len(fields) == 1 || strings.Contains(word, "`") || strings.HasSuffix(word, "()")
		parts := strings.FieldsFunc(word, func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		path := len(parts) > 1 && strings.ContainsAny(word, ".:#>")
		for _, part := range parts {
			if len(part) >= route.ShortestName && (asCode || path || isCased(part)) {
				names = append(names, part)
			}
		}
	}
	return names
}

// isCased reports whether a word has a capital after its first letter, an underscore or a digit.
// word must not be empty.
func isCased(word string) bool {
	return strings.ContainsFunc(word[1:], func(r rune) bool {
		return r == '_' || unicode.IsUpper(r) || unicode.IsDigit(r)
	})
}

// RouteToLinked returns the visits to the projects to which edges from home lead, the heaviest
// first and at most most. m may be nil.
func RouteToLinked(ctx context.Context, p project.Place, m Mother, most int) (Route, error) {
	edges, err := edgesFrom(ctx, p)
	if err != nil || len(edges) == 0 {
		return Route{}, err
	}
	n, err := readNetwork(ctx, p)
	if err != nil {
		return Route{}, err
	}
	edges = ends(n.edges, p.ID, false)
	var ids []string
	for _, e := range edges {
		if len(ids) < most && slices.ContainsFunc(n.all, func(x registry.Project) bool { return x.ID == e.Project }) {
			ids = append(ids, e.Project)
		}
	}
	r := n.route(n.sketches(ctx, p, m, edges))
	r.Visits, err = n.to(p, ids, edges)
	return r, err
}

// edgesFrom returns the ends of the edges from home, each once, by its heaviest edge.
func edgesFrom(ctx context.Context, p project.Place) ([]route.Candidate, error) {
	if p.ID == "" {
		return nil, nil
	}
	g, err := mother.Known(ctx, p.Home)
	return ends(g.Edges, p.ID, false), err
}

// RouteToNamed returns the visits to projects named by a user. m may be nil.
func RouteToNamed(ctx context.Context, p project.Place, m Mother, names []string) (Route, error) {
	n, err := readNetwork(ctx, p)
	if err != nil {
		return Route{}, err
	}
	var edges []route.Candidate
	if p.ID != "" {
		edges = ends(n.edges, p.ID, false)
	}
	visits, err := n.to(p, names, edges)
	if err != nil {
		return Route{}, err
	}
	var ends []route.Candidate
	for i := range visits {
		visits[i].Weight = 1
		ends = append(ends, route.Candidate{Project: visits[i].ID})
	}
	r := n.route(n.sketches(ctx, p, m, ends))
	r.Visits, r.Named = visits, true
	return r, nil
}

// A Host is an engine that answers for projects, to which Visit adds one of this machine, and
// VisitTarget one of others.
type Host interface {
	Visit(p actors.Project) error
	VisitTarget(p actors.Project, t api.Target) error
}

// Answering returns the project of the visit for an engine. A project whose index is not trusted is
// not an error, because the answer reports it.
func (v Visit) Answering(ctx context.Context) (actors.Project, error) {
	x, err := v.Place.Answering(ctx)
	if err != nil && !errors.Is(err, store.ErrForeign) {
		return actors.Project{}, err
	}
	x.Name, x.Kinds = v.Name, v.Kinds
	return x, nil
}

// Widen adds visits to a request asked at the place: the projects, the weights of the routes to
// them, and one idf for their shares. Without visits it returns r unchanged. A project that cannot
// be asked is added all the same, because the answer reports it. note says which counts the idf
// lacks, or is empty. m may be nil.
func Widen(
	ctx context.Context, p project.Place, h Host, m Mother, r api.Request, to Route,
) (out api.Request, note string, err error) {
	if len(to.Visits) == 0 {
		return r, "", nil
	}
	r.Projects, r.Weights = []string{p.Name}, map[string]float64{}
	if !to.Named {
		r.Home = p.Name
	}
	isFar := false
	for _, v := range to.Visits {
		if err := v.join(ctx, p, h, m); err != nil {
			return r, "", err
		}
		isFar = isFar || v.Far != ""
		r.Projects, r.Weights[v.Name] = append(r.Projects, v.Name), v.Weight
	}
	q := text.ParseQuestion(r.Text)
	counts := route.Count(q.Terms, slices.Collect(maps.Values(to.sketches)))
	if isFar && m != nil {
		if counts, err = to.count(ctx, m, q.Terms, counts); err != nil {
			note = "words are weighed without other machines: " + err.Error()
		}
	}
	r.Counts = overBackground(counts, q)
	return r, note, nil
}

// join adds the project of a visit to an engine at the place home.
func (v Visit) join(ctx context.Context, home project.Place, h Host, m Mother) error {
	if v.Far != "" {
		t := embeddedTarget{FarTarget(m, v.Far), home.Home, home.ID}
		return h.VisitTarget(actors.Project{ID: v.ID, Name: v.Name, Kinds: v.Kinds}, t)
	}
	x, err := v.Answering(ctx)
	if err != nil {
		return err
	}
	return h.Visit(x)
}

// count returns the counts of terms over the projects of this machine and all those of others. It
// returns own with an error, which says why the others are left out.
func (r Route) count(ctx context.Context, m Mother, terms []string, own text.Frequencies) (text.Frequencies, error) {
	theirs, err := m.Counts(ctx, terms, r.names)
	if err != nil {
		return own, err
	}
	var here []route.Sketch
	for id, s := range r.sketches {
		if !slices.Contains(r.far, id) {
			here = append(here, s)
		}
	}
	all := route.Count(terms, here)
	all.Chunks += theirs.Chunks
	for term, n := range theirs.Terms {
		all.Terms[term] += n
	}
	return all, nil
}
