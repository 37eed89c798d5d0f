package syntax

import (
	"strings"

	php "github.com/tree-sitter/tree-sitter-php/bindings/go"

	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["PHP"] = &grammar{
		language: php.LanguagePHP,
		rules: map[string]rule{
			"function_definition method_declaration":                                     {is: function},
			"class_declaration interface_declaration trait_declaration enum_declaration": {is: typ},
			"const_declaration":                 {is: constant, names: constElements},
			"property_element enum_case":        {is: member},
			"anonymous_function arrow_function": {is: closure},
			"attribute_list":                    {is: attribute},
			"comment":                           {is: comment},
			"function_call_expression":          {is: call},
			"member_call_expression nullsafe_member_call_expression": {is: call, name: "name", object: "object", dot: "->"},
			"scoped_call_expression":                                 {is: call, name: "name", object: "scope", dot: "::"},
			"object_creation_expression":                             {is: call, names: nil, name: "type"},
			"namespace_definition":                                   {binds: phpNamespace},
			"namespace_use_clause":                                   {is: imports, names: usedName, binds: usedBinding},
			"include_expression include_once_expression require_expression require_once_expression": {is: imports, names: includedFile},
		},
		typed: map[string]typing{
			"simple_parameter property_promotion_parameter catch_clause": {member: isPromoted},
			"property_declaration":  {in: "property_element"},
			"assignment_expression": {all: isAssigned},
		},
		predeclared: text.Set("count is_array is_string is_int isset empty array_merge sprintf in_array"),
	}
}

func constElements(t *tree, n int) (list []found) {
	for e := range t.children(n) {
		if t.is(e, "const_element") {
			list = append(list, found{node: t.firstChild(e, "name")})
		}
	}
	return list
}

func usedName(t *tree, n int) []found {
	f := found{node: t.firstChild(n, "qualified_name", "name")}
	if group := t.parent(n); t.is(group, "namespace_use_group") { // use A\{B, C}
		f.name = t.textOf(t.firstChild(t.parent(group), "namespace_name")) + "\\" + t.textOf(f.node)
	}
	return []found{f}
}

// includedFile is the file's name where the expression is one string.
func includedFile(t *tree, n int) []found {
	return []found{{node: t.firstChild(n, "string", "encapsed_string")}}
}

// usedBinding binds the last name in a clause, or its alias.
func usedBinding(t *tree, n int) []store.Binding {
	target := or(usedName(t, n)[0].name, t.textOf(usedName(t, n)[0].node))
	return []store.Binding{{Name: or(t.textOf(t.child(n, "alias")), target[strings.LastIndexByte(target, '\\')+1:]), Import: target}}
}

// phpNamespace is the namespace that the file declares.
func phpNamespace(t *tree, n int) []store.Binding {
	return []store.Binding{{Name: store.PackageName, Of: t.textOf(t.child(n, "name"))}}
}
