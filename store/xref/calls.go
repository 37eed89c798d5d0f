package xref

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/store"
)

// A Site is where calls stand: all that decides which definitions of a name they can mean. Nothing here knows the type of a
// variable.
type Site struct {
	*Modules
	path     string
	folder   string
	lang     string
	family   string
	imports  []string
	bindings []store.Binding
	entries  []store.Entry
	exports  func(file int) []store.Binding // the bindings of another file, for names that it hands on

	reached []Lead            // where the imports lead
	reaches map[string]reach  // by path, as far as it has been asked
	renamed map[string]string // names that stand for another one → that one
	strange []string          // folders of packages of Go that no call names by what their paths end in
}

// A verdict says what speaks for one definition being the one that is called.
type verdict int

const (
	excluded  verdict = iota // the language or the qualifier rules it out
	possible                 // the name is the same
	near                     // an import leads near it
	inherited                // a type that the own type is made from has it
	inScope                  // the scope says so: same file, same package, imported, own type
	innermost                // a function around the call defines it
)

// An Edge is a definition that a call may mean.
type Edge struct {
	*Definition
	Certain bool
	Of      int    // definitions that the call may mean as well as this one, itself counted
	Reason  string // what speaks for it
	near    int    // nearness
}

// A reading is a call taken apart.
type reading struct {
	store.Call
	name      string // what is called by the name that its definition has
	qualifier string // "" for a bare name
	last      string // of the qualifier
	variable  string // that in lower case, without underscores
	self      bool   // the qualifier is the object that the calling method belongs to
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

// callsBehind tells whether any call is written behind a name.
func callsBehind(name string, calls []store.Call) bool {
	return slices.ContainsFunc(calls, func(c store.Call) bool { return strings.HasPrefix(c.Name, name) && QualifierOf(c.Name) == name })
}

// Meant is the name whose definitions a call can mean: that of an import where it has another name here.
func (s *Site) Meant(written string) string {
	if to, ok := s.renamed[written]; ok {
		return to
	}
	return LastOf(written)
}

// Resolve names the definitions that a call may mean, the likeliest first. defs are all definitions of the name that it means, by
// path and line. It is certain of one definition that the scope singles out, or that alone in the index bears the name if the
// file knows it.
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

// nearestFirst orders edges by their few grades of nearness, and leaves those of one in their order.
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

// read takes a call apart.
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

// sees tells whether a file has to do with a definition: it holds it, lies beside it, or imports what does. A method that no
// other type of the index has may still be one of a library (click's ctx.invoke); in a file that knows its type it seldom is.
func (s *Site) sees(r *reading, d *Definition) bool {
	if r.qualifier != "" && !r.self && ofBuiltins[s.family][r.name] && !r.likeReceiver(d) {
		return false
	}
	if d.Local { // a value of a type that a function defines seldom leaves it
		return false
	}
	return d.Path == s.path || s.imported(d.Path) > Unreached || r.qualifier == "" || r.self || s.samePackage(d)
}

// sameName tells whether all edges lead to one name of one file: overloads, which names cannot tell apart and need not.
func sameName(es []Edge) bool {
	return !slices.ContainsFunc(es, func(e Edge) bool {
		return e.Path != es[0].Path || store.BareName(e.Entry.Name) != store.BareName(es[0].Entry.Name)
	})
}

// nearness orders definitions that are equally possible: a type named like the receiver, the same file, what an import leads
// to, the same folder, code before tests; last what would need a renamed import.
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

// likeReceiver tells whether the receiver is named like a type: "engine" or "query_engine" for QueryEngine.
func (r *reading) likeReceiver(d *Definition) bool {
	return len(r.variable) > 1 && (r.variable == d.lowerOwner || len(r.variable) > 3 && strings.HasSuffix(d.lowerOwner, r.variable))
}

// goVisible tells whether a file of Go can name a definition at all: another package sees capitals only, and nobody but the
// tests of a folder sees its tests.
func (s *Site) goVisible(d *Definition) bool {
	here := s.folder == d.folder
	if strings.HasSuffix(d.Path, "_test.go") && !(here && strings.HasSuffix(s.path, "_test.go")) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(d.name)
	return here || unicode.IsUpper(first)
}

// self tells whether a qualifier is the object that the calling method belongs to.
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

// ownerAt is the type whose method or body encloses an entry; "" for none.
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

// OwnerOf is the type that a method, or any other member, belongs to; "" at the top level.
func OwnerOf(e store.Entry) string {
	name := store.BareName(e.Name)
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return LastOf(name[:i])
}
