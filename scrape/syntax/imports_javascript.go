package syntax

import (
	"bytes"
	"strings"

	"patina/store"
)

// scriptSource returns the source of an import statement. "import x = require(m)" has it one node
// down.
func scriptSource(t *tree, n int) []found {
	return []found{{node: max(t.child(n, "source"), t.child(t.firstChild(n, "import_require_clause"), "source"))}}
}

// scriptBindings returns the names that an import statement binds.
func scriptBindings(t *tree, n int) (list []store.Binding) {
	if r := t.firstChild(n, "import_require_clause"); r >= 0 {
		return []store.Binding{{Name: t.textOf(t.firstChild(r, "identifier")), Import: t.textOf(t.child(r, "source"))}}
	}
	source := t.textOf(t.child(n, "source"))
	for c := range t.children(t.firstChild(n, "import_clause")) {
		switch t.kind(c) {
		case "identifier":
			list = append(list, store.Binding{Name: t.textOf(c), Import: source, Of: store.DefaultName})
		case "namespace_import":
			list = append(list, store.Binding{Name: t.textOf(t.firstChild(c, "identifier")), Import: source})
		case "named_imports":
			list = append(list, importSpecifiers(t, c, source)...)
		}
	}
	return list
}

// importSpecifiers returns the names between braces.
func importSpecifiers(t *tree, n int, source string) (list []store.Binding) {
	for c := range t.children(n) {
		if t.is(c, "import_specifier", "export_specifier") {
			name := unquote(t.textOf(t.child(c, "name")))
			list = append(list, store.Binding{Name: or(unquote(t.textOf(t.child(c, "alias"))), name), Import: source, Of: name})
		}
	}
	return list
}

// exportedNames binds names that a module exports from others, or under another name.
func exportedNames(t *tree, n int) (list []store.Binding) {
	source := t.textOf(t.child(n, "source"))
	switch clause, all := t.firstChild(n, "export_clause"), t.firstChild(n, "namespace_export"); {
	case clause >= 0:
		for _, b := range importSpecifiers(t, clause, source) {
			if source != "" || b.Name != b.Of {
				list = append(list, b)
			}
		}
	case all >= 0:
		list = append(list, store.Binding{Name: t.textOf(all + 1), Import: source})
	case source != "":
		list = append(list, store.Binding{Name: store.AllNames, Import: source, Of: store.AllNames})
	default:
		if name := exportedByDefault(t, n); name != "" {
			list = append(list, store.Binding{Name: store.DefaultName, Of: name})
		}
	}
	return list
}

// exportedByDefault returns the name of a default export, or "".
func exportedByDefault(t *tree, n int) string {
	if !bytes.HasPrefix(t.extentOf(n), []byte("export default")) {
		return ""
	}
	if d := t.child(n, "declaration"); d >= 0 {
		return t.textOf(t.child(d, "name"))
	}
	value := t.child(n, "value")
	if t.is(value, "identifier") {
		return t.textOf(value)
	}
	return t.textOf(t.child(value, "name")) // a class or a function as an expression
}

// requireBindings binds "x = require(m)", "{a, b: c} = require(m)" and "x = require(m).a", also
// with await import(m).
func requireBindings(t *tree, n int) []store.Binding {
	name, value := t.child(n, "name"), t.child(n, "value")
	of := ""
	if t.is(value, "member_expression") {
		value, of = t.child(value, "object"), t.textOf(t.child(value, "property"))
	}
	source := requiredFrom(t, value)
	switch {
	case source == "":
	case t.is(name, "identifier"):
		return []store.Binding{{Name: t.textOf(name), Import: source, Of: of}}
	case t.is(name, "object_pattern") && of == "":
		return destructuredNames(t, name, source)
	}
	return nil
}

func destructuredNames(t *tree, n int, source string) (list []store.Binding) {
	for c := range t.children(n) {
		switch t.kind(c) {
		case "shorthand_property_identifier_pattern":
			list = append(list, store.Binding{Name: t.textOf(c), Import: source, Of: t.textOf(c)})
		case "pair_pattern":
			if v := t.child(c, "value"); t.is(v, "identifier") {
				list = append(list, store.Binding{Name: t.textOf(v), Import: source, Of: unquote(t.textOf(t.child(c, "key")))})
			}
		}
	}
	return list
}

// requiredFrom returns the string of require("m") or await import("m"), or "".
func requiredFrom(t *tree, n int) string {
	if t.is(n, "await_expression") {
		n++
	}
	if !t.is(n, "call_expression") {
		return ""
	}
	if f := t.textOf(t.child(n, "function")); f != "require" && f != "import" {
		return ""
	}
	for arg := range t.children(t.child(n, "arguments")) {
		if t.is(arg, "string") {
			return t.textOf(arg)
		}
		break
	}
	return ""
}

// moduleExports binds the names of "module.exports = f" and "exports.a = f".
func moduleExports(t *tree, n int) []store.Binding {
	left, right := t.child(n, "left"), t.child(n, "right")
	for range 5 { // exports = module.exports = f
		if !t.is(right, "assignment_expression") {
			break
		}
		right = t.child(right, "right")
	}
	of, source := "", requiredFrom(t, right)
	switch {
	case source != "":
	case t.is(right, "identifier"):
		of = t.textOf(right)
	case isFunction(t, right) || t.is(right, "class"):
		of = t.textOf(t.child(right, "name"))
	}
	name := strings.TrimPrefix(t.textOf(left), "module.")
	switch rest, ok := strings.CutPrefix(name, "exports."); {
	case name == "exports" && t.is(right, "object"):
		return memberNames(t, right, "")
	case name == "exports":
		return []store.Binding{{Name: store.DefaultName, Import: source, Of: of}}
	case ok && rest != of && isPath([]byte(rest)) && !strings.Contains(rest, "."):
		return []store.Binding{{Name: rest, Import: source, Of: of}}
	}
	return nil
}

// scriptNames binds what a module is required as, and outside of functions the other names that
// variables and members of objects give: "go = run", "api = { start: run }".
func scriptNames(t *tree, n int) []store.Binding {
	if list := requireBindings(t, n); list != nil {
		return list
	}
	p := t.parent(t.parent(n))
	if !t.is(p, "program", "export_statement") {
		return nil
	}
	name, value := t.textOf(t.child(n, "name")), t.child(n, "value")
	switch t.kind(value) {
	case "identifier":
		return []store.Binding{{Name: name, Of: t.textOf(value)}}
	case "object":
		return memberNames(t, value, name+".")
	}
	return nil
}

// maxMembers bounds the members of one object that are looked at.
const maxMembers = 200

// memberNames binds the members of an object that are names: {start: run, stop}.
func memberNames(t *tree, object int, before string) (list []store.Binding) {
	for c := range t.children(object) {
		switch {
		case len(list) == maxMembers:
			return list
		case t.is(c, "shorthand_property_identifier"):
			list = append(list, store.Binding{Name: before + t.textOf(c), Of: t.textOf(c)})
		case t.is(c, "pair") && t.is(t.child(c, "value"), "identifier"):
			key := unquote(t.textOf(t.child(c, "key")))
			if isPath([]byte(key)) {
				list = append(list, store.Binding{Name: before + key, Of: t.textOf(t.child(c, "value"))})
			}
		}
	}
	return list
}
