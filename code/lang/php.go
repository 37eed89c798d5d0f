package lang

import (
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

func addPhp(register func(*Language)) {
	register(&Language{
		Name: "PHP", Code: true, Files: ".php .phtml", Interpreters: "php",
		Comments:  Comments{Lines: []string{"//", "#"}, Blocks: [][2]string{{"/*", "*/"}}},
		TestLines: []string{"public function test", "#[Test]", "it('", "test('"},
		Ecosystem: "Packagist",
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true,
			Rules: map[string]Rule{
				"function_definition method_declaration":                                     {Is: Function},
				"class_declaration interface_declaration trait_declaration enum_declaration": {Is: Type},
				"const_declaration":                 {Is: Constant, Names: constElements},
				"property_element enum_case":        {Is: Member},
				"anonymous_function arrow_function": {Is: Closure},
				"attribute_list":                    {Is: Attribute},
				"comment":                           {Is: Comment},
				"function_call_expression":          {Is: Call},
				"member_call_expression nullsafe_member_call_expression": {
					Is: Call, Name: "name", Object: "object", Dot: "->",
				},
				"scoped_call_expression": {
					Is: Call, Name: "name", Object: "scope", Dot: "::",
				},
				"object_creation_expression": {Is: Call, Names: nil, Name: "type"},
				"namespace_definition":       {Binds: phpNamespace},
				"namespace_use_clause": {
					Is: Import, Names: usedName, Binds: usedBinding,
				},
				"include_expression include_once_expression require_expression require_once_expression": {
					Is: Import, Names: includedFile,
				},
			},
			Typed: map[string]Typing{
				"simple_parameter property_promotion_parameter catch_clause": {Member: isPromoted},
				"property_declaration":  {In: "property_element"},
				"assignment_expression": {All: isAssigned},
			},
			Predeclared:  text.Set("count is_array is_string is_int isset empty array_merge sprintf in_array"),
			TypesByValue: true, TextType: "string",
		},
		Scope: Scope{
			Modules: ClassNamespaces, ByPath: true, FileIsClass: true,
			DeclaredTypes: true, NominalTypes: true, ClosedNames: true, Namespaced: true, LocatesTypes: true,
			TypeFirst: true, TypeReceivers: ClassTypes, Constructors: []string{"__construct"},
		},
	})
}

func constElements(t *Tree, n int) (list []Found) {
	for e := range t.Children(n) {
		if t.Is(e, "const_element") {
			list = append(list, Found{Node: t.FirstChild(e, "name")})
		}
	}
	return list
}

func usedName(t *Tree, n int) []Found {
	f := Found{Node: t.FirstChild(n, "qualified_name", "name")}
	if group := t.Parent(n); t.Is(group, "namespace_use_group") { // use A\{B, C}
		f.Name = t.Text(t.FirstChild(t.Parent(group), "namespace_name")) + "\\" + t.Text(f.Node)
	}
	return []Found{f}
}

// includedFile returns the file's name if the expression is one string.
func includedFile(t *Tree, n int) []Found {
	return []Found{{Node: t.FirstChild(n, "string", "encapsed_string")}}
}

// usedBinding binds the last name in a clause, or its alias.
func usedBinding(t *Tree, n int) []doc.Binding {
	target := or(usedName(t, n)[0].Name, t.Text(usedName(t, n)[0].Node))
	return []doc.Binding{{
		Name:   or(t.Text(t.Child(n, "alias")), target[strings.LastIndexByte(target, '\\')+1:]),
		Import: target,
	}}
}

// phpNamespace binds the namespace that the file declares.
func phpNamespace(t *Tree, n int) []doc.Binding {
	return []doc.Binding{{Name: doc.PackageName, Of: t.Text(t.Child(n, "name"))}}
}
