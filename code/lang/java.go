package lang

import (
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

func addJava(register func(*Language)) {
	register(&Language{
		Name: "Java", Code: true, Files: ".java", Comments: slashComments,
		ReExports: "package-info.java",
		TestLines: []string{"@Test"},
		Ecosystem: "Maven",
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true,
			Rules: map[string]Rule{
				"method_declaration constructor_declaration compact_constructor_declaration " +
					"annotation_type_element_declaration": {Is: Function},
				"class_declaration interface_declaration enum_declaration record_declaration " +
					"annotation_type_declaration": {Is: Type},
				"field_declaration constant_declaration": {Is: Constant, Names: javaConstants},
				"variable_declarator":                    {Is: Member, When: inFields},
				"enum_constant":                          {Is: Member},
				"lambda_expression":                      {Is: Closure},
				"marker_annotation annotation":           {Is: Attribute},
				"line_comment block_comment":             {Is: Comment},
				"method_invocation":                      {Is: Call, Name: "name", Object: "object", Dot: "."},
				"object_creation_expression":             {Is: Call, Name: "type"},
				"package_declaration":                    {Binds: javaPackage},
				"import_declaration":                     {Is: Import, Names: importDeclaration, Binds: importedName},
			},
			Typed: map[string]Typing{
				"formal_parameter resource enhanced_for_statement": {},
				"local_variable_declaration field_declaration":     {In: "variable_declarator"},
				"catch_formal_parameter instanceof_expression":     {Parts: javaMatched},
			},
			TypesByValue: true,
		},
		Scope: Scope{
			Modules: DeclaredPackages, ByPath: true, ImplicitThis: true, SharesFolder: true, ClosedModules: true,
			StrictPackages: true, FileIsClass: true, SaysOutside: true,
			DeclaredTypes: true, StrictTypes: true, NominalTypes: true, ClosedNames: true, Namespaced: true,
			FollowsTypes: true, TypeFirst: true, Results: ResultFirst, PrimitivesAreTypes: true,
			BuiltinMethods: text.Set(`accept add addAll append apply charAt clear clone close compare compareTo
				contains containsKey entrySet equals flush forEach format get getClass getKey getName
				getType getValue hasNext hashCode indexOf intValue isEmpty isInstance iterator join
				keySet length longValue map matches name next ordinal parse peek pop put read remove
				replace run set size skip sort split start stream substring test toString trim values
				valueOf write`),
			BuiltinTypes: text.Set(`Boolean Byte Character Double Enum Float Integer Long Math Object Short
				String StringBuilder System Thread CharSequence Class ClassLoader Comparable Exception
				Iterable Module Number Package Process ProcessBuilder Runnable Runtime RuntimeException
				StackTraceElement StringBuffer ThreadGroup ThreadLocal Throwable Void`),
		},
	})
}

// javaConstants returns the fields that are static and final, and all fields of an interface.
func javaConstants(t *Tree, n int) (list []Found) {
	if t.Is(n, "field_declaration") {
		m := t.Text(t.FirstChild(n, "modifiers"))
		if !strings.Contains(m, "static") || !strings.Contains(m, "final") {
			return nil
		}
	}
	for d := range t.Children(n) {
		if t.Is(d, "variable_declarator") {
			list = append(list, Found{Node: t.Child(d, "name")})
		}
	}
	return list
}

func inFields(t *Tree, n int) bool { return t.Is(t.Parent(n), "field_declaration") }

// javaPackage binds the package that the file declares.
func javaPackage(t *Tree, n int) []doc.Binding {
	return []doc.Binding{{Name: doc.PackageName, Of: t.Text(t.FirstChild(n, "scoped_identifier", "identifier"))}}
}

// importDeclaration returns the name in an import declaration.
func importDeclaration(t *Tree, n int) []Found {
	s := strings.TrimSuffix(strings.TrimSpace(t.Text(n)), ";")
	s = strings.TrimSpace(strings.TrimPrefix(s, "import"))
	s = strings.TrimSpace(strings.TrimPrefix(s, "static "))
	return []Found{{Node: n, Name: s}}
}

// importedName binds the last name of an import declaration.
func importedName(t *Tree, n int) []doc.Binding {
	target := importDeclaration(t, n)[0].Name
	b := doc.Binding{Name: target[strings.LastIndexByte(target, '.')+1:], Import: target}
	if b.Name == doc.AllNames {
		b.Of = doc.AllNames
	}
	return []doc.Binding{b}
}

// javaMatched returns the variable of a catch clause, or of "x instanceof T name".
func javaMatched(t *Tree, n int) (name, of, holder int) {
	return t.Child(n, "name"), max(t.Child(n, "right"), t.FirstChild(n, "catch_type")), n
}
