package assay

import (
	"context"
	"maps"
	"slices"

	"patina/code/callers"
	"patina/code/imports"
	"patina/code/lookup"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
)

// maxCandidates bounds the possible definitions listed for a call. Of more than manyCandidates only
// one is listed, because a long list says nothing.
const (
	maxCandidates  = 3
	manyCandidates = 9
)

// callees collects calls and the definitions that they may mean.
type callees struct {
	out   *Facts
	known map[string][]xref.Definition // definitions by their last name
	at    map[[2]string]int            // caller and call as written → its first fact
}

func assayCallees(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) error {
	bodies, err := bodiesMeant(ctx, r, snap, out)
	if err != nil {
		return err
	}
	m, err := callers.Modules(ctx, r, snap)
	if err != nil {
		return err
	}
	rows, err := factsOf(ctx, r, snap, slices.Sorted(maps.Keys(bodies)))
	if err != nil {
		return err
	}
	x := callees{out, make(map[string][]xref.Definition), make(map[[2]string]int)}
	defined := func(name string) (ds []xref.Definition, err error) {
		ds, ok := x.known[name]
		if !ok {
			ds, err = lookup.Defined(ctx, r, snap, name)
			x.known[name] = ds
		}
		return ds, err
	}
	for _, f := range rows {
		s := callers.ScopeOf(ctx, r, snap, f, m)
		for _, c := range f.Calls {
			encloses := func(d xref.Definition) bool { return d.Encloses(f.Entries, c.Caller) }
			if ds := bodies[f.Key]; ds != nil && !slices.ContainsFunc(ds, encloses) {
				continue
			}
			last := s.Unalias(c.Name)
			if err := x.addCall(f, c, last, func() ([]xref.Edge, error) { return x.edges(s, c, defined) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// edges returns the definitions that a call may mean. A name that is only a constant or a variable
// may hold a function with another name.
func (x *callees) edges(
	s *xref.Scope, c doc.Call, defined func(name string) ([]xref.Definition, error),
) ([]xref.Edge, error) {
	known, err := defined(s.Unalias(c.Name))
	if err != nil {
		return nil, err
	}
	edges := s.Resolve(c, known)
	isValue := func(e xref.Edge) bool { return e.Entry.Sort == doc.Constant || e.Entry.Sort == doc.Variable }
	if slices.ContainsFunc(edges, func(e xref.Edge) bool { return !isValue(e) }) {
		return edges, nil
	}
	for _, name := range s.NamesBehind(c, known) {
		defs, err := defined(name)
		if err != nil {
			return nil, err
		}
		if e, ok := s.ResolveByName(c, defs); ok {
			return []xref.Edge{e}, nil
		}
	}
	return edges, nil
}

// bodiesMeant returns the definitions named by a pattern, by file. For a file named by the pattern
// the list is nil, because all its calls count.
func bodiesMeant(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts,
) (map[int64][]xref.Definition, error) {
	meant, _, err := findMeant(ctx, r, snap, out)
	if err != nil {
		return nil, err
	}
	bodies := make(map[int64][]xref.Definition)
	for _, ds := range meant {
		for _, d := range ds {
			bodies[d.File] = append(bodies[d.File], d)
		}
	}
	if len(bodies) > 0 {
		return bodies, nil
	}
	if f, err := r.FileNamed(ctx, snap, out.Pattern); err == nil && f.Kind == doc.Code {
		bodies[f.Key] = nil
		out.Meant = append(out.Meant, f.Path)
	}
	return bodies, nil
}

// addCall adds a call. If its caller already has a call of that name, addCall only raises the
// count.
func (x *callees) addCall(f imports.File, c doc.Call, last string, resolve func() ([]xref.Edge, error)) error {
	from, facts := f.Caller(c.Caller), x.out.Facts
	k := [2]string{from, c.Name}
	if i, ok := x.at[k]; ok {
		for ; i < len(facts) && facts[i].Written == c.Name && facts[i].Target == from; i++ {
			facts[i].Count++
		}
		return nil
	}
	x.at[k] = len(facts)
	call := Fact{Path: f.Path, Line: c.Line, Written: c.Name, Target: from, Count: 1}
	edges, err := resolve()
	if err != nil {
		return err
	}
	shown := maxCandidates
	if len(edges) > manyCandidates {
		shown = 1
	}
	for _, e := range edges[:min(len(edges), shown)] {
		fact := call
		fact.DocID = doc.SymbolID(e.Path, e.Entry.Name)
		fact.Symbol, fact.Sort, fact.Title = e.Entry.Name, e.Entry.Sort, e.Entry.Title
		fact.Candidate, fact.Of, fact.Reason = !e.Certain, e.Candidates, e.Reason
		facts = append(facts, fact)
	}
	if len(edges) == 0 {
		sameFamily := func(d xref.Definition) bool { return d.Family() == imports.Family(f.Language) }
		if call.Reason = notDefined; slices.ContainsFunc(x.known[last], sameFamily) {
			call.Reason = notFollowed
		}
		facts = append(facts, call)
	}
	x.out.Facts = facts
	return nil
}
