package lang

import (
	"bytes"
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

func addZig(register func(*Language)) {
	register(&Language{
		Name: "Zig", Code: true, Files: ".zig .zon", Comments: slashComments,
		TestLines: []string{"test \"", "test {"},
		Definitions: &Definitions{Heads: heads(
			`^(?:(?:pub|export|extern|inline)\s+)*fn\s+`+nameWord,
			`+^(?:pub\s+)?const\s+`+nameWord+`\s*=\s*(?:packed\s+|extern\s+)?(?:struct|enum|union)\b`,
		)},
		Grammar: &Grammar{
			Recovers: true,
			Rules: map[string]Rule{
				"function_declaration": {Is: Function, Names: zigFunction},
				"variable_declaration": {Is: Variable, Names: zigVariable, Ends: zigHead, Binds: zigImport},
				"test_declaration":     {Is: Function, Names: zigTest, Body: "block"},
				"container_field":      {Is: Member, Names: zigField},
				"comment":              {Is: Comment},
				"call_expression":      {Is: Call, Calls: zigCalled},
				"builtin_function":     {Is: Import, Names: zigImported},
			},
			Predeclared: text.Set("expect try"),
		},
		Scope: Scope{
			Modules: PathModules, FileEnding: ".zig", ByPath: true, ImplicitThis: true, MustImport: true,
			TypeReceivers: NoTypes,
		},
	})
}

// zigFunction names a function. One that returns a type is the type, with its methods inside.
func zigFunction(t *Tree, n int) []Found {
	f := Found{Node: t.Child(n, "name")}
	if of := t.Child(n, "type"); of >= 0 && t.Text(of) == "type" {
		f.Sort = doc.Type
	}
	return []Found{f}
}

// zigVariable names constants, variables and types: "const T = struct {". Imports and "const Self =
// @This()" define nothing.
func zigVariable(t *Tree, n int) []Found {
	name := n + 1
	if t.Parent(name) != n || !t.Is(name, "identifier") {
		return nil
	}
	before := t.Source[t.Start(n):t.Start(name)]
	f := Found{Node: name}
	switch value := zigValue(t, n); {
	case t.Is(value, "struct_declaration", "enum_declaration", "union_declaration", "error_set_declaration",
		"opaque_declaration"):
		f.Sort = doc.Type
	case zigBuiltin(t, value) == "@import", zigBuiltin(t, value) == "@This", zigBuiltin(t, value) == "@cImport":
		return nil
	case bytes.Contains(before, []byte("const")):
		f.Sort = doc.Constant
	case !bytes.Contains(before, []byte("var")):
		return nil // an assignment
	}
	return []Found{f}
}

// zigValue returns the value of a declaration, which is its last child, or -1.
func zigValue(t *Tree, n int) int {
	last := -1
	for c := range t.Children(n) {
		last = c
	}
	return last
}

// zigBuiltin returns the name of a builtin function that is called, or "" for other nodes.
func zigBuiltin(t *Tree, n int) string {
	if !t.Is(n, "builtin_function") {
		return ""
	}
	return t.Text(t.FirstChild(n, "builtin_identifier"))
}

// zigHead returns the end of the head of a type that is declared with braces, or -1.
func zigHead(t *Tree, n int) int {
	value := zigValue(t, n)
	if value < 0 {
		return -1
	}
	i := bytes.IndexByte(t.Bytes(value), '{')
	if i < 0 {
		return -1
	}
	return t.Start(value) + i
}

// zigTest names a test by its text. A test of a name is "test NAME".
func zigTest(t *Tree, n int) []Found {
	node := t.FirstChild(n, "string", "identifier")
	if node < 0 {
		return []Found{{Node: n, Name: "test"}}
	}
	if t.Is(node, "string") {
		return []Found{{Node: node, Name: strings.Trim(t.Text(node), `"`)}}
	}
	return []Found{{Node: node, Name: "test " + t.Text(node)}}
}

func zigField(t *Tree, n int) []Found { return []Found{{Node: t.Child(n, "name")}} }

// zigImported returns the file or module of @import and @cInclude.
func zigImported(t *Tree, n int) []Found {
	if name := zigBuiltin(t, n); name != "@import" && name != "@cInclude" && name != "@embedFile" {
		return nil
	}
	return []Found{{Node: t.FirstChild(t.FirstChild(n, "arguments"), "string")}}
}

// zigImport binds the name of an import: const m = @import("m.zig"), or of a name in it: const f =
// @import("m.zig").f.
func zigImport(t *Tree, n int) []doc.Binding {
	value := zigValue(t, n)
	of := ""
	if t.Is(value, "field_expression") && t.Is(t.Child(value, "object"), "builtin_function") {
		of, value = t.Text(t.Child(value, "member")), t.Child(value, "object")
	}
	if zigBuiltin(t, value) != "@import" || !t.Is(n+1, "identifier") {
		return nil
	}
	module := t.FirstChild(t.FirstChild(value, "arguments"), "string")
	return []doc.Binding{{Name: t.Text(n + 1), Import: t.Text(module), Of: of}}
}

// zigCalled returns the called name: f, m.f, and _.f after an expression that is no name.
func zigCalled(t *Tree, n int) string {
	f := t.Child(n, "function")
	if f < 0 {
		return ""
	}
	if text := t.Bytes(f); IsPath(text) {
		return strings.TrimLeft(string(text), ".")
	}
	if last := t.Child(f, "member"); last >= 0 && t.Is(f, "field_expression") {
		return "_." + t.Text(last)
	}
	return ""
}
