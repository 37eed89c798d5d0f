package assay

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/code/callers"
	"patina/code/imports"
	"patina/code/lookup"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
)

// findMeant finds the definitions named by a pattern: a doc_id, path::method, a name, Type.method,
// or a glob of one of these. Both results are by last name. all holds every definition with that
// last name, also those that the pattern does not name.
func findMeant(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts,
) (meant map[string][]xref.Definition, all map[string][]xref.Definition, err error) {
	at, err := lookup.SymbolsAt(ctx, r, snap, out.Pattern)
	byID := err == nil // else Type::method in Rust and C++
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, nil, store.Damaged(err)
	}
	pattern := xref.Dotted(cmp.Or(at.Name, out.Pattern))
	names, err := namesLike(ctx, r, doc.LastName(pattern), out)
	if err != nil {
		return nil, nil, err
	}
	meant, all = make(map[string][]xref.Definition), make(map[string][]xref.Definition)
	for _, last := range names {
		defs, err := lookup.Defined(ctx, r, snap, last)
		if err != nil {
			return nil, nil, err
		}
		all[last] = defs
		isMeant := func(d *xref.Definition) bool {
			if byID {
				return slices.Contains(at.IDs, doc.SymbolID(d.Path, d.Entry.Name)) ||
					isGlob(pattern) && d.Path == at.Path && patternMeans(pattern, *d)
			}
			return patternMeans(pattern, *d)
		}
		for _, y := range xref.Symbols(defs) {
			d := *y.Definition
			if !isMeant(&d) && !slices.ContainsFunc(y.Declared, isMeant) {
				continue
			}
			meant[last] = append(meant[last], d)
			if id := doc.SymbolID(d.Path, d.Entry.Name); !slices.Contains(out.Meant, id) {
				out.name(id)
			}
		}
	}
	return meant, all, nil
}

// patternMeans reports whether "f", "Type.f" or "package.f", with wildcards, names a definition.
func patternMeans(pattern string, d xref.Definition) bool {
	name := doc.BareName(d.Entry.Name)
	i := strings.LastIndexByte(pattern, '.')
	if i < 0 || matchName(pattern, name) {
		return true
	}
	scope := xref.Unqualified(pattern[:i])
	return matchName(scope, d.Owner()) || d.Owner() == "" && d.In(scope)
}

// namesLike expands a glob of names to at most maxMeant. A plain name is returned as it is.
func namesLike(ctx context.Context, r *store.Reader, pattern string, out *Facts) ([]string, error) {
	if !isGlob(pattern) {
		return []string{pattern}, nil
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := r.Query(ctx, `SELECT DISTINCT s.name COLLATE BINARY FROM symbol s
		JOIN seen v ON v.view = ? AND v.key = s.file WHERE s.name GLOB ? LIMIT ?`,
		snap.View, pattern, maxMeant+1)
	if err != nil {
		return nil, store.Damaged(err)
	}
	defer func() { _ = rows.Close() }()
	var names []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, store.Damaged(err)
		}
		names = append(names, s)
	}
	if len(names) > maxMeant {
		names = names[:maxMeant]
		out.addNote("the first %d names that match %q", maxMeant, pattern)
	}
	return names, store.Damaged(rows.Err())
}

func assayCallers(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) error {
	meant, all, err := findMeant(ctx, r, snap, out)
	if err != nil {
		return err
	}
	if len(out.Meant) == 0 {
		return outsideCallers(ctx, r, snap, out)
	}
	var facts grouped
	for last, ds := range meant {
		calls, _, err := callers.CallersOf(ctx, r, snap, last, ds, all[last], callers.AllFiles)
		if err != nil {
			return err
		}
		for _, c := range calls {
			beside := imports.FolderOf(c.Edge.Path) == imports.FolderOf(c.In.Path)
			facts.addCaller(c, "", doc.SymbolID(c.Edge.Path, c.Edge.Entry.Name), beside)
		}
	}
	out.Facts = facts.sorted()
	return nil
}

// outsideCallers finds calls by a name that the index does not define.
func outsideCallers(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) error {
	pattern := strings.TrimSuffix(out.Pattern, "()")
	last, q := xref.Unqualified(pattern), xref.Unqualified(xref.Qualifier(pattern))
	if last == "" || isGlob(out.Pattern) || len(out.Pattern) > xref.MaxName {
		return nil
	}
	keys, err := callers.Mentioning(ctx, r, last)
	if err != nil {
		return err
	}
	reason, elsewhere, err := notDefinedAs(ctx, r, snap, last)
	if err != nil {
		return err
	}
	var facts grouped
	err = callers.FactRows(ctx, r, snap, keys, last, func(f imports.File) error {
		for _, c := range f.Calls {
			if xref.Unqualified(c.Name) != last {
				continue
			}
			if q == "" || xref.Unqualified(xref.Qualifier(c.Name)) == q {
				edge := xref.Edge{Reason: reason}
				facts.addCaller(callers.Called{In: &f, Call: c, Edge: edge}, "", "", false)
			}
		}
		return nil
	})
	if out.Facts = facts.sorted(); len(out.Facts) > 0 {
		out.addNote("%q is not defined in the index%s: calls by that name", out.Pattern, elsewhere)
	}
	return err
}

// These are the reasons for a call that leads to no definition.
const (
	notDefined  = "not defined in the index"
	notFollowed = "no definition of that name in scope"
)

// notDefinedAs returns the reason why a call leads to no definition. If the last name is defined
// after all, elsewhere names its first definition.
func notDefinedAs(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, last string,
) (reason, elsewhere string, err error) {
	defs, err := lookup.Defined(ctx, r, snap, last)
	if err != nil || len(defs) == 0 {
		return notDefined, "", err
	}
	return notFollowed, fmt.Sprintf(" as it is written, %s is", doc.SymbolID(defs[0].Path, defs[0].Entry.Name)), nil
}

// grouped merges calls and uses that have the same symbol around them, the same spelling and
// target, and the same syntax.As.
type grouped struct {
	facts []Fact
	near  []bool
	at    map[[4]string]int
}

func (g *grouped) addCaller(c callers.Called, as, target string, near bool) {
	if g.at == nil {
		g.at = make(map[[4]string]int)
	}
	f := Fact{
		DocID: c.In.Caller(c.Call.Caller), Path: c.In.Path, Line: c.Call.Line,
		Written: c.Call.Name, Target: target, As: as, Count: 1,
		Candidate: !c.Edge.Certain, Of: c.Edge.Candidates, Reason: c.Edge.Reason,
	}
	k := [4]string{f.DocID, f.Written, target, as}
	if i, ok := g.at[k]; ok {
		g.facts[i].Count++
		return
	}
	if i := c.Call.Caller; i >= 0 && i < len(c.In.Entries) {
		f.Symbol, f.Sort, f.Title = c.In.Entries[i].Name, c.In.Entries[i].Sort, c.In.Entries[i].Title
	}
	g.at[k] = len(g.facts)
	g.facts, g.near = append(g.facts, f), append(g.near, near)
}

// sorted puts certain calls first, then those in the same folder, then sorts by place.
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
		return cmp.Or(rank(a.Candidate)-rank(b.Candidate), rank(g.near[j])-rank(g.near[i]),
			cmp.Compare(a.Path, b.Path), a.Line-b.Line, cmp.Compare(a.Written, b.Written))
	})
	out := make([]Fact, len(order))
	for i, at := range order {
		out[i] = g.facts[at]
	}
	return out
}

// isGlob reports whether a pattern has wildcards.
func isGlob(p string) bool { return strings.ContainsAny(p, "*?[") }

// matchName reports whether a name matches a pattern, in its case.
func matchName(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}
