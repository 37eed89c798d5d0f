package syntax

import (
	"slices"
	"strings"

	"patina/code/lang"
	"patina/store/doc"
)

// A Typed is a variable with the type that the text declares for it.
type Typed struct {
	Name, Type string
	Symbol     int // the function or type that declares it, or -1
	At         int // place of its name
}

// enterDeclared adds the variables that a node declares.
func (r *reader) enterDeclared(n int, y *lang.Typing) {
	switch {
	case y.All != nil:
		y.All(lang.Variables{Tree: &r.Tree, Reader: r}, n)
		return
	case y.Parts != nil:
		name, of, holder := y.Parts(&r.Tree, n)
		r.typedAs(n, holder, name, of, y)
		return
	}
	of := r.Child(n, or(y.Of, "type"))
	if y.In == "" {
		r.typedName(n, n, of, y)
		return
	}
	for c := range r.Children(n) {
		if r.Is(c, y.In) {
			r.typedName(n, c, of, y)
		}
	}
}

func (r *reader) typedName(n, holder, of int, y *lang.Typing) {
	r.typedAs(n, holder, r.Child(holder, or(y.Name, "name")), of, y)
}

// typedAs adds the variable with a name. holder is the node with its value. name and of may be -1.
func (r *reader) typedAs(n, holder, name, of int, y *lang.Typing) {
	if name < 0 {
		return
	}
	typ := lang.TypeName(r.Text(of))
	switch {
	case of < 0 || typ == "var" || typ == "auto":
		if typ = r.ValueType(r.valueOf(holder, y)); typ == "" {
			return
		}
	case typ == "": // a type without a name
		typ = doc.AnyType
	}
	written := strings.TrimPrefix(r.Text(name), "$")
	if !lang.IsPath([]byte(written)) || len(typ) > lang.NameBytes {
		return
	}
	at := r.around()
	r.out.Typed = append(r.out.Typed, Typed{written, typ, at.symbol, r.Start(name)})
	if y.Member != nil && y.Member(&r.Tree, n) && at.symbol >= 0 {
		if p := r.out.Symbols[at.symbol].Parent; p >= 0 {
			r.out.Typed = append(r.out.Typed, Typed{written, typ, p, r.out.Symbols[p].At})
		}
	}
}

// valueOf returns the value of a variable: a field, or the last child if the grammar has no field
// for it.
func (r *reader) valueOf(holder int, y *lang.Typing) int {
	value := r.Child(holder, or(y.Value, "value"))
	if value < 0 && r.LastIsValue {
		for c := range r.Children(holder) {
			value = c
		}
	}
	return value
}

// Assign adds a variable, or a field of the own object, with the type of the value that an
// assignment gives it.
func (r *reader) Assign(left, right int) {
	name, at := strings.TrimPrefix(r.Text(left), "$"), r.around().symbol
	plain := name
	for _, self := range []string{"this.", "self.", "this->"} {
		plain = strings.TrimPrefix(plain, self)
	}
	field := plain != name || strings.HasPrefix(name, "@")
	typ := r.ValueType(right)
	if r.Is(left, "constant") && (typ == "Struct" || typ == "Class" || typ == "Data" || typ == "Module") {
		return // a type of Ruby
	}
	if !lang.IsPath([]byte(plain)) || strings.ContainsAny(plain, ".:>") || typ == "" {
		return
	}
	place := r.Start(left)
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
	if max(len(plain), len(typ)) <= lang.NameBytes {
		r.out.Typed = append(r.out.Typed, Typed{plain, typ, at, place})
	}
}

// typedBefore returns the type of a variable that a function has declared, or "".
func (r *reader) typedBefore(name string, symbol int) string {
	for i, t := range slices.Backward(r.out.Typed) {
		if len(r.out.Typed)-i > lang.MaxAround {
			break
		}
		if t.Symbol == symbol && t.Name == name && !strings.HasPrefix(t.Type, "=") {
			return t.Type
		}
	}
	return ""
}

// madeType returns the type of "new T()", or "" for any other value.
func (t *tree) madeType(n int) string {
	if !t.Is(n, "object_creation_expression", "new_expression") {
		return ""
	}
	if t.FirstChild(n, "class_body") >= 0 { // a class without a name
		return ""
	}
	made := t.Child(n, "type")
	if made < 0 {
		made = t.Child(n, "constructor")
	}
	return lang.TypeName(t.Text(made))
}

// TypeBefore returns the type that the function around has declared for a variable, or "".
func (r *reader) TypeBefore(name string) string { return r.typedBefore(name, r.around().symbol) }

// Enter adds a variable of the function or type around, with the place of its name. An empty typ is
// ignored.
func (r *reader) Enter(name, typ string, at int) {
	if typ != "" && max(len(name), len(typ)) <= lang.NameBytes {
		r.out.Typed = append(r.out.Typed, Typed{name, typ, r.around().symbol, r.Start(at)})
	}
}

// EnterField adds a field of the type around the function that is being read. An empty typ is
// ignored.
func (r *reader) EnterField(name, typ string) {
	at := r.around().symbol
	if typ == "" || max(len(name), len(typ)) > lang.NameBytes || at < 0 || r.out.Symbols[at].Parent < 0 {
		return
	}
	of := r.out.Symbols[at].Parent
	r.out.Typed = append(r.out.Typed, Typed{name, typ, of, r.out.Symbols[of].At})
}
