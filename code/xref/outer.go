package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
	"patina/store/text"
)

// An OuterType is a type with the declared types of its fields.
type OuterType struct {
	Name   string // the last part
	Title  string // its head, which contains its bases
	Fields []doc.Typed
	inner  bool // whether it is nested
}

// TypesIn returns the types that a file defines.
func TypesIn(entries []doc.Entry, typed []doc.Typed) (types []OuterType) {
	at := make(map[int]int)
	for i, e := range entries {
		if e.Sort == doc.Type {
			at[i] = len(types)
			inner := e.Parent >= 0 && e.Parent < len(entries) && entries[e.Parent].Sort == doc.Type
			types = append(types, OuterType{Name: doc.LastName(e.Name), Title: e.Title, inner: inner})
		}
	}
	for _, t := range typed {
		if i, ok := at[t.Entry]; ok {
			types[i].Fields = append(types[i].Fields, t)
		}
	}
	return types
}

// These bound one search for a type.
const (
	maxBases    = 5 // generations of bases
	maxFollowed = 4 // chained re-exports
)

// ownFile is used for the scope's file in place of a number.
const ownFile = -1

// A seenType is a type and the number of its file. Its bases and the types of its fields are names
// in that file.
type seenType struct {
	*OuterType
	file int
}

// A typeName is the name of a type in a file.
type typeName struct {
	file int
	name string
}

// A typeTable finds the types that names of a file mean, with their fields and their bases. It
// keeps the types that it has found.
type typeTable struct {
	environment

	typed   []doc.Typed
	named   func(name string) []Definition   // nil: definitions of the view are not asked for
	typesOf func(doc.ListedFile) []OuterType // if nil, types of other files are unknown
	types   map[typeName]seenType
	typesBy map[int][]OuterType // by file
}

// typeSeen returns the only type that a file means by a name. Its OuterType is nil if there is no
// such type.
func (s *typeTable) typeSeen(n typeName) seenType {
	if !s.rules.FollowsTypes && !s.rules.LocatesTypes || n.name == "" || n.name == doc.AnyType ||
		n.file != ownFile && s.typesOf == nil {
		return seenType{}
	}
	if t, ok := s.types[n]; ok {
		return t
	}
	if s.types == nil {
		s.types = make(map[typeName]seenType)
	}
	s.types[n] = seenType{} // ends recursion
	t := seenType{}
	if s.rules.LocatesTypes {
		t = s.locatedType(n)
	} else {
		t = s.findType(n, maxFollowed)
	}
	s.types[n] = t
	return t
}

func (s *typeTable) findType(n typeName, left int) seenType {
	if t := oneNamed(s.typesIn(n.file), n.name); t != nil || left == 0 || s.typesOf == nil {
		return seenType{t, n.file}
	}
	if s.rules.Modules == lang.HeaderIncludes {
		return s.includedType(n.name)
	}
	place, bindings, language := s.path, s.bindings, s.language
	if n.file != ownFile {
		f := s.resolver.File(n.file)
		place, bindings, language = f.Path, s.othersOf(f).Bindings, f.Language
	}
	for _, b := range bindings {
		if b.Name != n.name && b.Name != doc.AllNames || b.Import == "" {
			continue
		}
		name := n.name
		if of := Unqualified(b.Of); b.Name != doc.AllNames && of != "" && of != doc.DefaultName {
			name = of
		}
		for _, t := range s.resolver.ResolveBinding(language, place, b, nil) {
			for _, i := range t.At {
				if t.Whole && imports.StemOf(s.resolver.File(i).Path) != name {
					continue
				}
				if found := s.findType(typeName{i, name}, left-1); found.OuterType != nil {
					return found
				}
			}
		}
	}
	if s.rules.Modules == lang.ScriptModules {
		return seenType{}
	}
	return s.packagedType(n.name, place)
}

// typesIn returns the types of a file, which are read only once.
func (s *typeTable) typesIn(file int) []OuterType {
	types, ok := s.typesBy[file]
	switch {
	case ok:
	case file == ownFile:
		types = TypesIn(s.entries, s.typed)
	default:
		types = s.typesOf(s.resolver.File(file))
	}
	if s.typesBy == nil {
		s.typesBy = make(map[int][]OuterType)
	}
	s.typesBy[file] = types
	return types
}

// oneNamed returns the only type of a name, or nil. A declared and then defined type is one.
func oneNamed(types []OuterType, name string) (found *OuterType) {
	for i := range types {
		switch {
		case types[i].Name != name:
		case found == nil || found.Title == types[i].Title && len(found.Fields) == 0:
			found = &types[i]
		default:
			return nil
		}
	}
	return found
}

// includedType returns the only type of a name in the files that a C file includes.
func (s *typeTable) includedType(name string) (found seenType) {
	several := false
	for i := range s.included {
		t := oneNamed(s.typesIn(i), name)
		switch {
		case t == nil || found.OuterType != nil && t.inner && !found.inner:
		case found.OuterType == nil || found.inner && !t.inner:
			found, several = seenType{t, i}, false
		default:
			several = true
		}
	}
	if several {
		return seenType{}
	}
	return found
}

// packagedType returns the type of a name in the file of that name in the package of another file.
func (s *typeTable) packagedType(name, from string) seenType {
	for _, i := range s.resolver.ModulesNamed(name) {
		f := s.resolver.File(i)
		if imports.Family(f.Language) != s.family ||
			!inPackageOf(s.rules, imports.FolderOf(from), imports.FolderOf(f.Path)) {
			continue
		}
		if t := oneNamed(s.typesIn(i), name); t != nil {
			return seenType{t, i}
		}
	}
	return seenType{}
}

// noBases are words in the head of a type that are not names of bases.
var noBases = text.Set(`extends implements permits with public private protected virtual final
	typename class struct where new const readonly keyof typeof infer override sealed abstract`)

// bases returns the types whose names follow a type's name in its head.
func (s *typeTable) bases(t seenType) (out []seenType) {
	if s.rules.Modules == lang.FolderPackages {
		for _, f := range t.Fields {
			if f.Name == doc.EmbeddedName {
				out = append(out, s.typeSeen(typeName{t.file, f.Type}))
			}
		}
		return out
	}
	_, rest, _ := strings.Cut(withoutParameters(t.Title), t.Name)
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return !isWord(r) }) {
		if noBases.Has(word) || word == t.Name {
			continue
		}
		if b := s.typeSeen(typeName{t.file, word}); b.OuterType != nil && b.OuterType != t.OuterType {
			out = append(out, b)
		}
	}
	return out
}

// withoutParameters removes type parameters, which are between < and >.
func withoutParameters(head string) string {
	if !strings.Contains(head, "<") {
		return head
	}
	var b strings.Builder
	depth := 0
	for i, c := range head {
		switch {
		case c == '<':
			depth++
		case c == '>' && i > 0 && head[i-1] != '=' && head[i-1] != '-':
			depth = max(depth-1, 0)
			b.WriteByte(' ')
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// generationsAbove returns the number of generations from a type up to the owner of a method. It is
// 0 for the type itself and -1 if no base owns the method.
func (s *typeTable) generationsAbove(t seenType, d *Definition) int {
	at := []seenType{t}
	seen := make(map[*OuterType]bool)
	for n := 0; n <= maxBases && len(at) > 0; n++ {
		var next []seenType
		for _, t := range at {
			if t.OuterType == nil || seen[t.OuterType] {
				continue
			}
			seen[t.OuterType] = true
			if s.owns(t, d) {
				return n
			}
			next = append(next, s.bases(t)...)
		}
		at = next
	}
	return -1
}

// fieldType returns the declared type of a field of a type or its bases.
func (s *typeTable) fieldType(t seenType, field string, left int) typeName {
	if t.OuterType == nil || left == 0 {
		return typeName{}
	}
	of := ""
	for _, f := range t.Fields {
		switch {
		case f.Name != field:
		case of != "" && of != f.Type:
			return typeName{}
		default:
			of = f.Type
		}
	}
	if of != "" {
		return typeName{t.file, of}
	}
	for _, b := range s.bases(t) {
		if n := s.fieldType(b, field, left-1); n.name != "" {
			return n
		}
	}
	return typeName{}
}

// chain follows fields from a type: b and c of a.b.c.
func (s *typeTable) chain(n typeName, fields []string) typeName {
	for _, field := range fields {
		n = s.fieldType(s.typeSeen(typeName{n.file, s.seenName(n.name)}), field, maxBases)
		if n.name == "" {
			break
		}
	}
	return n
}

// seenName returns the name by which a type is searched, with its qualifier in located families.
func (s *typeTable) seenName(name string) string {
	if s.rules.LocatesTypes {
		return name
	}
	return simpleName(name)
}

// simpleName returns the last part of a type's name.
func simpleName(name string) string { return Unqualified(name) }

// inPackageOf reports whether two folders are of one package.
func inPackageOf(rules *lang.Scope, here, there string) bool {
	if here == there || rules.Modules == lang.OpaqueNamespaces {
		return true
	}
	i, j := strings.LastIndex(here, "/java/"), strings.LastIndex(there, "/java/")
	return rules.StrictPackages && i >= 0 && j >= 0 && here[i:] == there[j:] && imports.CommonFolders(here, there) > 0
}

// fixtures are macros of googletest that make their body a method of a class derived from the first
// argument.
var fixtures = text.Set(`TEST_F TEST_P TYPED_TEST TYPED_TEST_P`)

// fixtureOf returns the class that the body of a test extends, or "".
func fixtureOf(e doc.Entry) string {
	if !fixtures.Has(doc.BareName(e.Name)) {
		return ""
	}
	_, rest, _ := strings.Cut(e.Title, "(")
	name, _, ok := strings.Cut(rest, ",")
	isOther := func(r rune) bool { return !isWord(r) }
	if name = strings.TrimSpace(name); !ok || slices.ContainsFunc([]rune(name), isOther) {
		return ""
	}
	return name
}

// typeHere returns the type that the file itself declares for a receiver.
func (s *typeTable) typeHere(c doc.Call, qualifier string) string {
	if len(s.typed) == 0 {
		return ""
	}
	at, field := c.Caller, false
	if self := s.selfOf(qualifier); self != "" {
		qualifier, field = qualifier[len(self):], true
	}
	qualifier = strings.TrimPrefix(strings.TrimRight(qualifier, "?!"), "$")
	for range len(s.entries) + 1 { // bounded: parents come from the file
		isType := at >= 0 && at < len(s.entries) && s.entries[at].Sort == doc.Type
		if !field || isType {
			found := ""
			for _, t := range s.typed {
				switch {
				case t.Entry != at || t.Name != qualifier:
				case found != "" && found != t.Type:
					return doc.AnyType
				default:
					found = t.Type
				}
			}
			if found != "" {
				return found
			}
		}
		if at < 0 || at >= len(s.entries) {
			return ""
		}
		at = s.entries[at].Parent
	}
	return ""
}

// definesNone reports whether the view is known to have no definition of a name.
func (s *typeTable) definesNone(name string) bool {
	return s.named != nil && !slices.ContainsFunc(s.named(name), func(d Definition) bool {
		return d.family == s.family && d.Entry.Sort != doc.Section
	})
}
