// Package xref resolves calls: the Scope of a file finds the definitions that its calls may mean,
// by the names that the file defines and those that it imports.
//
// It uses only names, paths and manifests, and infers no types. Therefore each Edge is either
// certain, because the scope singles out one definition, or one of several candidates. The package
// is pure: it uses no database, files or clock. Equal input gives equal output.
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
	Candidates int    // number of definitions that the call may mean
	Reason     string // why this definition, for people
	nearness   int
}

// A reference is a parsed call.
type reference struct {
	doc.Call
	name      string // of its definition
	qualifier string // "" for a bare name
	last      string // last part of the qualifier
	variable  string // last in lower case, without underscores
	self      bool   // the qualifier is the object of the calling method
	bound     bool   // an import binds the first name
	foreign   bool   // in Rust: the path begins with a crate outside the view
	means     []imports.Target
	typ       string // declared type of the receiver, as written; may be ""
	typFile   int    // file that declares it
}

// Resolve returns the definitions that a call may mean, the likeliest first. defs must be all
// definitions of the name that Unalias returns, sorted by path and line. An edge is certain if the
// scope singles out one definition, or if it is the only one in the index and the file knows it.
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

// Certain returns a definition that a call certainly means, or nil. It is the likeliest one of
// Resolve or an overload of it. Certain is much faster, because it computes neither order nor
// reasons.
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
			overloads = overloads && d.Path == found.Path &&
				doc.BareName(d.Entry.Name) == doc.BareName(found.Entry.Name)
		}
	}
	switch {
	case best > possible && overloads, best == possible && named == 1 && !isGuess(why) && s.knows(r, found):
		return found
	}
	return nil
}

// symbols joins definitions with their prototypes. It caches the last result.
func (s *Scope) symbols(defs []Definition) []Symbol {
	if len(defs) == 0 {
		return nil
	}
	if s.joinedOf != &defs[0] || len(s.joined) > len(defs) {
		s.joined, s.joinedOf = Symbols(defs), &defs[0]
	}
	return s.joined
}

// nearestFirst stably sorts edges by nearness, the nearest first.
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

// reference parses a call.
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
		if r.typ, r.typFile = n.name, n.file; r.typ != "" { // a variable shadows an import
			r.means, r.bound = nil, false
		}
	}
	return r
}

// isVariable reports whether a call of Rust is on a variable: x.f, which is not a path.
func isVariable(call string) bool {
	return strings.Contains(call, ".") && (call[0] == '_' || call[0] >= 'a' && call[0] <= 'z')
}

// likelyOutside is the reason for a method that built-in values of the language also have. Of 103
// such candidates that were judged by reading, 7 were right (bench/history/edges.md).
const likelyOutside = "likely a library's"

// sameName reports whether all edges lead to one name in one file: overloads, which need not be
// told apart.
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
