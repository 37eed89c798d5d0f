package syntax

import (
	"strings"

	java "github.com/tree-sitter/tree-sitter-java/bindings/go"

	"patina/store"
)

func init() {
	grammars["Java"] = &grammar{
		language: java.Language,
		rules: map[string]rule{
			"method_declaration constructor_declaration compact_constructor_declaration annotation_type_element_declaration": {is: function},
			"class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration":        {is: typ},
			"field_declaration constant_declaration": {is: constant, names: javaConstants},
			"variable_declarator":                    {is: member, when: inFields},
			"enum_constant":                          {is: member},
			"lambda_expression":                      {is: closure},
			"marker_annotation annotation":           {is: attribute},
			"line_comment block_comment":             {is: comment},
			"method_invocation":                      {is: call, name: "name", object: "object", dot: "."},
			"object_creation_expression":             {is: call, name: "type"},
			"package_declaration":                    {binds: javaPackage},
			"import_declaration":                     {is: imports, names: importDeclaration, binds: importedName},
		},
		typed: map[string]typing{
			"formal_parameter resource enhanced_for_statement": {},
			"local_variable_declaration field_declaration":     {in: "variable_declarator"},
			"catch_formal_parameter instanceof_expression":     {parts: javaMatched},
		},
	}
}

// javaConstants names the fields that are static and final, and all of an interface.
func javaConstants(t *tree, n int) (list []found) {
	if t.is(n, "field_declaration") {
		m := t.textOf(t.firstChild(n, "modifiers"))
		if !strings.Contains(m, "static") || !strings.Contains(m, "final") {
			return nil
		}
	}
	for d := range t.children(n) {
		if t.is(d, "variable_declarator") {
			list = append(list, found{node: t.child(d, "name")})
		}
	}
	return list
}

func inFields(t *tree, n int) bool { return t.is(t.parent(n), "field_declaration") }

// javaPackage is the package that the file declares.
func javaPackage(t *tree, n int) []store.Binding {
	return []store.Binding{{Name: store.PackageName, Of: t.textOf(t.firstChild(n, "scoped_identifier", "identifier"))}}
}

// importDeclaration returns the name in an import declaration.
func importDeclaration(t *tree, n int) []found {
	s := strings.TrimSuffix(strings.TrimSpace(t.textOf(n)), ";")
	s = strings.TrimSpace(strings.TrimPrefix(s, "import"))
	s = strings.TrimSpace(strings.TrimPrefix(s, "static "))
	return []found{{node: n, name: s}}
}

// importedName is the last name of an import declaration.
func importedName(t *tree, n int) []store.Binding {
	target := importDeclaration(t, n)[0].name
	b := store.Binding{Name: target[strings.LastIndexByte(target, '.')+1:], Import: target}
	if b.Name == store.AllNames {
		b.Of = store.AllNames
	}
	return []store.Binding{b}
}

// javaMatched is the variable of a catch clause, or of "x instanceof T name".
func javaMatched(t *tree, n int) (name, of int) {
	return t.child(n, "name"), max(t.child(n, "right"), t.firstChild(n, "catch_type"))
}
