package syntax

import (
	"strings"

	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"

	"patina/store"
	"patina/store/text"
)

// Go without syntax errors is read by go/parser, which is ten times as fast. A test holds the two
// equal.
func init() {
	grammars["Go"] = &grammar{
		language: golang.Language,
		rules: map[string]rule{
			"function_declaration": {is: function, otherwise: function}, // func _()
			"method_declaration":   {is: function, names: methodOfReceiver},
			"type_spec type_alias": {is: typ, body: "type"},
			"const_spec":           {is: constant, names: specNames},
			"var_spec":             {is: variable, names: specNames, binds: goNames},
			"type_declaration const_declaration var_declaration": {is: wrapper, when: hasNoParentheses},
			"field_declaration method_elem":                      {is: member},
			"func_literal":                                       {is: closure},
			"comment":                                            {is: comment},
			"call_expression":                                    {is: call},
			"import_spec":                                        {is: imports, name: "path", binds: goBinding},
		},
		predeclared: text.Set(`append cap complex copy delete imag len make new panic recover println
			bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr any`),
	}
}

// goBinding returns the name that an import gives to a package. Without one, only the package says
// its name.
func goBinding(t *tree, n int) []store.Binding {
	switch name := t.textOf(t.child(n, "name")); name {
	case "", "_":
		return nil
	case ".":
		return []store.Binding{{Name: store.AllNames, Import: t.textOf(t.child(n, "path")), Of: store.AllNames}}
	default:
		return []store.Binding{{Name: name, Import: t.textOf(t.child(n, "path"))}}
	}
}

// goNames binds the other names that variables of a package give: Run of "var Run = Work".
func goNames(t *tree, n int) (list []store.Binding) {
	p := t.parent(n)
	if t.is(p, "var_spec_list") {
		p = t.parent(p)
	}
	if !t.is(t.parent(p), "source_file") {
		return nil
	}
	var values []int
	for c := range t.children(t.child(n, "value")) {
		if !t.is(c, "comment") {
			values = append(values, c)
		}
	}
	names := specNames(t, n)
	if len(names) != len(values) {
		return nil
	}
	for i, f := range names {
		of := t.textOf(values[i])
		isName := t.is(values[i], "identifier") || t.is(values[i], "selector_expression") && t.is(t.child(values[i], "operand"), "identifier")
		if name := t.textOf(f.node); isName && isPath([]byte(of)) && name != "_" && len(name) <= NameBytes && len(of) <= NameBytes {
			list = append(list, store.Binding{Name: name, Of: of})
		}
	}
	return list
}

func methodOfReceiver(t *tree, n int) []found {
	f := found{node: t.child(n, "name")}
	for p := range t.children(t.child(n, "receiver")) {
		d := t.child(p, "type")
		for t.is(d, "pointer_type", "parenthesized_type") {
			d++
		}
		if t.is(d, "qualified_type") { // of another package, which does not compile
			continue
		}
		if d = t.bareType(d); t.is(d, "type_identifier") {
			f.scope = t.textOf(d)
		}
	}
	f.sort = "method"
	return []found{f}
}

func specNames(t *tree, n int) (list []found) {
	for c := range t.children(n) {
		if t.field(c) == "name" {
			list = append(list, found{node: c})
		}
	}
	return list
}

// hasNoParentheses reports whether a declaration has no parentheses. Only then do its lines belong
// to its one spec.
func hasNoParentheses(t *tree, n int) bool {
	for c := range t.children(n) {
		if t.is(c, "type_spec", "type_alias", "const_spec", "var_spec") {
			head := textBefore(t, n, c)
			return !strings.Contains(head, "(")
		}
	}
	return false
}
