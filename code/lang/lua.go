package lang

import (
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

func addLua(register func(*Language)) {
	register(&Language{
		Name: "Lua", Code: true, Files: ".lua .rockspec", Interpreters: "lua luajit",
		Comments:     Comments{Lines: []string{"--"}, Blocks: [][2]string{{"--[[", "]]"}}},
		TestLines:    []string{"describe("},
		SummaryMarks: []string{"--[==[", "--[=[", "--[[", "---", "--"},
		Grammar: &Grammar{
			Recovers: true,
			Rules: map[string]Rule{
				"function_declaration": {Is: Function, Names: luaFunction},
				// "local f = function" and "M.f = function" define functions. Tables are a kind of
				// types.
				"assignment_statement": {Is: Variable, Names: luaAssigned, Ends: luaBody, Binds: luaRequired},
				"field":                {Is: Function, Names: luaField, Ends: luaBody, Otherwise: Member},
				"variable_declaration": {Is: Wrapper},
				"function_definition":  {Is: Closure, When: luaUnnamed},
				"comment":              {Is: Comment},
				"function_call":        {Is: Call, Calls: luaCalled},
			},
			Predeclared: text.Set(`assert error getmetatable ipairs next pairs pcall print rawequal rawget
				rawset select setmetatable tonumber tostring type unpack xpcall table.insert table.concat
				table.remove string.format`),
			Importers: text.Set("require dofile loadfile"),
		},
		Scope: Scope{
			Modules: NamedModules, ModulePlaces: luaPlaces, ModuleRoot: "lua", ByPath: true, NamesModules: true,
			MustImport:    true,
			TypeReceivers: NoTypes,
			// The library of Lua 5.4, and the globals of LuaJIT, OpenResty, Neovim and LÖVE.
			BuiltinTypes: text.Set(`bit bit32 coroutine debug io jit love math ngx os package string table utf8 vim`),
		},
	})
}

// luaFunction names a function: f, M.f and M:f.
func luaFunction(t *Tree, n int) []Found { return []Found{luaName(t, t.Child(n, "name"))} }

// luaName returns the last part of a name, and the table before it as its scope.
func luaName(t *Tree, n int) Found {
	last := max(t.Child(n, "field"), t.Child(n, "method"))
	if last < 0 || !t.Is(n, "dot_index_expression", "method_index_expression") {
		return Found{Node: n}
	}
	table := t.Text(t.Child(n, "table"))
	return Found{Node: last, Scope: table[strings.LastIndexAny(table, ".:")+1:]}
}

// luaAssigned returns the names that an assignment defines: functions everywhere, and outside
// functions also variables and tables below a name ("M.defaults = {").
func luaAssigned(t *Tree, n int) (list []Found) {
	values := luaValues(t, n)
	i := 0
	for name := range t.Children(t.FirstChild(n, "variable_list")) {
		if !t.Is(name, "identifier", "dot_index_expression") {
			continue // an attribute, or t[i]
		}
		value := -1
		if i < len(values) {
			value = values[i]
		}
		i++
		f := luaName(t, name)
		switch {
		case t.Is(value, "function_definition"), luaWraps(t, value):
			f.Sort = doc.Function
		case !t.Is(name, "identifier") && !t.Is(value, "table_constructor"), luaRequire(t, value) != "":
			continue // a field, a module
		case IsUpper(t.Text(f.Node)):
			f.Sort = doc.Constant
		}
		list = append(list, f)
	}
	return list
}

// luaWraps reports whether a value is a function that another one wraps: "M.f = cached(function".
func luaWraps(t *Tree, value int) bool {
	return t.Is(value, "function_call") && t.FirstChild(t.Child(value, "arguments"), "function_definition") >= 0
}

// maxValues is the most values of one assignment that are looked at.
const maxValues = 50

func luaValues(t *Tree, assignment int) (list []int) {
	for v := range t.Children(t.FirstChild(assignment, "expression_list")) {
		if list = append(list, v); len(list) == maxValues {
			break
		}
	}
	return list
}

// luaField names a function in a table: "f = function".
func luaField(t *Tree, n int) []Found {
	name := t.Child(n, "name")
	if !t.Is(t.Child(n, "value"), "function_definition") || !t.Is(name, "identifier") {
		return nil
	}
	return []Found{{Node: name}}
}

// luaUnnamed reports whether a function is neither assigned nor in a field.
func luaUnnamed(t *Tree, n int) bool {
	p := t.Parent(n)
	return !t.Is(p, "field") && !(t.Is(p, "expression_list") && t.Is(t.Parent(p), "assignment_statement"))
}

// luaBody returns the end of the head of a function that is assigned, or -1.
func luaBody(t *Tree, n int) int {
	for _, v := range append(luaValues(t, n), t.Child(n, "value")) {
		if p := t.Child(v, "parameters"); t.Is(v, "function_definition") && p >= 0 {
			return t.End(p)
		}
	}
	return -1
}

// luaRequire returns the module of "require 'module'", or "".
func luaRequire(t *Tree, n int) string {
	if !t.Is(n, "function_call") || t.Text(t.Child(n, "name")) != "require" {
		return ""
	}
	return t.Text(t.FirstChild(t.Child(n, "arguments"), "string"))
}

// luaRequired binds the names of modules: "local m = require 'module'".
func luaRequired(t *Tree, n int) (list []doc.Binding) {
	values := luaValues(t, n)
	i := 0
	for name := range t.Children(t.FirstChild(n, "variable_list")) {
		if i < len(values) && t.Is(name, "identifier") {
			if module := luaRequire(t, values[i]); module != "" {
				list = append(list, doc.Binding{Name: t.Text(name), Import: module})
			}
		}
		if !t.Is(name, "attribute") {
			i++
		}
	}
	return list
}

// luaCalled returns the called name: f, m.f, and o.f for o:f().
func luaCalled(t *Tree, n int) string {
	f := t.Child(n, "name")
	if f < 0 {
		return ""
	}
	if text := t.Bytes(f); IsPath(text) {
		return strings.ReplaceAll(string(text), ":", ".")
	}
	if last := max(t.Child(f, "field"), t.Child(f, "method")); last >= 0 &&
		t.Is(f, "dot_index_expression", "method_index_expression") {
		return "_." + t.Text(last)
	}
	return ""
}

// luaPlaces returns the paths where a module may be: a.b is a/b or a/b/init.
func luaPlaces(module string) []string {
	place := strings.ReplaceAll(module, ".", "/")
	return []string{place, place + "/init"}
}
