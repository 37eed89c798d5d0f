package syntax

import (
	"slices"
	"strings"

	"patina/store"
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

// enterDeclared enters the variables that a node declares.
func (r *reader) enterDeclared(n int, y *typing) {
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
		if r.is(name, "init_declarator") {
			holder = name
		}
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
	typ := typeName(r.textOf(of))
	switch {
	case of < 0 || typ == "var" || typ == "auto":
		if typ = r.valueType(r.valueOf(holder, y)); typ == "" {
			return
		}
	case typ == "": // one without a name
		typ = store.AnyType
	}
	written := strings.TrimPrefix(r.textOf(name), "$")
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

// valueOf returns the value of a variable: a field, or in C# what stands behind the name.
func (r *reader) valueOf(holder int, y *typing) int {
	value := r.child(holder, or(y.value, "value"))
	if value < 0 && r.lang == "C#" {
		for c := range r.children(holder) {
			value = c
		}
	}
	return value
}

// assigned enters a variable, or a field of the own object, with the type of the value that an
// assignment gives it.
func (r *reader) assigned(left, right int) {
	name, at := strings.TrimPrefix(r.textOf(left), "$"), r.around().symbol
	plain := name
	for _, self := range []string{"this.", "self.", "this->"} {
		plain = strings.TrimPrefix(plain, self)
	}
	field := plain != name || strings.HasPrefix(name, "@")
	typ := r.valueType(right)
	if r.is(left, "constant") && (typ == "Struct" || typ == "Class" || typ == "Data" || typ == "Module") {
		return // a type of Ruby
	}
	if !isPath([]byte(plain)) || strings.ContainsAny(plain, ".:>") || typ == "" {
		return
	}
	place := int(r.nodes[left].start)
	if field {
		if of, is := strings.CutPrefix(typ, "="); is {
			typ = r.typedBefore(of, at)
		}
		if at < 0 || r.out.Symbols[at].Parent < 0 || typ == "" {
			return
		}
		at = r.out.Symbols[at].Parent
		place = r.out.Symbols[at].At
	}
	if max(len(plain), len(typ)) <= NameBytes {
		r.out.Typed = append(r.out.Typed, Typed{plain, typ, at, place})
	}
}

// typedBefore is the type of a variable that a function has declared, "" for none.
func (r *reader) typedBefore(name string, symbol int) string {
	for i, t := range slices.Backward(r.out.Typed) {
		if len(r.out.Typed)-i > maxAround {
			break
		}
		if t.Symbol == symbol && t.Name == name && !strings.HasPrefix(t.Type, "=") {
			return t.Type
		}
	}
	return ""
}

// isAssigned enters what an assignment expression or statement gives a value.
func isAssigned(r *reader, n int) { r.assigned(r.child(n, "left"), r.child(n, "right")) }

// madeType is the type of "new T()", "" of any other value.
func (t *tree) madeType(n int) string {
	if !t.is(n, "object_creation_expression", "new_expression") {
		return ""
	}
	if t.firstChild(n, "class_body") >= 0 { // a class without a name
		return ""
	}
	made := t.child(n, "type")
	if made < 0 {
		made = t.child(n, "constructor")
	}
	return typeName(t.textOf(made))
}

// typeName is the name of a type as written: without its parameters, pointers, and what says that
// there may be none. A union of two types has no name.
func typeName(written string) string {
	s := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(written), ":"))
	s = strings.Trim(s, `"'`)
	for _, may := range []string{"Optional[", "typing.Optional["} { // of Python
		if rest, ok := strings.CutPrefix(s, may); ok {
			s = strings.Trim(strings.TrimSuffix(rest, "]"), `"'`)
		}
	}
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
	if i := strings.IndexAny(s, "<["); i >= 0 {
		s = s[:i]
	}
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

// isPromoted reports whether a parameter of a constructor is a field as well.
func isPromoted(t *tree, n int) bool {
	return t.firstChild(n, "accessibility_modifier", "override_modifier", "visibility_modifier") >= 0 ||
		strings.HasPrefix(t.textOf(n), "readonly ")
}
