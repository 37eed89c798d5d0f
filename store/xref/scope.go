package xref

import (
	"slices"
	"strings"

	"patina/store"
	"patina/store/text"
)

// otherName is the reason for x.F if the imported package may have another name than its path.
const otherName = "module under another name?"

// judge grades one definition as the meaning of a call.
func (s *Site) judge(r *reading, d *Definition) (verdict, string) {
	if s.family == "Go" && !s.goVisible(d) {
		return excluded, ""
	}
	if slices.ContainsFunc(r.means, func(l Lead) bool { return s.holds(l, d) }) {
		return inScope, "imported"
	}
	switch {
	case r.qualifier == "":
		return s.bare(r, d)
	case r.self:
		return s.own(r, d)
	case r.qualifier == "_" && s.family != "Go" && d.Path == s.path && d.Entry.Name == s.nameAt(r.Caller):
		return excluded, "" // super().f() inside f, which is read as _.f
	case d.owner != "":
		return s.method(r, d)
	}
	return s.member(r, d)
}

var (
	// implicitThis are languages in which f() may be a method of the enclosing type.
	implicitThis = map[string]bool{"Java": true, "C#": true, "C": true, "Ruby": true}
	// packaged are languages in which a folder shares its names.
	packaged = map[string]bool{"Go": true, "Java": true}
	// mustImport are languages in which a bare name from another file needs an import.
	mustImport = map[string]bool{"Go": true, "Python": true, "JavaScript": true, "Rust": true}
)

// samePackage reports whether a file sees a definition without an import. Java's sources and tests
// share packages.
func (s *Site) samePackage(d *Definition) bool {
	here, there := s.folder, d.folder
	if here == there {
		return packaged[s.family]
	}
	if s.family != "Java" {
		return false
	}
	i, j := strings.LastIndex(here, "/java/"), strings.LastIndex(there, "/java/")
	return i >= 0 && j >= 0 && here[i:] == there[j:] && commonFolders(here, there) > 0
}

// bare judges f(): names in scope by file, package or import.
func (s *Site) bare(r *reading, d *Definition) (verdict, string) {
	same := d.Path == s.path
	if d.owner != "" && d.Entry.Sort != store.Type {
		return s.implicit(r, d)
	}
	if isLocal(d) {
		if same && d.Parent.First <= r.Line && r.Line <= d.Parent.Last && !s.parameter(r, d.Parent) {
			return innermost, "same function"
		}
		return excluded, ""
	}
	switch {
	case s.parameter(r, nil):
		return excluded, ""
	case same:
		return inScope, "same file"
	case r.bound && len(r.means) == 0:
		return excluded, "" // imported from elsewhere
	case s.samePackage(d):
		return inScope, "same package"
	case s.star(r, d):
		return inScope, "imported"
	}
	if macro := s.family == "Rust" && strings.HasPrefix(d.Entry.Title, "macro_rules!"); mustImport[s.family] && !macro {
		if r.bound && s.imported(d.Path) == Around && s.family != "Go" {
			return near, "near an import"
		}
		return excluded, ""
	}
	if s.family == "C" {
		switch s.imported(d.Path) {
		case Exactly:
			return inScope, "included"
		case Around:
			return near, "near an include"
		}
	}
	return possible, "name"
}

// implicit judges f() against a method of the enclosing type, if the language lets "this" out.
func (s *Site) implicit(r *reading, d *Definition) (verdict, string) {
	owner := s.ownerAt(r.Caller)
	switch {
	case d.name == d.owner: // a constructor: the type stands for it
		return excluded, ""
	case s.star(r, d):
		return inScope, "imported"
	case !implicitThis[s.family], r.bound && s.family == "Java":
		return excluded, ""
	case owner != "" && owner == d.owner && (d.Path == s.path || d.folder == s.folder):
		return inScope, "same type"
	case owner != "" && s.basedOn(owner, d.owner):
		return inherited, "base type"
	}
	return possible, "name"
}

// star reports whether a wildcard import brings a definition.
func (s *Site) star(r *reading, d *Definition) bool {
	for _, b := range s.bindings {
		if b.Name != store.AllNames || b.Import == "" {
			continue
		}
		if slices.ContainsFunc(s.behind(s.lang, s.path, b, []string{r.name}), func(l Lead) bool { return s.holds(l, d) }) {
			return true
		}
	}
	return false
}

// parameter reports whether a bare name is a parameter of the enclosing function, or of an outer
// one up to one that defines the name itself.
func (s *Site) parameter(r *reading, defines *store.Entry) bool {
	for i, steps := r.Caller, 0; i >= 0 && i < len(s.entries) && steps <= len(s.entries); i, steps = s.entries[i].Parent, steps+1 {
		e := s.entries[i]
		if defines != nil && e.Name == defines.Name {
			return false
		}
		if (e.Sort == store.Function || e.Sort == store.Method) && slices.Contains(parameters(e, s.family), r.name) {
			return true
		}
	}
	return false
}

// parameters returns the names in a function's parameter list, as far as its signature is kept.
func parameters(e store.Entry, family string) (names []string) {
	_, rest, ok := strings.Cut(e.Title, store.LastName(e.Name)+"(")
	if !ok {
		return nil
	}
	depth, start := 0, 0
	add := func(part string) {
		part, _, _ = strings.Cut(part, "=")
		part, _, _ = strings.Cut(part, ":")
		words := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(" *&?", r) })
		switch {
		case len(words) == 0:
		case family == "Java" || family == "C" || family == "C#" || family == "PHP":
			names = append(names, strings.TrimPrefix(words[len(words)-1], "$"))
		case words[0] == "mut" && len(words) > 1:
			names = append(names, words[1])
		default:
			names = append(names, words[0])
		}
	}
	for i, c := range rest {
		switch c {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			if depth--; depth < 0 {
				add(rest[start:i])
				return names
			}
		case ',':
			if depth == 0 {
				add(rest[start:i])
				start = i + 1
			}
		}
	}
	return names
}

// own judges self.f(): a method of the enclosing type, else a method it may inherit.
func (s *Site) own(r *reading, d *Definition) (verdict, string) {
	owner, at := d.owner, s.ownerAt(r.Caller)
	switch {
	case owner == "":
		return excluded, ""
	case owner == at && (d.Path == s.path || d.folder == s.folder) && r.qualifier != "super" && r.qualifier != "parent":
		return inScope, "own type"
	case at != "" && s.basedOn(at, owner):
		return inherited, "base type"
	}
	return possible, "may be inherited"
}

// basedOn reports whether a type's definition in this file names another type.
func (s *Site) basedOn(typ, base string) bool {
	for _, e := range s.entries {
		if e.Sort != store.Type || store.LastName(e.Name) != typ {
			continue
		}
		_, behind, _ := strings.Cut(e.Title, typ)
		return typ != base && slices.Contains(strings.FieldsFunc(behind, func(r rune) bool { return !isWord(r) }), base)
	}
	return false
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
}

// method judges x.f() against a method: x may be its type. A variable's type is unknown.
func (s *Site) method(r *reading, d *Definition) (verdict, string) {
	if r.bound && len(r.means) == 0 {
		return excluded, "" // x is from elsewhere
	}
	if !r.bound && ofLanguage[s.family][r.qualifier] {
		return excluded, ""
	}
	if r.bound && !slices.ContainsFunc(r.means, func(l Lead) bool { return len(l.names) > 1 }) {
		return excluded, "" // x is a module
	}
	if r.last != d.owner || s.family == "Go" { // more often a variable or an embedded field
		return possible, "receiver unknown"
	}
	switch {
	// That type is elsewhere, unless an unseen re-export brings it.
	case r.bound:
		return possible, "names the type"
	case d.Path == s.path, s.samePackage(d), !mustImport[s.family] && s.family != "Java":
		return inScope, "names the type"
	case s.imported(d.Path) == Exactly:
		return near, "names the type"
	}
	return possible, "names the type"
}

// member judges x.f() against other definitions: x must be a module that holds it.
func (s *Site) member(r *reading, d *Definition) (verdict, string) {
	if r.qualifier == "_" || d.Parent != nil {
		return excluded, ""
	}
	switch s.family {
	case "Go":
		if !r.bound && !strings.Contains(r.qualifier, ".") && slices.Contains(s.strange, d.folder) {
			return possible, otherName
		}
		return excluded, ""
	case "Python":
		if r.bound && len(r.means) > 0 && s.imported(d.Path) == Around {
			return near, "near an import"
		}
		return excluded, ""
	case "JavaScript", "Java", "C#", "Rust":
		return excluded, ""
	}
	if strings.Contains(r.Name, "::") || strings.Contains(r.Name, `\`) {
		return possible, "name"
	}
	return excluded, ""
}

// ofBuiltins are methods on the language's own values. On a variable these are more likely.
var ofBuiltins = map[string]map[string]bool{
	"Python": text.Set(`append add capitalize casefold clear close copy count decode difference discard encode endswith extend find flush
		format fromkeys get index insert intersection isdigit items join keys ljust lower lstrip partition pop popitem read readline
		remove replace reverse rpartition rsplit rstrip seek setdefault sort split splitlines startswith strip tell title translate
		union update upper values write`),
	"Rust": text.Set(`and_then as_bytes as_mut as_ref as_slice as_str borrow chain clear clone cloned cmp collect contains contains_key copied
		drain drop end entry enumerate eq err expect extend filter find first flatten fold from get get_mut into into_iter insert is_empty
		is_err is_none is_ok is_some iter iter_mut join keys last len lines lock map map_err max min next ok ok_or or_else parse partial_cmp
		pop push push_str read remove replace resize reverse rev send size_hint skip sort split start start_with starts_with swap take then
		to_owned to_string to_vec trim truncate unwrap unwrap_or values with_capacity write zip`),
	"Java": text.Set(`accept add addAll append apply charAt clear clone close compare compareTo contains containsKey entrySet equals flush
		forEach format get getClass getKey getName getType getValue hasNext hashCode indexOf intValue isEmpty isInstance iterator join
		keySet length longValue map matches name next ordinal parse peek pop put read remove replace run set size skip sort split start
		stream substring test toString trim values valueOf write`),
	"Go": text.Set(`Add Bytes Close Command Context Del Done Err Error Errorf Fatal Fatalf Flush Format Get Header Helper Host Info Len Load Lock
		Log Logf Name Next Parse Path Query Read Reset Run Seek Set Size Skip Start Stop Store String Sub Unlock Unwrap Value Wait Write
		WriteString`),
	"JavaScript": text.Set(`add apply at bind call catch charAt clear concat delete endsWith entries every fill filter finally find
		findIndex flat flatMap forEach get has includes indexOf join keys map match padEnd padStart pop push reduce repeat replace
		reverse set shift slice some sort splice split startsWith substring test then toString trim unshift values`),
}

// ofLanguage are the language's own names for types and modules.
var ofLanguage = map[string]map[string]bool{
	"JavaScript": text.Set(`Array ArrayBuffer Atomics BigInt Boolean Buffer Date Error Function Intl JSON Map Math Number Object Promise Proxy
		Reflect RegExp Set String Symbol WeakMap WeakSet console document globalThis navigator performance process window`),
	"Python": text.Set(`bool bytearray bytes dict float frozenset int list object set str tuple type`),
	"Java":   text.Set(`Boolean Byte Character Double Enum Float Integer Long Math Object Short String StringBuilder System Thread`),
}
