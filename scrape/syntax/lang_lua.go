package syntax

import (
	"strings"

	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"

	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["Lua"] = &grammar{
		language: lua.Language,
		rules: map[string]rule{
			"function_declaration": {is: function, names: luaFunction},
			// "local f = function" and "M.f = function" define functions; tables are types of a kind.
			"assignment_statement": {is: variable, names: luaAssigned, ends: luaBody, binds: luaRequired},
			"field":                {is: function, names: luaField, ends: luaBody, otherwise: member},
			"variable_declaration": {is: wrapper},
			"function_definition":  {is: closure, when: luaUnnamed},
			"comment":              {is: comment},
			"function_call":        {is: call, calls: luaCalled},
		},
		predeclared: text.Set(`assert error getmetatable ipairs next pairs pcall print rawequal rawget rawset select setmetatable
			tonumber tostring type unpack xpcall table.insert table.concat table.remove string.format`),
		importers: text.Set("require dofile loadfile"),
	}
}

// luaFunction names a function: f, M.f and M:f.
func luaFunction(t *tree, n int) []found { return []found{luaName(t, t.child(n, "name"))} }

// luaName returns the last part of a name, and what stands before it.
func luaName(t *tree, n int) found {
	last := max(t.child(n, "field"), t.child(n, "method"))
	if last < 0 || !t.is(n, "dot_index_expression", "method_index_expression") {
		return found{node: n}
	}
	table := t.textOf(t.child(n, "table"))
	return found{node: last, scope: table[strings.LastIndexAny(table, ".:")+1:]}
}

// luaAssigned names what an assignment defines: functions everywhere; outside of functions also
// variables, and tables below a name ("M.defaults = {").
func luaAssigned(t *tree, n int) (list []found) {
	values := t.luaValues(n)
	i := 0
	for name := range t.children(t.firstChild(n, "variable_list")) {
		if !t.is(name, "identifier", "dot_index_expression") {
			continue // an attribute, or t[i]
		}
		value := -1
		if i < len(values) {
			value = values[i]
		}
		i++
		f := luaName(t, name)
		switch {
		case t.is(value, "function_definition"), t.luaWraps(value):
			f.sort = store.Function
		case !t.is(name, "identifier") && !t.is(value, "table_constructor"), t.luaRequire(value) != "":
			continue // a field, a module
		case isUpper(t.textOf(f.node)):
			f.sort = store.Constant
		}
		list = append(list, f)
	}
	return list
}

// luaWraps reports whether a value is a function that another one wraps: "M.f = cached(function".
func (t *tree) luaWraps(value int) bool {
	return t.is(value, "function_call") && t.firstChild(t.child(value, "arguments"), "function_definition") >= 0
}

// maxValues bounds the values of one assignment that are looked at.
const maxValues = 50

func (t *tree) luaValues(assignment int) (list []int) {
	for v := range t.children(t.firstChild(assignment, "expression_list")) {
		if list = append(list, v); len(list) == maxValues {
			break
		}
	}
	return list
}

// luaField names a function in a table: "f = function".
func luaField(t *tree, n int) []found {
	name := t.child(n, "name")
	if !t.is(t.child(n, "value"), "function_definition") || !t.is(name, "identifier") {
		return nil
	}
	return []found{{node: name}}
}

// luaUnnamed reports whether a function is neither assigned nor in a field.
func luaUnnamed(t *tree, n int) bool {
	p := t.parent(n)
	return !t.is(p, "field") && !(t.is(p, "expression_list") && t.is(t.parent(p), "assignment_statement"))
}

// luaBody finds the end of the head of a function that is assigned.
func luaBody(t *tree, n int) int {
	for _, v := range append(t.luaValues(n), t.child(n, "value")) {
		if p := t.child(v, "parameters"); t.is(v, "function_definition") && p >= 0 {
			return int(t.nodes[p].end)
		}
	}
	return -1
}

// luaRequire returns the module of "require 'module'", or "".
func (t *tree) luaRequire(n int) string {
	if !t.is(n, "function_call") || t.textOf(t.child(n, "name")) != "require" {
		return ""
	}
	return t.textOf(t.firstChild(t.child(n, "arguments"), "string"))
}

// luaRequired binds the names of modules: "local m = require 'module'".
func luaRequired(t *tree, n int) (list []store.Binding) {
	values := t.luaValues(n)
	i := 0
	for name := range t.children(t.firstChild(n, "variable_list")) {
		if i < len(values) && t.is(name, "identifier") {
			if module := t.luaRequire(values[i]); module != "" {
				list = append(list, store.Binding{Name: t.textOf(name), Import: module})
			}
		}
		if !t.is(name, "attribute") {
			i++
		}
	}
	return list
}

// luaCalled returns what is called: f, m.f, and o.f for o:f().
func luaCalled(t *tree, n int) string {
	f := t.child(n, "name")
	if f < 0 {
		return ""
	}
	if text := t.extentOf(f); isPath(text) {
		return strings.ReplaceAll(string(text), ":", ".")
	}
	if last := max(t.child(f, "field"), t.child(f, "method")); last >= 0 && t.is(f, "dot_index_expression", "method_index_expression") {
		return "_." + t.textOf(last)
	}
	return ""
}

// isUpper reports whether a name is written in capitals: LIMIT.
func isUpper(name string) bool {
	return name == strings.ToUpper(name) && name != strings.ToLower(name)
}
