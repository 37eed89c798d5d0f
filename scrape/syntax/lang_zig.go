package syntax

import (
	"bytes"
	"strings"

	zig "github.com/tree-sitter-grammars/tree-sitter-zig/bindings/go"

	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["Zig"] = &grammar{
		language: zig.Language,
		rules: map[string]rule{
			"function_declaration": {is: function, names: zigFunction},
			"variable_declaration": {is: variable, names: zigVariable, ends: zigHead, binds: zigImport},
			"test_declaration":     {is: function, names: zigTest, body: "block"},
			"container_field":      {is: member, names: zigField},
			"comment":              {is: comment},
			"call_expression":      {is: call, calls: zigCalled},
			"builtin_function":     {is: imports, names: zigImported},
		},
		predeclared: text.Set("expect try"),
	}
}

// zigFunction names a function. One that returns a type is the type, with its methods inside.
func zigFunction(t *tree, n int) []found {
	f := found{node: t.child(n, "name")}
	if of := t.child(n, "type"); of >= 0 && t.textOf(of) == "type" {
		f.sort = store.Type
	}
	return []found{f}
}

// zigVariable names constants, variables and types: "const T = struct {". Imports and "const Self =
// @This()" define nothing.
func zigVariable(t *tree, n int) []found {
	name := n + 1
	if t.parent(name) != n || !t.is(name, "identifier") {
		return nil
	}
	before := t.text[t.nodes[n].start:t.nodes[name].start]
	f := found{node: name}
	switch value := t.zigValue(n); {
	case t.is(value, "struct_declaration", "enum_declaration", "union_declaration", "error_set_declaration", "opaque_declaration"):
		f.sort = store.Type
	case t.zigBuiltin(value) == "@import", t.zigBuiltin(value) == "@This", t.zigBuiltin(value) == "@cImport":
		return nil
	case bytes.Contains(before, []byte("const")):
		f.sort = store.Constant
	case !bytes.Contains(before, []byte("var")):
		return nil // an assignment
	}
	return []found{f}
}

// zigValue is the value of a declaration: its last child.
func (t *tree) zigValue(n int) int {
	last := -1
	for c := range t.children(n) {
		last = c
	}
	return last
}

// zigBuiltin returns the name of a builtin function that is called, "" of other nodes.
func (t *tree) zigBuiltin(n int) string {
	if !t.is(n, "builtin_function") {
		return ""
	}
	return t.textOf(t.firstChild(n, "builtin_identifier"))
}

// zigHead finds the end of the head of a type, where it is declared with braces.
func zigHead(t *tree, n int) int {
	value := t.zigValue(n)
	if value < 0 {
		return -1
	}
	i := bytes.IndexByte(t.extentOf(value), '{')
	if i < 0 {
		return -1
	}
	return int(t.nodes[value].start) + i
}

// zigTest names a test by its text. A test of a name is "test NAME".
func zigTest(t *tree, n int) []found {
	node := t.firstChild(n, "string", "identifier")
	if node < 0 {
		return []found{{node: n, name: "test"}}
	}
	if t.is(node, "string") {
		return []found{{node: node, name: strings.Trim(t.textOf(node), `"`)}}
	}
	return []found{{node: node, name: "test " + t.textOf(node)}}
}

func zigField(t *tree, n int) []found { return []found{{node: t.child(n, "name")}} }

// zigImported is the file or module of @import and @cInclude.
func zigImported(t *tree, n int) []found {
	if name := t.zigBuiltin(n); name != "@import" && name != "@cInclude" && name != "@embedFile" {
		return nil
	}
	return []found{{node: t.firstChild(t.firstChild(n, "arguments"), "string")}}
}

// zigImport binds the name of an import: const m = @import("m.zig"), or of a name in it:
// const f = @import("m.zig").f.
func zigImport(t *tree, n int) []store.Binding {
	value := t.zigValue(n)
	of := ""
	if t.is(value, "field_expression") && t.is(t.child(value, "object"), "builtin_function") {
		of, value = t.textOf(t.child(value, "member")), t.child(value, "object")
	}
	if t.zigBuiltin(value) != "@import" || !t.is(n+1, "identifier") {
		return nil
	}
	return []store.Binding{{Name: t.textOf(n + 1), Import: t.textOf(t.firstChild(t.firstChild(value, "arguments"), "string")), Of: of}}
}

// zigCalled returns what is called: f, m.f, and _.f of what is no name.
func zigCalled(t *tree, n int) string {
	f := t.child(n, "function")
	if f < 0 {
		return ""
	}
	if text := t.extentOf(f); isPath(text) {
		return strings.TrimLeft(string(text), ".")
	}
	if last := t.child(f, "member"); last >= 0 && t.is(f, "field_expression") {
		return "_." + t.textOf(last)
	}
	return ""
}
