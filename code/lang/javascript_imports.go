package lang

import (
	"bytes"
	"strings"

	"patina/store/doc"
)

// scriptSource returns the source of an import statement. "import x = require(m)" has it one node
// deeper.
func scriptSource(t *Tree, n int) []Found {
	return []Found{{Node: max(t.Child(n, "source"), t.Child(t.FirstChild(n, "import_require_clause"), "source"))}}
}

// scriptBindings returns the names that an import statement binds.
func scriptBindings(t *Tree, n int) (list []doc.Binding) {
	if r := t.FirstChild(n, "import_require_clause"); r >= 0 {
		return []doc.Binding{{Name: t.Text(t.FirstChild(r, "identifier")), Import: t.Text(t.Child(r, "source"))}}
	}
	source := t.Text(t.Child(n, "source"))
	for c := range t.Children(t.FirstChild(n, "import_clause")) {
		switch t.Kind(c) {
		case "identifier":
			list = append(list, doc.Binding{Name: t.Text(c), Import: source, Of: doc.DefaultName})
		case "namespace_import":
			list = append(list, doc.Binding{Name: t.Text(t.FirstChild(c, "identifier")), Import: source})
		case "named_imports":
			list = append(list, importSpecifiers(t, c, source)...)
		}
	}
	return list
}

// importSpecifiers returns the names between braces.
func importSpecifiers(t *Tree, n int, source string) (list []doc.Binding) {
	for c := range t.Children(n) {
		if t.Is(c, "import_specifier", "export_specifier") {
			name := unquote(t.Text(t.Child(c, "name")))
			list = append(list, doc.Binding{
				Name: or(unquote(t.Text(t.Child(c, "alias"))), name), Import: source, Of: name,
			})
		}
	}
	return list
}

// exportedNames binds names that a module exports from others, or under another name.
func exportedNames(t *Tree, n int) (list []doc.Binding) {
	source := t.Text(t.Child(n, "source"))
	switch clause, all := t.FirstChild(n, "export_clause"), t.FirstChild(n, "namespace_export"); {
	case clause >= 0:
		for _, b := range importSpecifiers(t, clause, source) {
			if source != "" || b.Name != b.Of {
				list = append(list, b)
			}
		}
	case all >= 0:
		list = append(list, doc.Binding{Name: t.Text(all + 1), Import: source})
	case source != "":
		list = append(list, doc.Binding{Name: doc.AllNames, Import: source, Of: doc.AllNames})
	default:
		if name := exportedByDefault(t, n); name != "" {
			list = append(list, doc.Binding{Name: doc.DefaultName, Of: name})
		}
	}
	return list
}

// exportedByDefault returns the name of a default export, or "".
func exportedByDefault(t *Tree, n int) string {
	if !bytes.HasPrefix(t.Bytes(n), []byte("export default")) {
		return ""
	}
	if d := t.Child(n, "declaration"); d >= 0 {
		return t.Text(t.Child(d, "name"))
	}
	value := t.Child(n, "value")
	if t.Is(value, "identifier") {
		return t.Text(value)
	}
	return t.Text(t.Child(value, "name")) // a class or a function as an expression
}

// requireBindings binds "x = require(m)", "{a, b: c} = require(m)" and "x = require(m).a", also
// with await import(m).
func requireBindings(t *Tree, n int) []doc.Binding {
	name, value := t.Child(n, "name"), t.Child(n, "value")
	of := ""
	if t.Is(value, "member_expression") {
		value, of = t.Child(value, "object"), t.Text(t.Child(value, "property"))
	}
	source := requiredFrom(t, value)
	switch {
	case source == "":
	case t.Is(name, "identifier"):
		return []doc.Binding{{Name: t.Text(name), Import: source, Of: of}}
	case t.Is(name, "object_pattern") && of == "":
		return destructuredNames(t, name, source)
	}
	return nil
}

func destructuredNames(t *Tree, n int, source string) (list []doc.Binding) {
	for c := range t.Children(n) {
		switch t.Kind(c) {
		case "shorthand_property_identifier_pattern":
			list = append(list, doc.Binding{Name: t.Text(c), Import: source, Of: t.Text(c)})
		case "pair_pattern":
			if v := t.Child(c, "value"); t.Is(v, "identifier") {
				list = append(list, doc.Binding{
					Name: t.Text(v), Import: source, Of: unquote(t.Text(t.Child(c, "key"))),
				})
			}
		}
	}
	return list
}

// requiredFrom returns the string of require("m") or await import("m"), or "".
func requiredFrom(t *Tree, n int) string {
	if t.Is(n, "await_expression") {
		n++
	}
	if !t.Is(n, "call_expression") {
		return ""
	}
	if f := t.Text(t.Child(n, "function")); f != "require" && f != "import" {
		return ""
	}
	for arg := range t.Children(t.Child(n, "arguments")) {
		if t.Is(arg, "string") {
			return t.Text(arg)
		}
		break
	}
	return ""
}

// moduleExports binds the names of "module.exports = f" and "exports.a = f".
func moduleExports(t *Tree, n int) []doc.Binding {
	left, right := t.Child(n, "left"), t.Child(n, "right")
	for range 5 { // exports = module.exports = f
		if !t.Is(right, "assignment_expression") {
			break
		}
		right = t.Child(right, "right")
	}
	of, source := "", requiredFrom(t, right)
	switch {
	case source != "":
	case t.Is(right, "identifier"):
		of = t.Text(right)
	case isFunction(t, right) || t.Is(right, "class"):
		of = t.Text(t.Child(right, "name"))
	}
	name := strings.TrimPrefix(t.Text(left), "module.")
	switch rest, ok := strings.CutPrefix(name, "exports."); {
	case name == "exports" && t.Is(right, "object"):
		return memberNames(t, right, "")
	case name == "exports":
		return []doc.Binding{{Name: doc.DefaultName, Import: source, Of: of}}
	case ok && rest != of && IsPath([]byte(rest)) && !strings.Contains(rest, "."):
		return []doc.Binding{{Name: rest, Import: source, Of: of}}
	}
	return nil
}

// scriptNames binds the names of a required module, and outside functions the names that variables
// and members of objects give to something else: "go = run", "api = { start: run }".
func scriptNames(t *Tree, n int) []doc.Binding {
	if list := requireBindings(t, n); list != nil {
		return list
	}
	p := t.Parent(t.Parent(n))
	if !t.Is(p, "program", "export_statement") {
		return nil
	}
	name, value := t.Text(t.Child(n, "name")), t.Child(n, "value")
	switch t.Kind(value) {
	case "identifier":
		return []doc.Binding{{Name: name, Of: t.Text(value)}}
	case "object":
		return memberNames(t, value, name+".")
	}
	return nil
}

// maxMembers is the most members of one object that are looked at.
const maxMembers = 200

// memberNames binds the members of an object that are names: {start: run, stop}.
func memberNames(t *Tree, object int, before string) (list []doc.Binding) {
	for c := range t.Children(object) {
		switch {
		case len(list) == maxMembers:
			return list
		case t.Is(c, "shorthand_property_identifier"):
			list = append(list, doc.Binding{Name: before + t.Text(c), Of: t.Text(c)})
		case t.Is(c, "pair") && t.Is(t.Child(c, "value"), "identifier"):
			key := unquote(t.Text(t.Child(c, "key")))
			if IsPath([]byte(key)) {
				list = append(list, doc.Binding{Name: before + key, Of: t.Text(t.Child(c, "value"))})
			}
		}
	}
	return list
}
