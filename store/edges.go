package store

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A site is where a call stands: all that decides which definitions of a name it can mean. Names alone do not decide:
// nothing here knows the type of a variable.
type site struct {
	modules modules
	path    string
	lang    string
	imports []string
	entries []Entry
}

// A verdict says what speaks for one definition being the one that is called.
type verdict int

const (
	excluded verdict = iota // the language or the qualifier rules it out
	possible                // the name is the same
	imported                // an import leads near it
	inScope                 // the scope says so: same file, same package, imported by path, own type
)

// An edge is a definition that a call may mean.
type edge struct {
	definition
	certain bool
	of      int    // definitions that the call may mean as well as this one, itself counted
	reason  string // what speaks for it
	near    int    // nearness
}

// resolve names the definitions that a call may mean, the likeliest first. defs are all definitions of the call's last name.
// It is certain of one definition that the scope singles out, or that alone in the index bears the name if the file knows it.
func (s *site) resolve(call Call, defs []definition) []edge {
	var out []edge
	best, named := excluded, 0
	for _, d := range defs {
		if family(d.lang) != family(s.lang) || d.entry.Sort == Section {
			continue
		}
		named++
		v, reason := s.judge(call, d)
		if v == excluded || v < best {
			continue
		}
		if v > best {
			best, out = v, out[:0]
		}
		out = append(out, edge{definition: d, reason: reason, near: s.nearness(call, d, reason)})
	}
	slices.SortStableFunc(out, func(a, b edge) int {
		return cmp.Or(b.near-a.near, cmp.Compare(a.path, b.path), a.entry.Line-b.entry.Line)
	})
	alone := best == possible && named == 1 && out[0].reason != otherName
	certain := best > possible && sameName(out) || alone && s.sees(call, out[0].definition)
	for i := range out {
		out[i].certain, out[i].of = certain, len(out)
		if alone {
			out[i].reason = "only definition"
		}
	}
	return out
}

// sees tells whether a file has to do with a definition: it holds it, lies beside it, or imports what does. A method that no
// other type of the index has may still be one of a library (click's ctx.invoke); in a file that knows its type it seldom is.
func (s *site) sees(call Call, d definition) bool {
	q := qualifierOf(call.Name)
	if q != "" && !s.self(call, q) && ofBuiltins[family(s.lang)][lastOf(call.Name)] && !likeReceiver(lastOf(q), ownerOf(d.entry)) {
		return false
	}
	return d.path == s.path || s.imported(d.path) > unreached || q == "" || s.self(call, q) ||
		folderOf(d.path) == folderOf(s.path) && packaged[family(s.lang)]
}

// ofBuiltins are methods that values of the language itself have: on a variable, they are more likely to be those.
var ofBuiltins = map[string]map[string]bool{
	"Python": wordSet(`append add capitalize casefold clear close copy count decode difference discard encode endswith extend find flush
		format fromkeys get index insert intersection isdigit items join keys ljust lower lstrip partition pop popitem read readline
		remove replace reverse rpartition rsplit rstrip seek setdefault sort split splitlines startswith strip tell title translate
		union update upper values write`),
	"JavaScript": wordSet(`add apply at bind call catch charAt clear concat delete endsWith entries every fill filter finally find
		findIndex flat flatMap forEach get has includes indexOf join keys map match padEnd padStart pop push reduce repeat replace
		reverse set shift slice some sort splice split startsWith substring test then toString trim unshift values`),
}

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// sameName tells whether all edges lead to one name of one file: overloads, which names cannot tell apart and need not.
func sameName(es []edge) bool {
	return !slices.ContainsFunc(es, func(e edge) bool {
		return e.path != es[0].path || bareName(e.entry.Name) != bareName(es[0].entry.Name)
	})
}

// nearness orders definitions that are equally possible: a type named like the receiver, the same file, the same folder,
// code before tests; last what would need a renamed import.
func (s *site) nearness(call Call, d definition, reason string) int {
	n := 0
	if reason == otherName {
		n -= 16
	}
	if likeReceiver(lastOf(qualifierOf(call.Name)), ownerOf(d.entry)) {
		n += 8
	}
	if d.path == s.path {
		n += 4
	}
	if folderOf(d.path) == folderOf(s.path) {
		n += 2
	}
	if d.class&(TestFolder|TestName) == 0 {
		n++
	}
	return n
}

// likeReceiver tells whether a variable is named like a type: "engine" or "query_engine" for QueryEngine.
func likeReceiver(variable, owner string) bool {
	v, o := strings.ToLower(strings.ReplaceAll(variable, "_", "")), strings.ToLower(owner)
	return len(v) > 1 && (v == o || len(v) > 3 && strings.HasSuffix(o, v))
}

// otherName is why x.F may be meant where an import of x's module may have given it another name.
const otherName = "module under another name?"

// judge weighs one definition against the qualifier of a call.
func (s *site) judge(call Call, d definition) (verdict, string) {
	q := qualifierOf(call.Name)
	switch {
	case family(s.lang) == "Go" && !goVisible(s.path, d):
		return excluded, ""
	case q == "":
		return s.bare(call, d)
	case s.self(call, q):
		return s.own(call, d)
	case q == "_" && family(s.lang) != "Go" && d.path == s.path && d.entry.Name == s.nameAt(call.Caller):
		return excluded, "" // super().f() inside f, which is read as _.f
	case ownerOf(d.entry) != "":
		return s.method(q, d)
	}
	return s.member(call.Name, q, d)
}

// goVisible tells whether a file of Go can name a definition at all: another package sees capitals only, and nobody but the
// tests of a folder sees its tests.
func goVisible(from string, d definition) bool {
	here := folderOf(from) == folderOf(d.path)
	if strings.HasSuffix(d.path, "_test.go") && !(here && strings.HasSuffix(from, "_test.go")) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(lastName(d.entry.Name))
	return here || unicode.IsUpper(first)
}

// bare judges f(): what the file, the package or an import brings into scope.
func (s *site) bare(call Call, d definition) (verdict, string) {
	same := d.path == s.path
	if ownerOf(d.entry) != "" && d.entry.Sort != Type {
		switch owner := s.ownerAt(call.Caller); {
		case !implicitThis[family(s.lang)]:
			return excluded, ""
		case owner != "" && owner == ownerOf(d.entry) && (same || folderOf(d.path) == folderOf(s.path)):
			return inScope, "same type"
		}
		return possible, "name"
	}
	if d.parent != nil && (d.parent.Sort == Function || d.parent.Sort == Method) { // a local function
		if same && d.parent.First <= call.Line && call.Line <= d.parent.Last {
			return inScope, "same function"
		}
		return excluded, ""
	}
	if same {
		return inScope, "same file"
	}
	if packaged[family(s.lang)] && folderOf(d.path) == folderOf(s.path) {
		return inScope, "same package"
	}
	switch s.imported(d.path) {
	case exactly:
		if family(s.lang) != "Go" { // where an import brings the package's name only
			return inScope, "imported"
		}
	case around:
		return imported, "near an import"
	}
	if mustImport[family(s.lang)] {
		return excluded, ""
	}
	return possible, "name"
}

var (
	// implicitThis are languages where f() may be a method of the enclosing type.
	implicitThis = map[string]bool{"Java": true, "C#": true, "C": true, "Ruby": true, "Kotlin": true, "Scala": true, "Swift": true}
	// packaged are languages where a folder shares its names.
	packaged = map[string]bool{"Go": true, "Java": true, "Swift": true}
	// mustImport are languages where a bare name of another file must have been imported.
	mustImport = map[string]bool{"Go": true, "Python": true, "JavaScript": true}
)

// imported tells whether any import leads to a file.
func (s *site) imported(to string) reach {
	most := unreached
	for _, t := range s.imports {
		most = max(most, s.modules.leads(s.lang, s.path, t, to))
	}
	return most
}

// own judges self.f(): a method of the enclosing type, else one that it may inherit.
func (s *site) own(call Call, d definition) (verdict, string) {
	owner := ownerOf(d.entry)
	switch {
	case owner == "":
		return excluded, ""
	case owner == s.ownerAt(call.Caller) && (d.path == s.path || folderOf(d.path) == folderOf(s.path)):
		return inScope, "own type"
	}
	return possible, "may be inherited"
}

// method judges x.f() against a method: x may be its type; of a variable nothing is known.
func (s *site) method(q string, d definition) (verdict, string) {
	last := lastOf(q)
	switch {
	case last == ownerOf(d.entry) && family(s.lang) != "Go": // where it is a variable or an embedded field far more often
		return inScope, "names the type"
	case s.importsAs(q):
		return excluded, ""
	}
	return possible, "receiver unknown"
}

// member judges x.f() against what is no method: x must be a module that holds it.
func (s *site) member(written, q string, d definition) (verdict, string) {
	last := lastOf(q)
	if last == "_" || d.parent != nil {
		return excluded, ""
	}
	stem, _, _ := strings.Cut(path.Base(d.path), ".")
	folder := path.Base(folderOf(d.path))
	switch family(s.lang) {
	case "Go":
		return s.goMember(q, d)
	case "Python", "JavaScript":
		if root, _, dotted := strings.Cut(q, "."); dotted && !s.importsAs(root) && !s.importsAs(q) {
			return excluded, "" // an attribute of a variable, not a module: current_app.json.dump
		}
		named := strings.EqualFold(stem, last) || folder == last && (stem == "__init__" || stem == "index")
		switch r := s.imported(d.path); {
		case r == exactly && named:
			return inScope, "imported module"
		case r == around && named:
			return imported, "near an import"
		case r == exactly && !s.importsAs(q) && q == last && q != "self" && q != "this":
			return possible, otherName
		}
		return excluded, ""
	case "Java", "C#":
		return excluded, ""
	case "Rust":
		if stem == last || folder == last {
			return inScope, "names the module"
		}
		if last == "crate" || last == "super" || last == "self" {
			return possible, "name"
		}
		return excluded, ""
	}
	if strings.Contains(written, "::") || strings.Contains(written, `\`) {
		return possible, "name"
	}
	return excluded, ""
}

// goMember judges pkg.F(): the import that pkg names must lead to the package. An import may bear another name.
func (s *site) goMember(q string, d definition) (verdict, string) {
	if strings.Contains(q, ".") || s.imported(d.path) != exactly {
		return excluded, ""
	}
	for _, t := range s.imports {
		if goName(t) == q && s.modules.leads(s.lang, s.path, t, d.path) == exactly {
			return inScope, "imported package"
		}
	}
	if s.importsAs(q) {
		return excluded, ""
	}
	return possible, otherName
}

// importsAs tells whether a qualifier is the name of an import.
func (s *site) importsAs(q string) bool {
	return slices.ContainsFunc(s.imports, func(t string) bool {
		switch family(s.lang) {
		case "Go":
			return goName(t) == q
		case "Python":
			return strings.TrimLeft(t, ".") == q || lastOf(t) == q
		case "JavaScript":
			return withoutExtension(lastOf(strings.TrimSuffix(t, ".js"))) == q && !strings.HasPrefix(t, ".")
		}
		return false
	})
}

var majorVersion = regexp.MustCompile(`^(?:.*[./])?v[0-9]+$`)

// goName is the name of a package by the last of its path that is no version: "yaml" of "gopkg.in/yaml.v3".
func goName(target string) string {
	base := path.Base(target)
	if majorVersion.MatchString(base) {
		if name, _, ok := strings.Cut(base, ".v"); ok {
			return name
		}
		base = path.Base(path.Dir(target))
	}
	return strings.TrimPrefix(base, "go-")
}

// self tells whether a qualifier is the object that the calling method belongs to.
func (s *site) self(call Call, q string) bool {
	if family(s.lang) != "Go" {
		return q == "self" || q == "this" || q == "cls" || q == "Self" || q == "$this" || q == "super" || q == "static"
	}
	if call.Caller < 0 || call.Caller >= len(s.entries) {
		return false
	}
	receiver, ok := strings.CutPrefix(s.entries[call.Caller].Title, "func (")
	name, _, _ := strings.Cut(receiver, " ")
	return ok && name == q
}

func (s *site) nameAt(i int) string {
	if i < 0 || i >= len(s.entries) {
		return ""
	}
	return s.entries[i].Name
}

// ownerAt is the type whose method or body encloses an entry; "" for none.
func (s *site) ownerAt(i int) string {
	for range len(s.entries) { // bounded: parents come from the file
		if i < 0 || i >= len(s.entries) {
			return ""
		}
		switch e := s.entries[i]; e.Sort {
		case Type:
			return lastName(e.Name)
		case Method:
			return ownerOf(e)
		}
		i = s.entries[i].Parent
	}
	return ""
}

// ownerOf is the type that a method, or any other member, belongs to; "" at the top level.
func ownerOf(e Entry) string {
	name := bareName(e.Name)
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return lastOf(name[:i])
}
