package lang

import (
	"maps"
	"strings"

	"patina/store/doc"
)

func addCpp(register func(*Language)) {
	rules := maps.Clone(cRules)
	maps.Copy(rules, map[string]Rule{
		"class_specifier":            {Is: Type, Names: namesWithBody},
		"new_expression":             {Is: Call, Name: "type"},
		"field_initializer":          {Is: Call, Calls: cInitialised},
		"alias_declaration":          {Is: Type, Body: "type", Binds: typeAlias},
		"concept_definition":         {Is: Type},
		"field_declaration":          {Is: Function, Names: memberFunctions},
		"namespace_definition":       {Is: Member, Binds: cppNamespace},
		"template_declaration":       {Is: Wrapper},
		"lambda_expression":          {Is: Closure},
		"using_declaration":          {Binds: usingDeclared},
		"namespace_alias_definition": {Binds: namespaceAlias},
	})
	register(&Language{
		Name: "C++", Code: true, Files: ".cc .cpp .cxx .c++ .hpp .hh .hxx .h++ .ipp .tpp .ino", Comments: slashComments,
		TestLines: []string{"TEST(", "TEST_F(", "TEST_P(", "TEST_CASE("},
		Definitions: &Definitions{Heads: heads(`+^(?:template\s*<[^;{]*>\s*)?(?:class|struct|union|enum(?:\s+class` +
			`|\s+struct)?)\s+(?:(?:alignas\([^)]*\)|\[\[[^\]]*\]\]|[A-Z][A-Z0-9_]+(?:\([^)]*\))?)\s+)*` +
			nameWord + `(?:\s+final)?\s*(?::[^:;][^;]*)?\{?$`)},
		Family: "C",
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true,
			Rules: rules, Predeclared: cPredeclared, Prepare: func(text []byte) []byte {
				return withoutMarks(text, true)
			},
			Typed: map[string]Typing{
				"parameter_declaration optional_parameter_declaration declaration field_declaration " +
					"for_range_loop": {Parts: cVariable},
			},
			TypesByValue: true, CallsMakeTypes: true, TextType: "char",
		},
	})
}

// memberFunctions returns the functions that a class declares. Its other fields have no entry.
func memberFunctions(t *Tree, n int) (list []Found) {
	for _, f := range declaratorNames(t, n) {
		if f.Sort == "function" {
			list = append(list, f)
		}
	}
	return list
}

// typeAlias binds the name of "using a = b::c<d>" to b::c.
func typeAlias(t *Tree, n int) []doc.Binding {
	return otherName(t.Text(t.Child(n, "name")), t.Text(t.Child(n, "type")))
}

// usingDeclared binds b for "using a::b", and all names of a for "using namespace a".
func usingDeclared(t *Tree, n int) []doc.Binding {
	last := -1
	for c := range t.Children(n) {
		last = c
	}
	path := t.Text(last)
	if strings.Contains(textBefore(t, n, last), "namespace") {
		return otherName(doc.AllNames, path)
	}
	return otherName(path[strings.LastIndexByte(path, ':')+1:], path)
}

// namespaceAlias binds the name of "namespace a = b::c".
func namespaceAlias(t *Tree, n int) []doc.Binding {
	last := -1
	for c := range t.Children(n) {
		last = c
	}
	return otherName(t.Text(t.Child(n, "name")), t.Text(last))
}

// otherName binds a name to a path. It returns nil if the path, without its parameters, is no path
// of names or is the name itself.
func otherName(name, path string) []doc.Binding {
	path, _, _ = strings.Cut(path, "<")
	path = strings.TrimSpace(strings.TrimPrefix(path, "typename "))
	if !IsPath([]byte(path)) || path == name {
		return nil
	}
	return []doc.Binding{{Name: name, Of: path}}
}

// cppNamespace binds the package name to a namespace that the file adds to.
func cppNamespace(t *Tree, n int) []doc.Binding {
	return []doc.Binding{{Name: doc.PackageName, Of: t.Text(t.Child(n, "name"))}}
}

// cInitialised returns the class that an initializer of a constructor names: a base, or the own
// class. It returns "" for a name without a capital, because a field is not called.
func cInitialised(t *Tree, n int) string {
	name, _, _ := strings.Cut(t.Text(n+1), "<")
	last := name[strings.LastIndexByte(name, ':')+1:]
	if t.Parent(n+1) != n || !IsPath([]byte(name)) || last == "" || last[0] < 'A' || last[0] > 'Z' {
		return ""
	}
	return name
}
