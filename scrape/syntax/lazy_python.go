package syntax

import (
	"bytes"
	"strings"

	"patina/store"
)

// lazyImport returns the module that an expression of Python imports when it is first used, or at
// once, by a call: a.b of LazyImport("a.b"), LazyLoader("b", globals(), "a.b") and of
// import_module("a.b"). A function is taken for one by its name.
func (t *tree) lazyImport(value int) string {
	for range 3 {
		if !t.is(value, "parenthesized_expression", "await") {
			break
		}
		value++
	}
	if !t.is(value, "call") {
		return ""
	}
	f := t.textOf(t.child(value, "function"))
	f = strings.ToLower(f[strings.LastIndexByte(f, '.')+1:])
	if !strings.Contains(f, "lazy") && !strings.Contains(f, "import") {
		return ""
	}
	module := ""
	looked := 0
	for c := range t.children(t.child(value, "arguments")) {
		if looked++; looked > maxAround {
			break
		}
		if t.is(c, "keyword_argument") {
			c = t.child(c, "value")
		}
		if s := unquote(t.textOf(c)); t.is(c, "string") && isModule(s) {
			module = s // the last one: others give it a name
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
		if !isPath([]byte(part)) || strings.ContainsAny(part, ":->?!\\~@$") {
			return false
		}
	}
	return true
}

// lazyBinding is the name that a variable gives to a module which a call imports.
func (t *tree) lazyBinding(n int) []store.Binding {
	left := t.child(n, "left")
	if !t.is(left, "identifier") {
		return nil
	}
	module := t.lazyImport(t.child(n, "right"))
	if module == "" {
		return nil
	}
	return []store.Binding{{Name: t.textOf(left), Import: module}}
}

// structure are the names that a package of Python hands on from its modules when they are first
// asked for, by a table of them: _import_structure = {"m": ["a", "b"]}, and the same of one module
// with an index.
func (t *tree) structure(n int) []store.Binding {
	left, right := t.child(n, "left"), t.child(n, "right")
	const table = "_import_structure"
	switch {
	case t.is(left, "identifier") && t.textOf(left) == table && t.is(right, "dictionary"):
		return t.handedOn(right)
	case t.is(left, "subscript") && t.textOf(t.child(left, "value")) == table:
		return t.fromModule(unquote(t.textOf(t.child(left, "subscript"))), right)
	}
	return nil
}

// attached are the names that attach(__name__, submod_attrs={"m": ["a"]}) hands on.
func (t *tree) attached(n int) (list []store.Binding) {
	if f := t.child(n, "function"); f < 0 || !bytes.HasSuffix(t.extentOf(f), []byte("attach")) {
		return nil
	}
	for c := range t.children(t.child(n, "arguments")) {
		if !t.is(c, "keyword_argument") {
			continue
		}
		switch value := t.child(c, "value"); t.textOf(t.child(c, "name")) {
		case "submod_attrs":
			list = append(list, t.handedOn(value)...)
		case "submodules":
			for m := range t.children(value) {
				if name := unquote(t.textOf(m)); t.is(m, "string") && isModule(name) {
					list = append(list, store.Binding{Name: name, Import: "." + name})
				}
			}
		}
	}
	return list
}

// handedOn reads a dictionary from modules to lists of their names.
func (t *tree) handedOn(dictionary int) (list []store.Binding) {
	for c := range t.children(dictionary) {
		if len(list) >= maxHandedOn {
			break
		}
		if t.is(c, "pair") {
			list = append(list, t.fromModule(unquote(t.textOf(t.child(c, "key"))), t.child(c, "value"))...)
		}
	}
	return list
}

// maxHandedOn bounds the names of one table.
const maxHandedOn = 5000

// fromModule binds names of a list to a module of the own package.
func (t *tree) fromModule(module string, names int) (list []store.Binding) {
	if !isModule(module) || !t.is(names, "list", "tuple", "set") {
		return nil
	}
	for c := range t.children(names) {
		if name := unquote(t.textOf(c)); t.is(c, "string") && isModule(name) && len(list) < maxHandedOn {
			list = append(list, store.Binding{Name: name, Import: "." + strings.TrimLeft(module, "."), Of: name})
		}
	}
	return list
}
