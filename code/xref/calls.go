// Package xref finds what calls mean: the Scope of a file says which definitions its calls may
// mean, by the names that the file defines and that its imports bring.
//
// It goes by names, paths and manifests alone, and infers no types. So each Edge says how sure it
// is: certain where the scope singles out one definition, else one of several candidates. It is
// arithmetic on what a scrape has read: no database, no files, no clock. Equal input gives equal
// output.
//
// It leaves to others: reading imports, bindings and calls from source (scrape), following imports
// to files (code/imports), and finding the files and definitions of a name (code/lookup).
package xref

import (
	"maps"
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// An Edge leads from a call to a definition that it may mean.
type Edge struct {
	*Definition
	Certain    bool
	Candidates int    // definitions that the call may mean, with this one
	Reason     string // for this definition, for people
	nearness   int
}

// A reference is a call taken apart.
type reference struct {
	doc.Call
	name      string // that its definition bears
	qualifier string // "" for a bare name
	last      string // last part of the qualifier
	variable  string // last in lower case, without underscores
	self      bool   // the qualifier is the object that the calling method belongs to
	bound     bool   // an import brings the first name
	foreign   bool   // of Rust: a path that begins with a crate from outside, and no import
	means     []imports.Target
	typ       string // declared for the receiver, as written; "" for none
	typFile   int    // that writes it
}

// Resolve finds the definitions that a call may mean, the likeliest first. defs are all definitions
// of the name that Unalias gives, by path and line. An edge is certain if the scope singles out one
// definition, or if it is the only one in the index and the file knows it.
func (s *Scope) Resolve(call doc.Call, defs []Definition) []Edge {
	var out []Edge
	best, named := excluded, 0
	r := s.reference(call)
	for _, y := range s.symbols(defs) {
		d := y.Definition
		if d.family != s.family || d.Entry.Sort == doc.Section {
			continue
		}
		named++
		v, reason := s.judgeSymbol(r, y)
		if v == excluded || v < best {
			continue
		}
		if v > best {
			best, out = v, out[:0]
		}
		out = append(out, Edge{Definition: d, Reason: reason, nearness: s.nearness(r, d, reason)})
	}
	out = nearestFirst(out)
	alone := best == possible && named == 1 && !isGuess(out[0].Reason)
	certain := best > possible && sameName(out) || alone && s.knows(r, out[0].Definition)
	outside := !certain && best == possible && s.rules.SaysOutside &&
		!slices.ContainsFunc(out, func(e Edge) bool { return !s.likelyOutside(r, e.Definition) })
	for i := range out {
		out[i].Certain, out[i].Candidates = certain, len(out)
		switch {
		case outside && out[i].Reason == unknownReceiver:
			out[i].Reason = likelyOutside
		case alone:
			out[i].Reason = "only definition"
		}
	}
	return out
}

// Certain returns a definition that a call certainly means, or nil: the likeliest one of Resolve,
// or an overload beside it. It gives no order and no reasons, so it is much quicker.
func (s *Scope) Certain(call doc.Call, defs []Definition) *Definition {
	if len(defs) == 0 {
		return nil
	}
	var found *Definition
	best, named, overloads, why := excluded, 0, true, ""
	r := s.reference(call)
	for _, y := range s.symbols(defs) {
		d := y.Definition
		if d.family != s.family || d.Entry.Sort == doc.Section {
			continue
		}
		named++
		switch v, reason := s.judgeSymbol(r, y); {
		case v == excluded || v < best:
		case v > best:
			best, found, overloads, why = v, d, true, reason
		default:
			overloads = overloads && d.Path == found.Path && doc.BareName(d.Entry.Name) == doc.BareName(found.Entry.Name)
		}
	}
	switch {
	case best > possible && overloads, best == possible && named == 1 && !isGuess(why) && s.knows(r, found):
		return found
	}
	return nil
}

// symbols joins definitions with their prototypes. A list of the same definitions is joined once.
func (s *Scope) symbols(defs []Definition) []Symbol {
	if len(defs) == 0 {
		return nil
	}
	if s.joinedOf != &defs[0] || len(s.joined) > len(defs) {
		s.joined, s.joinedOf = Symbols(defs), &defs[0]
	}
	return s.joined
}

// nearestFirst orders edges by their few grades of nearness, and keeps the order within a grade.
func nearestFirst(es []Edge) []Edge {
	grades := make(map[int]int)
	for _, e := range es {
		grades[e.nearness]++
	}
	if len(grades) < 2 {
		return es
	}
	out := make([]Edge, 0, len(es))
	for _, grade := range slices.Backward(slices.Sorted(maps.Keys(grades))) {
		for _, e := range es {
			if e.nearness == grade {
				out = append(out, e)
			}
		}
	}
	return out
}

// reference takes a call apart.
func (s *Scope) reference(c doc.Call) *reference {
	r := &reference{Call: c, name: s.Unalias(c.Name), qualifier: s.unaliased(Qualifier(c.Name))}
	r.last = Unqualified(r.qualifier)
	r.variable = strings.ToLower(strings.ReplaceAll(r.last, "_", ""))
	r.self = r.qualifier != "" && s.isSelf(c, r.qualifier)
	if !r.self && !strings.HasPrefix(c.Name, "_.") && !(s.rules.Modules == lang.CrateModules && isVariable(c.Name)) {
		r.means, r.bound = s.meanings(imports.SplitName(c.Name))
	}
	if s.rules.Modules == lang.CrateModules && !r.bound && !r.self && !isVariable(c.Name) {
		first, _, path := strings.Cut(c.Name, "::")
		r.foreign = path && s.resolver.NamesCrate(s.rules, s.path, first)
	}
	if r.qualifier != "" && !r.self {
		n := s.typeOf(c, Qualifier(c.Name))
		if r.typ, r.typFile = n.name, n.file; r.typ != "" { // a variable hides an import
			r.means, r.bound = nil, false
		}
	}
	return r
}

// isVariable reports whether a call of Rust is written on a variable: x.f, which is no path.
func isVariable(call string) bool {
	return strings.Contains(call, ".") && (call[0] == '_' || call[0] >= 'a' && call[0] <= 'z')
}

// likelyOutside is the reason for a method that the values of the language have, too. Of 103 such
// candidates that were judged by reading, 7 were right (bench/history/edges.md).
const likelyOutside = "likely a library's"

// sameName reports whether all edges lead to one name of one file: overloads, which names cannot
// tell apart and need not.
func sameName(es []Edge) bool {
	name := func(e Edge) string { return doc.BareName(e.Entry.Name) }
	return !slices.ContainsFunc(es, func(e Edge) bool {
		return e.Path != es[0].Path || name(e) != name(es[0])
	})
}

// likeOwner reports whether the receiver is named like the type of a method: "engine" or
// "query_engine" for QueryEngine.
func (r *reference) likeOwner(d *Definition) bool {
	return len(r.variable) > 1 && r.variable == d.lowerOwner ||
		len(r.variable) > 3 && strings.HasSuffix(d.lowerOwner, r.variable)
}
