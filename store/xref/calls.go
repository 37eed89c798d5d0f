package xref

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/store"
)

// A Site is the place of calls, with all that decides which definitions they can mean. It does not
// know the types of variables.
type Site struct {
	*Modules
	path     string
	folder   string
	lang     string
	family   string
	imports  []string
	bindings []store.Binding
	entries  []store.Entry
	exports  func(file int) []store.Binding // another file's bindings, for re-exports

	reached []Lead            // the imports' targets
	reaches map[string]reach  // by path, filled on demand
	renamed map[string]string // alias → name
	strange []string          // Go packages whose name differs from their path's end
}

// A verdict grades one definition as the meaning of a call.
type verdict int

const (
	excluded  verdict = iota // the language or the qualifier rules it out
	possible                 // the name is the same
	near                     // an import leads near it
	inherited                // a base of the own type has it
	inScope                  // in scope: same file, same package, imported, own type
	innermost                // a function around the call defines it
)

// An Edge is a definition that a call may mean.
type Edge struct {
	*Definition
	Certain bool
	Of      int    // the number of possible definitions, with this one
	Reason  string // the evidence for it
	near    int    // nearness
}

// A reading is a parsed call.
type reading struct {
	store.Call
	name      string // the callee's name, as its definition has it
	qualifier string // "" for a bare name
	last      string // the qualifier's last part
	variable  string // the same in lower case, without underscores
	self      bool   // the qualifier is the calling method's object
	bound     bool   // an import brings the first name
	means     []Lead
}

func NewSite(f File, m *Modules, exports func(int) []store.Binding) *Site {
	s := &Site{Modules: m, path: f.Path, folder: FolderOf(f.Path), lang: f.Language, family: Family(f.Language), imports: f.Imports, bindings: f.Bindings, entries: f.Entries, exports: exports, renamed: renames(f), reaches: make(map[string]reach)}
	for _, t := range f.Imports {
		if l := m.Leads(f.Language, f.Path, t); l.Found {
			s.reached = append(s.reached, l)
			if f.Language == "Go" && !s.hasName(t) && !callsBehind(goName(t), f.Calls) {
				s.strange = append(s.strange, l.Folder)
			}
		}
	}
	return s
}

// callsBehind reports whether any call has this name before it.
func callsBehind(name string, calls []store.Call) bool {
	return slices.ContainsFunc(calls, func(c store.Call) bool { return strings.HasPrefix(c.Name, name) && QualifierOf(c.Name) == name })
}

// Meant returns the name to look up for a call: an alias stands for the import's own name.
func (s *Site) Meant(written string) string {
	if to, ok := s.renamed[written]; ok {
		return to
	}
	return LastOf(written)
}

// Resolve returns the definitions that a call may mean, likeliest first. defs are all definitions
// with the name that Meant returns, by path and line. It is certain about a definition if the scope
// leaves no other, or if it alone has the name and the file knows it.
func (s *Site) Resolve(call store.Call, defs []Definition) []Edge {
	var out []Edge
	best, named := excluded, 0
	r := s.read(call)
	for i := range defs {
		d := &defs[i]
		if d.Family != s.family || d.Entry.Sort == store.Section {
			continue
		}
		named++
		v, reason := s.judge(r, d)
		if v == excluded || v < best {
			continue
		}
		if v > best {
			best, out = v, out[:0]
		}
		out = append(out, Edge{Definition: d, Reason: reason, near: s.nearness(r, d, reason)})
	}
	out = nearestFirst(out)
	alone := best == possible && named == 1 && out[0].Reason != otherName
	certain := best > possible && sameName(out) || alone && s.sees(r, out[0].Definition)
	for i := range out {
		out[i].Certain, out[i].Of = certain, len(out)
		if alone {
			out[i].Reason = "only definition"
		}
	}
	return out
}

// nearestFirst sorts edges by nearness; ties keep their order.
func nearestFirst(es []Edge) []Edge {
	grades := make(map[int]int)
	for _, e := range es {
		grades[e.near]++
	}
	if len(grades) < 2 {
		return es
	}
	out := make([]Edge, 0, len(es))
	for _, grade := range slices.Backward(slices.Sorted(maps.Keys(grades))) {
		for _, e := range es {
			if e.near == grade {
				out = append(out, e)
			}
		}
	}
	return out
}

// read parses a call.
func (s *Site) read(c store.Call) *reading {
	r := &reading{Call: c, name: s.Meant(c.Name), qualifier: s.unaliased(QualifierOf(c.Name))}
	r.last = LastOf(r.qualifier)
	r.variable = strings.ToLower(strings.ReplaceAll(r.last, "_", ""))
	r.self = r.qualifier != "" && s.self(c, r.qualifier)
	if !r.self && !strings.HasPrefix(c.Name, "_.") {
		r.means, r.bound = s.meanings(segments(c.Name))
	}
	return r
}

// sees reports whether a file is related to a definition: it holds it, lies beside it, or imports
// it. A method found in only one type may still belong to a library (click's ctx.invoke). In a file
// that knows its type that is rare.
func (s *Site) sees(r *reading, d *Definition) bool {
	if r.qualifier != "" && !r.self && ofBuiltins[s.family][r.name] && !r.likeReceiver(d) {
		return false
	}
	if d.Local { // a value of a local type seldom leaves its function
		return false
	}
	return d.Path == s.path || s.imported(d.Path) > Unreached || r.qualifier == "" || r.self || s.samePackage(d)
}

// sameName reports whether all edges lead to one name in one file: overloads.
func sameName(es []Edge) bool {
	return !slices.ContainsFunc(es, func(e Edge) bool {
		return e.Path != es[0].Path || store.BareName(e.Entry.Name) != store.BareName(es[0].Entry.Name)
	})
}

// nearness orders equally possible definitions: a type named like the receiver, the same file,
// imported files, the same folder, code before tests; last, definitions that need an alias.
func (s *Site) nearness(r *reading, d *Definition, reason string) int {
	n := 0
	if reason == otherName {
		n -= 16
	}
	if r.likeReceiver(d) {
		n += 8
	}
	if d.Path == s.path {
		n += 4
	}
	switch {
	case d.Path != s.path && s.imported(d.Path) > Unreached:
		n += 3
	case d.folder == s.folder:
		n += 2
	}
	if d.Class&(store.TestFolder|store.TestName) == 0 {
		n++
	}
	return n
}

// likeReceiver reports whether the receiver is named like a type: "engine" or "query_engine" for
// QueryEngine.
func (r *reading) likeReceiver(d *Definition) bool {
	return len(r.variable) > 1 && (r.variable == d.lowerOwner || len(r.variable) > 3 && strings.HasSuffix(d.lowerOwner, r.variable))
}

// goVisible reports whether a Go file can name a definition. Another package sees only capitals,
// and only a folder's own tests see its tests.
func (s *Site) goVisible(d *Definition) bool {
	here := s.folder == d.folder
	if strings.HasSuffix(d.Path, "_test.go") && !(here && strings.HasSuffix(s.path, "_test.go")) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(d.name)
	return here || unicode.IsUpper(first)
}

// self reports whether a qualifier is the calling method's object.
func (s *Site) self(call store.Call, q string) bool {
	if s.family != "Go" {
		return q == "self" || q == "this" || q == "cls" || q == "Self" || q == "$this" || q == "super" || q == "static" || q == "parent"
	}
	if call.Caller < 0 || call.Caller >= len(s.entries) {
		return false
	}
	receiver, ok := strings.CutPrefix(s.entries[call.Caller].Title, "func (")
	name, _, _ := strings.Cut(receiver, " ")
	return ok && name == q
}

func (s *Site) nameAt(i int) string {
	if i < 0 || i >= len(s.entries) {
		return ""
	}
	return s.entries[i].Name
}

// ownerAt returns the type whose method or body encloses an entry; "" for none.
func (s *Site) ownerAt(i int) string {
	for range len(s.entries) { // bounded: parents come from the file
		if i < 0 || i >= len(s.entries) {
			return ""
		}
		switch e := s.entries[i]; e.Sort {
		case store.Type:
			return store.LastName(e.Name)
		case store.Method:
			return OwnerOf(e)
		}
		i = s.entries[i].Parent
	}
	return ""
}

// OwnerOf returns the type of a method or other member; "" at the top level.
func OwnerOf(e store.Entry) string {
	name := store.BareName(e.Name)
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return LastOf(name[:i])
}
