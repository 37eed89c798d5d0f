package syntax

import (
	"bytes"
	"maps"
	"strings"

	"patina/store/text"

	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	typescript "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

func init() {
	rules := map[string]rule{
		"function_declaration generator_function_declaration": {is: function},
		"method_definition":                      {is: function, names: propertyName},
		"class_declaration":                      {is: typ},
		"class":                                  {is: typ, names: expressionName},
		"variable_declarator":                    {is: variable, names: declaredName, binds: scriptNames},
		"assignment_expression":                  {is: function, names: assignedFunction, binds: moduleExports},
		"pair":                                   {is: function, names: pairFunction},
		"function_expression generator_function": {is: function, names: expressionName, otherwise: closure},
		"arrow_function":                         {is: closure},
		"export_statement":                       {is: wrapper, binds: exportedNames},
		"expression_statement lexical_declaration variable_declaration": {is: wrapper},
		"decorator":        {is: attribute},
		"comment":          {is: comment},
		"call_expression":  {is: call},
		"new_expression":   {is: call, name: "constructor"},
		"import_statement": {is: imports, names: scriptSource, binds: scriptBindings},
	}
	rules["jsx_opening_element jsx_self_closing_element"] = rule{is: call, calls: jsxCalled}
	js := maps.Clone(rules)
	js["field_definition"] = rule{is: function, names: fieldFunction}
	grammars["JavaScript"] = &grammar{
		language: javascript.Language, rules: js, importers: text.Set("require import"),
		typed: map[string]typing{"variable_declarator": {}, "assignment_expression": {all: isAssigned}},
	}

	ts := maps.Clone(rules)
	maps.Copy(ts, map[string]rule{
		"public_field_definition":                                 {is: function, names: fieldFunction},
		"function_signature":                                      {is: function},
		"method_signature abstract_method_signature":              {is: function, names: propertyName},
		"abstract_class_declaration interface_declaration":        {is: typ},
		"type_alias_declaration enum_declaration internal_module": {is: typ, body: "body"},
		"ambient_declaration":                                     {is: wrapper},
		"property_signature":                                      {is: function, names: functionProperty, otherwise: member},
		"enum_assignment":                                         {is: member},
		"property_identifier":                                     {is: member, names: nodeItself, when: inEnum},
	})
	typed := map[string]typing{
		"required_parameter optional_parameter":      {name: "pattern", member: isPromoted},
		"variable_declarator":                        {},
		"assignment_expression":                      {all: isAssigned},
		"public_field_definition property_signature": {},
	}
	plain := maps.Clone(ts)
	delete(plain, "jsx_opening_element jsx_self_closing_element")
	grammars["TypeScript"] = &grammar{language: typescript.LanguageTypescript, prepare: separateMembers, rules: plain, typed: typed, importers: text.Set("require import")}
	grammars["TSX"] = &grammar{language: typescript.LanguageTSX, rules: ts, typed: typed, importers: text.Set("require import")}
}

// isFunction reports whether a value is a function.
func isFunction(t *tree, n int) bool {
	return t.is(n, "arrow_function", "function_expression", "generator_function")
}

// propertyName names a method or a property: computed names have none.
func propertyName(t *tree, n int) []found {
	name := t.child(n, "name")
	if t.is(name, "computed_property_name") {
		return nil
	}
	return []found{{node: name, name: unquote(t.textOf(name))}}
}

func unquote(s string) string { return strings.Trim(s, "\"'`") }

// declaredName names a variable by the kind of its value.
func declaredName(t *tree, n int) []found {
	name, value := t.child(n, "name"), t.child(n, "value")
	if !t.is(name, "identifier") {
		return nil
	}
	f := found{node: name}
	switch {
	case isFunction(t, value):
		f.sort = "function"
	case t.is(value, "class"):
		f.sort = "type"
	case bytes.HasPrefix(t.extentOf(t.parent(n)), []byte("const")):
		f.sort = "constant"
	}
	return []found{f}
}

// assignedFunction names a function or a class by its target: exports.f is f, A.prototype.f is A.f,
// app.f is app.f. An object assigned to module.exports has no name, so its members have none in
// front.
func assignedFunction(t *tree, n int) []found {
	left, right := t.child(n, "left"), t.child(n, "right")
	for range 5 { // a = b = function
		if !t.is(right, "assignment_expression") {
			break
		}
		right = t.child(right, "right")
	}
	f := found{node: left}
	switch {
	case isFunction(t, right):
	case t.is(right, "class"):
		f.sort = "type"
	default:
		return nil
	}
	if t.is(left, "identifier") {
		return []found{f}
	}
	property := t.child(left, "property")
	if !t.is(left, "member_expression") || property < 0 || !isPath(t.extentOf(left)) {
		return nil
	}
	f.node, f.name = property, t.textOf(property)
	owner := strings.TrimSuffix(t.textOf(t.child(left, "object")), ".prototype")
	owner = owner[strings.LastIndexByte(owner, '.')+1:]
	if f.name == "exports" && owner == "module" {
		return ownName(t, right)
	}
	if owner != "exports" && owner != "this" {
		f.scope = owner
	}
	return []found{f}
}

// ownName is the name in "function name() {}".
func ownName(t *tree, n int) []found {
	name := t.child(n, "name")
	if name < 0 {
		return nil
	}
	return []found{{node: name}}
}

func pairFunction(t *tree, n int) []found {
	key := t.child(n, "key")
	if !isFunction(t, t.child(n, "value")) || t.is(key, "computed_property_name") {
		return nil
	}
	return []found{{node: key, name: unquote(t.textOf(key))}}
}

func fieldFunction(t *tree, n int) []found {
	name := t.child(n, "name")
	if name < 0 {
		name = t.child(n, "property")
	}
	f := found{node: name}
	if !isFunction(t, t.child(n, "value")) {
		return nil
	}
	return []found{f}
}

// functionProperty names a property of an interface that is a function.
func functionProperty(t *tree, n int) []found {
	of := t.child(n, "type")
	if of < 0 || !t.is(of+1, "function_type") || !t.is(t.parent(n), "interface_body") {
		return nil
	}
	return propertyName(t, n)
}

func nodeItself(_ *tree, n int) []found { return []found{{node: n}} }
func inEnum(t *tree, n int) bool        { return t.is(t.parent(n), "enum_body") }

// expressionName names a function or a class by its own name where no other is given:
// setTimeout(function tick() {}).
func expressionName(t *tree, n int) []found {
	if t.is(t.parent(n), "variable_declarator", "assignment_expression", "pair", "field_definition", "public_field_definition") {
		return nil
	}
	return ownName(t, n)
}

// jsxCalled is the component that an element renders: Header of <Header />, Menu.Item of
// <Menu.Item />. An element of the page, as <div>, calls nothing.
func jsxCalled(t *tree, n int) string {
	name := t.textOf(t.child(n, "name"))
	if !isPath([]byte(name)) || !strings.Contains(name, ".") && (name[0] >= 'a' && name[0] <= 'z') {
		return ""
	}
	return name
}
