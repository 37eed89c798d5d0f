package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// meant finds the definitions that a pattern names: a doc_id, a name, Type.method, or a glob of one of these. all holds
// every definition of the same last names.
func (r *Reader) meant(ctx context.Context, snap *snapshot, out *Facts) (meant map[string][]definition, all map[string][]definition, err error) {
	file, pattern, byID := strings.Cut(out.Pattern, "::")
	if byID {
		if _, err := r.fileNamed(ctx, snap, file); err != nil {
			byID = false // Type::method of Rust and C++
		}
	}
	if !byID {
		file, pattern = "", strings.TrimSuffix(strings.NewReplacer("::", ".", "->", ".", "#", ".").Replace(out.Pattern), "()")
	}
	names, err := r.namesLike(ctx, lastName(pattern), out)
	if err != nil {
		return nil, nil, err
	}
	meant, all = make(map[string][]definition), make(map[string][]definition)
	for _, last := range names {
		defs, err := r.defined(ctx, snap, last)
		if err != nil {
			return nil, nil, err
		}
		all[last] = defs
		for _, d := range defs {
			if (!byID || d.path == file && d.entry.Name == pattern) && (byID || patternMeans(pattern, d)) {
				meant[last] = append(meant[last], d)
				if id := SymbolID(d.path, d.entry.Name); len(out.Meant) < maxMeant && !slices.Contains(out.Meant, id) {
					out.Meant = append(out.Meant, id)
				}
			}
		}
	}
	return meant, all, nil
}

// patternMeans tells whether "f", "Type.f" or "package.f", each with wildcards, names a definition.
func patternMeans(pattern string, d definition) bool {
	name := bareName(d.entry.Name)
	i := strings.LastIndexByte(pattern, '.')
	if i < 0 || matchName(pattern, name) {
		return true
	}
	scope := lastOf(pattern[:i])
	return matchName(scope, ownerOf(d.entry)) || ownerOf(d.entry) == "" && scoped(scope, d)
}

// namesLike expands a glob of names; a plain name is itself.
func (r *Reader) namesLike(ctx context.Context, pattern string, out *Facts) ([]string, error) {
	if !isGlob(pattern) {
		return []string{pattern}, nil
	}
	snap, err := r.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := r.query(ctx, `SELECT DISTINCT s.name COLLATE BINARY FROM symbol s JOIN seen v ON v.view = ? AND v.key = s.file WHERE s.name GLOB ? LIMIT ?`, snap.view, pattern, maxMeant+1)
	if err != nil {
		return nil, damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var names []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, damaged(err)
		}
		names = append(names, s)
	}
	if len(names) > maxMeant {
		names = names[:maxMeant]
		out.Notes = append(out.Notes, fmt.Sprintf("the first %d names that match %q", maxMeant, pattern))
	}
	return names, damaged(rows.Err())
}

func (r *Reader) assayCallers(ctx context.Context, snap *snapshot, out *Facts) error {
	meant, all, err := r.meant(ctx, snap, out)
	if err != nil {
		return err
	}
	if len(out.Meant) == 0 {
		return r.outsideCallers(ctx, snap, out)
	}
	var facts grouped
	for last, ds := range meant {
		calls, _, err := r.callersOf(ctx, snap, last, ds, all[last], allFiles)
		if err != nil {
			return err
		}
		for _, c := range calls {
			facts.add(c, SymbolID(c.edge.path, c.edge.entry.Name), folderOf(c.edge.path) == folderOf(c.in.path))
		}
	}
	out.Facts = facts.sorted()
	return nil
}

// outsideCallers finds the calls of a name that the index does not define, by the name as it is written.
func (r *Reader) outsideCallers(ctx context.Context, snap *snapshot, out *Facts) error {
	last, q := lastOf(strings.TrimSuffix(out.Pattern, "()")), lastOf(qualifierOf(strings.TrimSuffix(out.Pattern, "()")))
	if last == "" || isGlob(out.Pattern) || len(out.Pattern) > maxName {
		return nil
	}
	keys, err := r.mentioning(ctx, last)
	if err != nil {
		return err
	}
	var facts grouped
	err = r.factRows(ctx, snap, keys, last, func(f factRow) error {
		for _, c := range f.calls {
			if lastOf(c.Name) == last && (q == "" || lastOf(qualifierOf(c.Name)) == q) {
				facts.add(called{in: &f, call: c, edge: edge{reason: "not defined in the index"}}, "", false)
			}
		}
		return nil
	})
	if out.Facts = facts.sorted(); len(out.Facts) > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%q is not defined in the index: calls by that name", out.Pattern))
	}
	return err
}

// grouped are calls put together by caller, by what they may mean and by how they are written.
type grouped struct {
	facts []Fact
	near  []bool
	at    map[[3]string]int
}

func (g *grouped) add(c called, target string, near bool) {
	if g.at == nil {
		g.at = make(map[[3]string]int)
	}
	f := Fact{
		DocID: c.in.caller(c.call.Caller), Path: c.in.path, Line: c.call.Line, Written: c.call.Name, Target: target, Count: 1,
		Candidate: !c.edge.certain, Of: c.edge.of, Reason: c.edge.reason,
	}
	k := [3]string{f.DocID, f.Written, target}
	if i, ok := g.at[k]; ok {
		g.facts[i].Count++
		return
	}
	if i := c.call.Caller; i >= 0 && i < len(c.in.entries) {
		f.Symbol, f.Sort, f.Title = c.in.entries[i].Name, c.in.entries[i].Sort, c.in.entries[i].Title
	}
	g.at[k] = len(g.facts)
	g.facts, g.near = append(g.facts, f), append(g.near, near)
}

// sorted puts the certain first, then those of the same folder, then by place.
func (g *grouped) sorted() []Fact {
	order := make([]int, len(g.facts))
	for i := range order {
		order[i] = i
	}
	rank := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := g.facts[i], g.facts[j]
		return cmp.Or(rank(a.Candidate)-rank(b.Candidate), rank(g.near[j])-rank(g.near[i]), cmp.Compare(a.Path, b.Path), a.Line-b.Line, cmp.Compare(a.Written, b.Written))
	})
	out := make([]Fact, len(order))
	for i, at := range order {
		out[i] = g.facts[at]
	}
	return out
}

// maxCandidates is how many of the definitions that one call may mean are listed. Of more than manyCandidates, one stands
// for all: a list says nothing.
const (
	maxCandidates  = 3
	manyCandidates = 9
)

func (r *Reader) assayCallees(ctx context.Context, snap *snapshot, out *Facts) error {
	meant, _, err := r.meant(ctx, snap, out)
	if err != nil {
		return err
	}
	bodies := make(map[int64][]definition)
	for _, ds := range meant {
		for _, d := range ds {
			bodies[d.file] = append(bodies[d.file], d)
		}
	}
	if len(bodies) == 0 {
		if f, err := r.fileNamed(ctx, snap, out.Pattern); err == nil && f.kind == Code {
			bodies[f.key] = nil // the whole file
			out.Meant = append(out.Meant, f.path)
		}
	}
	m, err := r.modules(ctx, snap)
	if err != nil {
		return err
	}
	known := make(map[string][]definition)
	keys := make([]int64, 0, len(bodies))
	for k := range bodies {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var rows []factRow
	if err := r.factRows(ctx, snap, keys, "", func(f factRow) error { rows = append(rows, f); return nil }); err != nil {
		return err
	}
	at := make(map[[2]string]int)
	for _, f := range rows {
		s := r.site(ctx, f, m)
		for _, c := range f.calls {
			if ds := bodies[f.key]; ds != nil && !slices.ContainsFunc(ds, func(d definition) bool { return f.within(c, d) }) {
				continue
			}
			last := s.meant(c.Name)
			if _, ok := known[last]; !ok {
				if known[last], err = r.defined(ctx, snap, last); err != nil {
					return err
				}
			}
			from := f.caller(c.Caller)
			k := [2]string{from, c.Name}
			if i, ok := at[k]; ok {
				for ; i < len(out.Facts) && out.Facts[i].Written == c.Name && out.Facts[i].Target == from; i++ {
					out.Facts[i].Count++
				}
				continue
			}
			at[k] = len(out.Facts)
			edges := s.resolve(c, known[last])
			shown := maxCandidates
			if len(edges) > manyCandidates {
				shown = 1
			}
			for _, e := range edges[:min(len(edges), shown)] {
				out.Facts = append(out.Facts, Fact{
					DocID: SymbolID(e.path, e.entry.Name), Path: f.path, Line: c.Line, Symbol: e.entry.Name, Sort: e.entry.Sort, Title: e.entry.Title,
					Written: c.Name, Target: from, Count: 1, Candidate: !e.certain, Of: e.of, Reason: e.reason,
				})
			}
			if len(edges) == 0 {
				out.Facts = append(out.Facts, Fact{Path: f.path, Line: c.Line, Written: c.Name, Target: from, Count: 1, Reason: "not defined in the index"})
			}
		}
	}
	return nil
}

// within tells whether a call stands in a definition, or in what that encloses.
func (f factRow) within(c Call, d definition) bool {
	for i, steps := c.Caller, 0; i >= 0 && i < len(f.entries) && steps <= len(f.entries); i, steps = f.entries[i].Parent, steps+1 {
		if i == d.ordinal {
			return true
		}
	}
	return false
}
