package lang

import (
	"bytes"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

func addCsharp(register func(*Language)) {
	register(&Language{
		Name: "C#", Code: true, Files: ".cs .csx", Comments: slashComments,
		TestLines: []string{"[Fact", "[Test", "[Theory"},
		Ecosystem: "NuGet",
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true,
			Prepare: withoutConditions,
			Rules: map[string]Rule{
				"method_declaration constructor_declaration destructor_declaration " +
					"local_function_statement": {Is: Function},
				"operator_declaration conversion_operator_declaration": {Is: Function, Names: operatorName},
				"class_declaration interface_declaration struct_declaration enum_declaration record_declaration " +
					"delegate_declaration": {Is: Type},
				"field_declaration": {Is: Constant, Names: csharpConstants},
				"property_declaration event_declaration enum_member_declaration": {Is: Member},
				"variable_declarator":                           {Is: Member, When: inFieldDeclaration},
				"lambda_expression anonymous_method_expression": {Is: Closure},
				"attribute_list":                                {Is: Attribute},
				"comment":                                       {Is: Comment},
				"invocation_expression":                         {Is: Call},
				"object_creation_expression":                    {Is: Call, Name: "type"},
				"namespace_declaration file_scoped_namespace_declaration": {Binds: phpNamespace},
				"using_directive": {Is: Import, Names: usingNamespace, Binds: usingNames},
			},
			Typed: map[string]Typing{
				"parameter property_declaration declaration_pattern declaration_expression catch_declaration": {},
				"variable_declaration": {In: "variable_declarator"},
				"foreach_statement":    {Name: "left"},
			},
			Predeclared:  text.Set("nameof"),
			TypesByValue: true, TextType: "string", LastIsValue: true,
		},
		Scope: Scope{
			Modules: OpaqueNamespaces, ImplicitThis: true, ClosedModules: true,
			DeclaredTypes: true, StrictTypes: true, NominalTypes: true, ClosedNames: true, Namespaced: true,
			FollowsTypes: true, ExtensionMethods: true, TypeFirst: true, Results: ResultFirst, PropertiesAreTypes: true,
			PrimitivesAreTypes: true,
		},
	})
}

var condition = lazyregexp.New(`(?m)^[ \t]*#[ \t]*(if|elif|else|endif)\b[^\r\n]*`)

// withoutConditions blanks the lines of #if and #endif without an #else. The grammar knows them
// around statements and members, but not around an attribute or a part of an expression. The lines
// between stay.
func withoutConditions(text []byte) []byte {
	type opened struct {
		line     []int
		branches bool
	}
	var open []opened
	clean := text
	for _, line := range condition().FindAllSubmatchIndex(text, -1) {
		last := len(open) - 1
		switch word := string(text[line[2]:line[3]]); {
		case word == "if":
			open = append(open, opened{line: line})
		case last < 0: // closes nothing
		case word != "endif":
			open[last].branches = true
		default:
			if !open[last].branches {
				if &clean[0] == &text[0] {
					clean = bytes.Clone(text)
				}
				Blank(clean[open[last].line[0]:open[last].line[1]])
				Blank(clean[line[0]:line[1]])
			}
			open = open[:last]
		}
	}
	return clean
}

// operatorName names an operator as it is declared: "operator +", "operator int".
func operatorName(t *Tree, n int) []Found {
	s := strings.Join(strings.Fields(textBefore(t, n, t.Child(n, "parameters"))), " ")
	if i := strings.LastIndex(s, "operator"); i >= 0 {
		return []Found{{Node: n, Name: s[i:]}}
	}
	return nil
}

// csharpConstants returns the fields that are const, or static and readonly.
func csharpConstants(t *Tree, n int) (list []Found) {
	declaration := t.FirstChild(n, "variable_declaration")
	words := " " + strings.Join(strings.Fields(textBefore(t, n, declaration)), " ") + " "
	if !strings.Contains(words, " const ") && !(strings.Contains(words, " static ") &&
		strings.Contains(words, " readonly ")) {
		return nil
	}
	for d := range t.Children(declaration) {
		if t.Is(d, "variable_declarator") {
			list = append(list, Found{Node: t.Child(d, "name")})
		}
	}
	return list
}

func inFieldDeclaration(t *Tree, n int) bool {
	return t.Is(t.Parent(t.Parent(n)), "field_declaration", "event_field_declaration")
}

// usingNamespace returns the namespace of a using directive, or the target of an alias.
func usingNamespace(t *Tree, n int) []Found {
	last := -1
	for c := range t.Children(n) {
		last = c
	}
	return []Found{{Node: last}}
}

// usingNames binds the names of a using directive: another name of a type, the members of a type
// (using static), or the types of a namespace.
func usingNames(t *Tree, n int) []doc.Binding {
	target := t.Text(usingNamespace(t, n)[0].Node)
	if alias := t.Child(n, "name"); alias >= 0 {
		return []doc.Binding{{Name: t.Text(alias), Import: target}}
	}
	return []doc.Binding{{Name: doc.AllNames, Import: target, Of: doc.AllNames}}
}
