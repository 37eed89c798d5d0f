package lang

import (
	"bytes"
	"maps"
	"strings"

	"patina/store/text"
)

func addJavascript(register func(*Language)) {
	rules := maps.Clone(scriptRules)
	rules[jsxElements] = Rule{Is: Call, Calls: jsxCalled}
	rules["field_definition"] = Rule{Is: Function, Names: fieldFunction}
	register(&Language{
		Name: "JavaScript", Code: true, Files: ".js .mjs .cjs .jsx", Interpreters: "node nodejs",
		Comments: slashComments, ReExports: "index.js index.jsx index.mjs index.cjs",
		TestLines: scriptTestLines,
		Ecosystem: "npm",
		Grammar: &Grammar{
			Recovers: true,
			Rules:    rules, Importers: scriptImporters,
			Typed:        map[string]Typing{"variable_declarator": {}, "assignment_expression": {All: isAssigned}},
			TypesByValue: true,
		},
		Scope: Scope{
			Modules: ScriptModules, ByPath: true, BindsModules: true, MustImport: true, ClosedModules: true,
			DeclaredTypes: true, FollowsTypes: true, SharedVariables: true,
			Constructors: []string{"constructor"},
			BuiltinMethods: text.Set(`add apply at bind call catch charAt clear concat delete endsWith
				entries every fill filter finally find findIndex flat flatMap forEach get has includes
				indexOf join keys map match padEnd padStart pop push reduce repeat replace reverse set
				shift slice some sort splice split startsWith substring test then toString trim unshift
				values`),
			BuiltinTypes: text.Set(`Array ArrayBuffer Atomics BigInt Boolean Buffer Date Error Function
				Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol WeakMap
				WeakSet console document globalThis navigator performance process window
				AbortController AbortSignal AsyncIterator Blob DataView Element Event EventTarget FormData
				HTMLElement Headers Iterator MessagePort Node ReadableStream Request Response TextDecoder
				TextEncoder URL URLSearchParams Uint8Array WeakRef WebSocket crypto localStorage
				sessionStorage`),
		},
	})
}

// These are also rules of TypeScript.
var (
	scriptTestLines = []string{"describe(", "describe.", "it(", "it.", "test(", "test."}
	scriptImporters = text.Set("require import")
	scriptRules     = map[string]Rule{
		"function_declaration generator_function_declaration": {Is: Function},
		"method_definition":                      {Is: Function, Names: propertyName},
		"class_declaration":                      {Is: Type},
		"class":                                  {Is: Type, Names: expressionName},
		"variable_declarator":                    {Is: Variable, Names: declaredName, Binds: scriptNames},
		"assignment_expression":                  {Is: Function, Names: assignedFunction, Binds: moduleExports},
		"pair":                                   {Is: Function, Names: pairFunction},
		"function_expression generator_function": {Is: Function, Names: expressionName, Otherwise: Closure},
		"arrow_function":                         {Is: Closure},
		"export_statement":                       {Is: Wrapper, Binds: exportedNames},
		"expression_statement lexical_declaration variable_declaration": {Is: Wrapper},
		"decorator":        {Is: Attribute},
		"comment":          {Is: Comment},
		"call_expression":  {Is: Call},
		"new_expression":   {Is: Call, Name: "constructor"},
		"import_statement": {Is: Import, Names: scriptSource, Binds: scriptBindings},
	}
)

// jsxElements are the kinds of elements in a program.
const jsxElements = "jsx_opening_element jsx_self_closing_element"

// isFunction reports whether a value is a function.
func isFunction(t *Tree, n int) bool {
	return t.Is(n, "arrow_function", "function_expression", "generator_function")
}

// propertyName names a method or a property. A computed name is unknown.
func propertyName(t *Tree, n int) []Found {
	name := t.Child(n, "name")
	if t.Is(name, "computed_property_name") {
		return nil
	}
	return []Found{{Node: name, Name: unquote(t.Text(name))}}
}

// declaredName names a variable by the kind of its value.
func declaredName(t *Tree, n int) []Found {
	name, value := t.Child(n, "name"), t.Child(n, "value")
	if !t.Is(name, "identifier") {
		return nil
	}
	f := Found{Node: name}
	switch {
	case isFunction(t, value):
		f.Sort = "function"
	case t.Is(value, "class"):
		f.Sort = "type"
	case bytes.HasPrefix(t.Bytes(t.Parent(n)), []byte("const")):
		f.Sort = "constant"
	}
	return []Found{f}
}

// assignedFunction names a function or a class by its target: exports.f is f, A.prototype.f is A.f,
// app.f is app.f. An object assigned to module.exports has no name, so its members have no scope.
func assignedFunction(t *Tree, n int) []Found {
	left, right := t.Child(n, "left"), t.Child(n, "right")
	for range 5 { // a = b = function
		if !t.Is(right, "assignment_expression") {
			break
		}
		right = t.Child(right, "right")
	}
	f := Found{Node: left}
	switch {
	case isFunction(t, right):
	case t.Is(right, "class"):
		f.Sort = "type"
	default:
		return nil
	}
	if t.Is(left, "identifier") {
		return []Found{f}
	}
	property := t.Child(left, "property")
	if !t.Is(left, "member_expression") || property < 0 || !IsPath(t.Bytes(left)) {
		return nil
	}
	f.Node, f.Name = property, t.Text(property)
	owner := strings.TrimSuffix(t.Text(t.Child(left, "object")), ".prototype")
	owner = owner[strings.LastIndexByte(owner, '.')+1:]
	if f.Name == "exports" && owner == "module" {
		return ownName(t, right)
	}
	if owner != "exports" && owner != "this" {
		f.Scope = owner
	}
	return []Found{f}
}

// ownName returns the name in "function name() {}".
func ownName(t *Tree, n int) []Found {
	name := t.Child(n, "name")
	if name < 0 {
		return nil
	}
	return []Found{{Node: name}}
}

func pairFunction(t *Tree, n int) []Found {
	key := t.Child(n, "key")
	if !isFunction(t, t.Child(n, "value")) || t.Is(key, "computed_property_name") {
		return nil
	}
	return []Found{{Node: key, Name: unquote(t.Text(key))}}
}

func fieldFunction(t *Tree, n int) []Found {
	name := t.Child(n, "name")
	if name < 0 {
		name = t.Child(n, "property")
	}
	f := Found{Node: name}
	if !isFunction(t, t.Child(n, "value")) {
		return nil
	}
	return []Found{f}
}

// functionProperty names a property of an interface that is a function.
func functionProperty(t *Tree, n int) []Found {
	of := t.Child(n, "type")
	if of < 0 || !t.Is(of+1, "function_type") || !t.Is(t.Parent(n), "interface_body") {
		return nil
	}
	return propertyName(t, n)
}

func nodeItself(_ *Tree, n int) []Found { return []Found{{Node: n}} }
func inEnum(t *Tree, n int) bool        { return t.Is(t.Parent(n), "enum_body") }

// expressionName names a function or a class by its own name if it has no other:
// setTimeout(function tick() {}).
func expressionName(t *Tree, n int) []Found {
	if t.Is(t.Parent(n), "variable_declarator", "assignment_expression", "pair", "field_definition",
		"public_field_definition") {
		return nil
	}
	return ownName(t, n)
}

// jsxCalled returns the component that an element renders: Header of <Header />, Menu.Item of
// <Menu.Item />. It returns "" for an element of the page such as <div>.
func jsxCalled(t *Tree, n int) string {
	name := t.Text(t.Child(n, "name"))
	if !IsPath([]byte(name)) || !strings.Contains(name, ".") && (name[0] >= 'a' && name[0] <= 'z') {
		return ""
	}
	return name
}
