package syntax

import (
	"bytes"
	"strings"

	csharp "github.com/tree-sitter/tree-sitter-c-sharp/bindings/go"

	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["C#"] = &grammar{
		language: csharp.Language,
		prepare:  withoutConditions,
		rules: map[string]rule{
			"method_declaration constructor_declaration destructor_declaration local_function_statement":                          {is: function},
			"operator_declaration conversion_operator_declaration":                                                                {is: function, names: operatorName},
			"class_declaration interface_declaration struct_declaration enum_declaration record_declaration delegate_declaration": {is: typ},
			"field_declaration": {is: constant, names: csharpConstants},
			"property_declaration event_declaration enum_member_declaration": {is: member},
			"variable_declarator":                           {is: member, when: inFieldDeclaration},
			"lambda_expression anonymous_method_expression": {is: closure},
			"attribute_list":                                {is: attribute},
			"comment":                                       {is: comment},
			"invocation_expression":                         {is: call},
			"object_creation_expression":                    {is: call, name: "type"},
			"namespace_declaration file_scoped_namespace_declaration": {binds: phpNamespace},
			"using_directive": {is: imports, names: usingNamespace, binds: usingNames},
		},
		typed: map[string]typing{
			"parameter property_declaration declaration_pattern declaration_expression catch_declaration": {},
			"variable_declaration": {in: "variable_declarator"},
			"foreach_statement":    {name: "left"},
		},
		predeclared: text.Set("nameof"),
	}
}

var condition = lazyregexp.New(`(?m)^[ \t]*#[ \t]*(if|elif|else|endif)\b[^\r\n]*`)

// withoutConditions blanks the lines of #if and #endif without an #else. The grammar knows them
// round statements and members, not round an attribute or a part of an expression. The enclosed
// lines stay.
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
				blankOut(clean[open[last].line[0]:open[last].line[1]])
				blankOut(clean[line[0]:line[1]])
			}
			open = open[:last]
		}
	}
	return clean
}

func blankOut(line []byte) {
	for i := range line {
		line[i] = ' '
	}
}

// operatorName names an operator as it is declared: "operator +", "operator int".
func operatorName(t *tree, n int) []found {
	s := strings.Join(strings.Fields(textBefore(t, n, t.child(n, "parameters"))), " ")
	if i := strings.LastIndex(s, "operator"); i >= 0 {
		return []found{{node: n, name: s[i:]}}
	}
	return nil
}

// csharpConstants names the fields that are const, or static and readonly.
func csharpConstants(t *tree, n int) (list []found) {
	declaration := t.firstChild(n, "variable_declaration")
	words := " " + strings.Join(strings.Fields(textBefore(t, n, declaration)), " ") + " "
	if !strings.Contains(words, " const ") && !(strings.Contains(words, " static ") && strings.Contains(words, " readonly ")) {
		return nil
	}
	for d := range t.children(declaration) {
		if t.is(d, "variable_declarator") {
			list = append(list, found{node: t.child(d, "name")})
		}
	}
	return list
}

func inFieldDeclaration(t *tree, n int) bool {
	return t.is(t.parent(t.parent(n)), "field_declaration", "event_field_declaration")
}

// usingNamespace returns the namespace of a using directive; of an alias, its target.
func usingNamespace(t *tree, n int) []found {
	last := -1
	for c := range t.children(n) {
		last = c
	}
	return []found{{node: last}}
}

// usingNames returns the names of a using directive: another name of a type, the members of a type
// (using static), or the types of a namespace.
func usingNames(t *tree, n int) []store.Binding {
	target := t.textOf(usingNamespace(t, n)[0].node)
	if alias := t.child(n, "name"); alias >= 0 {
		return []store.Binding{{Name: t.textOf(alias), Import: target}}
	}
	return []store.Binding{{Name: store.AllNames, Import: target, Of: store.AllNames}}
}
