package lang

import (
	"bytes"
	"strings"

	"patina/store/doc"
)

// lazyImport returns the module that an expression of Python imports by a call, at its first use or
// at once: a.b of LazyImport("a.b"), LazyLoader("b", globals(), "a.b") and of import_module("a.b").
// The name of the function decides. It returns "" for any other expression.
func lazyImport(t *Tree, value int) string {
	for range 3 {
		if !t.Is(value, "parenthesized_expression", "await") {
			break
		}
		value++
	}
	if !t.Is(value, "call") {
		return ""
	}
	f := t.Text(t.Child(value, "function"))
	f = strings.ToLower(f[strings.LastIndexByte(f, '.')+1:])
	if !strings.Contains(f, "lazy") && !strings.Contains(f, "import") {
		return ""
	}
	module := ""
	looked := 0
	for c := range t.Children(t.Child(value, "arguments")) {
		if looked++; looked > MaxAround {
			break
		}
		if t.Is(c, "keyword_argument") {
			c = t.Child(c, "value")
		}
		if s := unquote(t.Text(c)); t.Is(c, "string") && isModule(s) {
			module = s // the last one, because others give it a name
		}
	}
	return module
}

// isModule reports whether a text may name a module of Python: a.b, .a.
func isModule(s string) bool {
	name := strings.TrimLeft(s, ".")
	if name == "" || len(s) > NameBytes {
		return false
	}
	for part := range strings.SplitSeq(name, ".") {
		if !IsPath([]byte(part)) || strings.ContainsAny(part, ":->?!\\~@$") {
			return false
		}
	}
	return true
}

// lazyBinding binds the name that a variable gives to a module which a call imports.
func lazyBinding(t *Tree, n int) []doc.Binding {
	left := t.Child(n, "left")
	if !t.Is(left, "identifier") {
		return nil
	}
	module := lazyImport(t, t.Child(n, "right"))
	if module == "" {
		return nil
	}
	return []doc.Binding{{Name: t.Text(left), Import: module}}
}

// structure binds the names that a package of Python re-exports from its modules at their first
// use, by a table of them: _import_structure = {"m": ["a", "b"]}, and the same of one module with
// an index.
func structure(t *Tree, n int) []doc.Binding {
	left, right := t.Child(n, "left"), t.Child(n, "right")
	const table = "_import_structure"
	switch {
	case t.Is(left, "identifier") && t.Text(left) == table && t.Is(right, "dictionary"):
		return handedOn(t, right)
	case t.Is(left, "subscript") && t.Text(t.Child(left, "value")) == table:
		return fromModule(t, unquote(t.Text(t.Child(left, "subscript"))), right)
	}
	return nil
}

// attached binds the names that attach(__name__, submod_attrs={"m": ["a"]}) re-exports.
func attached(t *Tree, n int) (list []doc.Binding) {
	if f := t.Child(n, "function"); f < 0 || !bytes.HasSuffix(t.Bytes(f), []byte("attach")) {
		return nil
	}
	for c := range t.Children(t.Child(n, "arguments")) {
		if !t.Is(c, "keyword_argument") {
			continue
		}
		switch value := t.Child(c, "value"); t.Text(t.Child(c, "name")) {
		case "submod_attrs":
			list = append(list, handedOn(t, value)...)
		case "submodules":
			for m := range t.Children(value) {
				if name := unquote(t.Text(m)); t.Is(m, "string") && isModule(name) {
					list = append(list, doc.Binding{Name: name, Import: "." + name})
				}
			}
		}
	}
	return list
}

// handedOn reads a dictionary from modules to lists of their names.
func handedOn(t *Tree, dictionary int) (list []doc.Binding) {
	for c := range t.Children(dictionary) {
		if len(list) >= maxHandedOn {
			break
		}
		if t.Is(c, "pair") {
			list = append(list, fromModule(t, unquote(t.Text(t.Child(c, "key"))), t.Child(c, "value"))...)
		}
	}
	return list
}

// maxHandedOn is the most names of one table.
const maxHandedOn = 5000

// fromModule binds names of a list to a module of the own package.
func fromModule(t *Tree, module string, names int) (list []doc.Binding) {
	if !isModule(module) || !t.Is(names, "list", "tuple", "set") {
		return nil
	}
	for c := range t.Children(names) {
		if name := unquote(t.Text(c)); t.Is(c, "string") && isModule(name) && len(list) < maxHandedOn {
			list = append(list, doc.Binding{Name: name, Import: "." + strings.TrimLeft(module, "."), Of: name})
		}
	}
	return list
}
