package syntax

import (
	"strings"
)

// A Typed is a variable with the type that the text declares for it.
type Typed struct {
	Name, Type string
	Symbol     int // the function or type that declares it, or -1
	At         int // where its name stands
}

// A typing says where a node that declares variables keeps their type and their names.
type typing struct {
	of    string // field of the type; "" is "type"
	name  string // field of the name; "" is "name"
	in    string // kind of the nodes below that hold a name each; "" is the node itself
	value string // field of a value that is made by its type: x = new T()
	// parts finds the nodes of the name and the type, where fields do not do; -1 is none.
	parts func(t *tree, n int) (name, of int)
	all   func(r *reader, n int) // enters the variables itself, in place of all others
	// A field of the type around as well: a parameter of a constructor with a modifier.
	member func(t *tree, n int) bool
}

// typed enters the variables that a node declares.
func (r *reader) typed(n int, y *typing) {
	switch {
	case y.all != nil:
		y.all(r, n)
		return
	case y.parts != nil:
		name, of := y.parts(r.tree, n)
		r.typedAs(n, n, name, of, y)
		return
	}
	of := r.child(n, or(y.of, "type"))
	if y.in == "" {
		r.typedName(n, n, of, y)
		return
	}
	for c := range r.children(n) {
		if r.is(c, y.in) {
			r.typedName(n, c, of, y)
		}
	}
}

func (r *reader) typedName(n, holder, of int, y *typing) {
	name := r.child(holder, or(y.name, "name"))
	if r.is(name, "pointer_declarator", "reference_declarator", "init_declarator", "array_declarator") {
		f, isFunction := r.declarator(name)
		if name = f.node; isFunction {
			return
		}
	}
	r.typedAs(n, holder, name, of, y)
}

// typedAs enters the variable of a name. holder is the node with its value.
func (r *reader) typedAs(n, holder, name, of int, y *typing) {
	if name < 0 {
		return
	}
	typ := typeName(r.written(of))
	if typ == "" || typ == "var" || typ == "auto" {
		if typ = r.madeType(r.child(holder, or(y.value, "value"))); typ == "" {
			return
		}
	}
	written := strings.TrimPrefix(r.written(name), "$")
	if !isPath([]byte(written)) || len(typ) > NameBytes {
		return
	}
	at := r.around()
	r.out.Typed = append(r.out.Typed, Typed{written, typ, at.symbol, int(r.nodes[name].start)})
	if y.member != nil && y.member(r.tree, n) && at.symbol >= 0 {
		if p := r.out.Symbols[at.symbol].Parent; p >= 0 {
			r.out.Typed = append(r.out.Typed, Typed{written, typ, p, r.out.Symbols[p].At})
		}
	}
}

// madeType is the type of "new T()", "" of any other value.
func (t *tree) madeType(n int) string {
	if !t.is(n, "object_creation_expression", "new_expression") {
		return ""
	}
	if t.first(n, "class_body") >= 0 { // a class without a name
		return ""
	}
	made := t.child(n, "type")
	if made < 0 {
		made = t.child(n, "constructor")
	}
	return typeName(t.written(made))
}

// typeName is the name of a type as written: without its parameters, pointers, and what says that
// there may be none. A union of two types has no name.
func typeName(written string) string {
	s := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(written), ":"))
	s = strings.Trim(s, `"'`)
	for _, nothing := range []string{"null", "undefined", "None"} {
		s = strings.TrimSpace(strings.TrimSuffix(s, "| "+nothing))
		s = strings.TrimSpace(strings.TrimPrefix(s, nothing+" |"))
	}
	for _, mark := range []string{"const ", "final ", "readonly ", "mut ", "dyn ", "struct "} {
		s = strings.TrimPrefix(strings.TrimLeft(s, "&*"), mark)
	}
	if strings.HasSuffix(s, "[]") || strings.ContainsAny(s, "|{(=") {
		return ""
	}
	s, _, _ = strings.Cut(s, "<")
	s = strings.Trim(s, " \t*&?!")
	if !isPath([]byte(s)) {
		return ""
	}
	return s
}

// isTypeName reports whether a name is written as types are, where these begin with a capital:
// Reader, io.Reader, not LIMIT.
func isTypeName(s string) bool {
	s = s[strings.LastIndexAny(s, ".:")+1:]
	return s != "" && s[0] >= 'A' && s[0] <= 'Z' && (len(s) == 1 || !isUpper(s))
}

// promoted reports whether a parameter of a constructor is a field as well.
func promoted(t *tree, n int) bool {
	return t.first(n, "accessibility_modifier", "override_modifier", "visibility_modifier") >= 0 ||
		strings.HasPrefix(t.written(n), "readonly ")
}
