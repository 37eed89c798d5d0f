package syntax

import (
	"bytes"
	"slices"
	"strings"

	"patina/code/lang"

	"patina/internal/lazyregexp"
	"patina/scrape/markup"
)

// A Use is one occurrence of a name in a text.
type Use struct {
	At   int
	Name string // with its path, as in a Call
	As   As
	// Of is the type whose fields a literal names: T of "T{name: 1}". It is "" for other uses.
	Of string
	// Promoted is true for a parameter of a constructor that is also a field: TypeScript's and
	// PHP's with "private".
	Promoted bool
}

// As is the way in which a use uses the name.
type As string

// The ways to use a name. An address may be written through.
const (
	Defines As = "definition"
	Calls   As = "call"
	Reads   As = "read"
	Writes  As = "write"
	Address As = "address"
	Types   As = "type"
	Imports As = "import"
)

// Uses returns the uses of a name in the code of a text, in order, and not those in comments and
// strings. If one of them has a path before the name, it also returns the variables whose types the
// text declares, else nil. Knows must report true for the language. The only error is ErrTooCostly,
// and both results are nil then.
func Uses(language string, text []byte, name string) ([]Use, []Typed, error) {
	if markup.Knows(language) {
		return usesInMarkup(language, text, name)
	}
	t, err := parseText(grammars()[language], text)
	if err != nil {
		return nil, nil, err
	}
	defer t.free()
	var out []Use
	r := reader{tree: t, at: -1}
	for n := range t.Nodes {
		switch {
		case t.Next(n) != n+1: // not a leaf
		case t.Is(n, "preproc_arg"):
			out = t.usesInMacro(out, n, name)
		case !t.isName(n, name):
		case !isText(t.Kind(n)):
			u := t.use(n, name)
			if r.isMember(n) {
				u.As = Defines
			}
			out = append(out, u)
		}
	}
	if len(t.Typed) == 0 || !slices.ContainsFunc(out, func(u Use) bool { return u.Name != name }) {
		return out, nil, nil
	}
	r.readTree()
	return out, r.out.Typed, nil
}

// isName reports whether the text of a node is a name, or that name with its mark.
func (t *tree) isName(n int, name string) bool {
	switch b := t.Bytes(n); len(b) {
	case len(name):
		return string(b) == name
	case len(name) + 1:
		return b[0] == '$' && string(b[1:]) == name
	default:
		raw := t.RawPrefix
		return raw != "" && len(b) == len(raw)+len(name) && bytes.HasPrefix(b, []byte(raw)) &&
			string(b[len(raw):]) == name
	}
}

// isText reports whether a kind of node is part of a string or a comment, and no code.
func isText(kind string) bool {
	for _, word := range []string{"string", "comment", "content", "escape", "char", "literal", "text"} {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return false
}

// wholeName is a name in the body of a macro, with its path.
var wholeName = lazyregexp.New(`(?:[A-Za-z_][A-Za-z0-9_]*(?:\.|->|::))*[A-Za-z_][A-Za-z0-9_]*`)

func (t *tree) usesInMacro(out []Use, n int, name string) []Use {
	body := t.Bytes(n)
	for _, at := range literals().FindAllIndex(body, -1) {
		if &body[0] == &t.Source[t.Start(n)] {
			body = bytes.Clone(body)
		}
		lang.Blank(body[at[0]:at[1]])
	}
	for _, at := range wholeName().FindAllIndex(body, -1) {
		written := string(body[at[0]:at[1]])
		if written != name && !strings.HasSuffix(written, "."+name) && !strings.HasSuffix(written, ">"+name) &&
			!strings.HasSuffix(written, ":"+name) {
			continue
		}
		u := Use{At: t.Start(n) + at[0], Name: memberOf(body[:at[0]], written), As: Reads}
		if bytes.HasPrefix(bytes.TrimLeft(body[at[1]:], " \t"), []byte("(")) {
			u.As = Calls
		}
		out = append(out, u)
	}
	return out
}

// use returns the use of a node that is a name.
func (t *tree) use(n int, name string) Use {
	u := Use{At: t.Start(n), Name: name}
	if t.Is(t.Parent(n), "token_tree") {
		if u.Name, u.As = t.tokenPath(n), Reads; t.isCalled(n) {
			u.As = Calls
		}
		return u
	}
	e := n // with its path
	for p := t.Parent(e); p >= 0 && t.isAccess(p) && t.ends(p, e); p = t.Parent(p) {
		e = p
	}
	if e != n {
		if u.Name = strings.TrimPrefix(t.Text(e), "$"); !lang.IsPath([]byte(u.Name)) {
			u.Name = "_." + name
		}
	} else if object := t.Child(t.Parent(n), "object"); t.Is(t.Parent(n), "method_invocation") && object >= 0 &&
		object != n && t.Field(n) == "name" {
		if u.Name = t.Text(object) + "." + name; !lang.IsPath([]byte(u.Name)) { // Java
			u.Name = "_." + name
		}
	}
	u.As = t.usedAs(n, e)
	u.Promoted = u.As == Defines && t.isPromoted(t.Parent(n))
	if k := t.Parent(e); u.As == Writes && t.namesField(k) {
		u.Of = t.literalOf(k)
	}
	return u
}

// isAccess reports whether a node is a name with a path before it.
func (t *tree) isAccess(n int) bool {
	return t.Is(n, "member_expression", "field_expression", "selector_expression", "attribute", "field_access",
		"scoped_identifier",
		"scoped_type_identifier", "qualified_identifier", "qualified_type", "qualified_name",
		"member_access_expression", "dot_index_expression", "member_call_expression",
		"scoped_property_access_expression", "class_constant_access_expression", "navigation_expression",
		"navigation_suffix", "nested_identifier")
}

// isPromoted reports whether a parameter of a constructor is also a field.
func (t *tree) isPromoted(n int) bool {
	if t.Is(n, "variable_name") { // PHP
		n = t.Parent(n)
	}
	return t.Is(n, "property_promotion_parameter") ||
		t.Is(n, "required_parameter", "optional_parameter") &&
			t.FirstChild(n, "accessibility_modifier", "readonly", "override_modifier") >= 0
}

// ends reports whether a child is the last of a node.
func (t *tree) ends(n, child int) bool { return t.Next(n) == t.Next(child) }

// namesField reports whether a node gives a value to a field by its name.
func (t *tree) namesField(n int) bool {
	if t.Is(n, "literal_element") { // of Go: a name, or a value
		p := t.Parent(n)
		return t.Is(p, "keyed_element") && t.begins(p, n)
	}
	return t.Is(n, "keyed_element", "field_designator", "initializer_pair", "field_initializer",
		"shorthand_field_initializer", "pair", "keyword_argument", "designator")
}

// literalOf returns the type before a literal with names of fields, or "".
func (t *tree) literalOf(n int) string {
	for range 6 { // elements, lists and declarators between the name and the type
		if n < 0 {
			return ""
		}
		for _, field := range []string{"type", "name"} {
			if of := t.Child(n, field); of >= 0 && t.Is(n, "composite_literal", "struct_expression",
				"compound_literal_expression", "declaration") {
				return lang.TypeName(t.Text(of))
			}
		}
		n = t.Parent(n)
	}
	return ""
}

// usedAs returns the way in which a name is used. n is the name, and e is the path that it ends, or
// n.
func (t *tree) usedAs(n, e int) As {
	p := t.Parent(e)
	if as, ok := t.usedIn(n, e, p); ok {
		return as
	}
	field, kind := t.fieldOf(e), t.Kind(p)
	for e = p; t.Is(p, "expression_list", "pattern_list", "tuple_pattern", "list_pattern"); p = t.Parent(p) {
		e, field = p, t.fieldOf(p)
		kind = t.Kind(t.Parent(p))
	}
	switch {
	case field == "left" && (kind == "short_var_declaration" || kind == "range_clause"):
		return Defines
	case kind == "directly_assignable_expression", field == "left" &&
		(strings.Contains(kind, "assign") || strings.Contains(kind, "for_")):
		return Writes
	case t.isTypeName(n, field, kind):
		return Types
	case (n == e || t.Parent(n) == p) && declares(field, kind):
		return Defines
	}
	return Reads
}

// usedIn says what is done with a name where the kind of p, the parent of its end e, tells it. ok
// is false where the list or the declaration around p decides.
func (t *tree) usedIn(n, e, p int) (as As, ok bool) {
	field := t.fieldOf(e)
	switch {
	case t.Is(p, "struct_specifier", "union_specifier", "enum_specifier", "class_specifier") && t.Child(p, "body") < 0:
		return Types, true
	case t.isInside(p, "import_statement", "import_declaration", "import_from_statement", "import_spec", "use_declaration",
		"using_directive", "import_specifier", "namespace_use_clause"):
		return Imports, true
	case t.isCallee(e, p):
		return Calls, true
	case t.namesField(p) && t.begins(p, e):
		return Writes, true
	case field == "" && n == e && t.Is(p, "variable_declaration", "class_parameter", "parameter") &&
		t.FirstChild(p, "identifier") == n:
		return Defines, true // Kotlin
	case t.Is(p, "variable_name") && t.Is(t.Parent(p), "simple_parameter", "variadic_parameter",
		"property_promotion_parameter") && t.fieldOf(p) == "name":
		return Defines, true // PHP
	case t.Is(p, "update_expression", "inc_statement", "dec_statement", "postfix_unary_expression",
		"prefix_unary_expression"):
		return t.updates(p), true
	case t.Is(p, "pointer_expression", "unary_expression", "reference_expression") &&
		bytes.HasPrefix(t.Bytes(p), []byte("&")):
		return Address, true
	}
	return Reads, false
}

// isCallee reports whether e is what its parent p calls.
func (t *tree) isCallee(e, p int) bool {
	field := t.fieldOf(e)
	switch {
	case t.Is(p, "call_expression", "call", "new_expression", "invocation_expression", "object_creation_expression",
		"macro_invocation", "function_call_expression") &&
		slices.Contains([]string{"function", "constructor", "method", "macro", "type"}, field):
		return true
	case t.Is(p, "call_expression") && field == "" && t.begins(p, e) && t.calls(p): // Kotlin, Swift
		return true
	case t.Is(p, "method_invocation", "member_call_expression", "scoped_call_expression") && field == "name":
		return true
	}
	return t.Is(p, "command_name")
}

// isTypeName reports whether a name is that of a type, from its field and the kind of the node that
// has the field.
func (t *tree) isTypeName(n int, field, kind string) bool {
	switch field {
	case "name", "declarator":
		return false
	case "type", "return_type":
		return true
	case "result":
		if kind != "control_transfer_statement" {
			return true
		}
	}
	if strings.Contains(t.Kind(n), "type_identifier") && !strings.Contains(kind, "specifier") {
		return true
	}
	return strings.HasSuffix(kind, "type") || kind == "type_annotation" || kind == "superclass" || kind == "type_list"
}

// declares reports whether a field of a node of some kind holds a name that the node declares.
func declares(field, kind string) bool {
	switch field {
	case "name", "declarator", "pattern", "parameter":
		return strings.HasPrefix(kind, "preproc") || slices.ContainsFunc(
			[]string{"declar", "defini", "param", "spec", "item", "enumerator", "signature", "constant"},
			func(part string) bool { return strings.Contains(kind, part) })
	}
	return false
}

// calls reports whether a node that looks like a call is one. Swift's a[i] is no call.
func (t *tree) calls(n int) bool {
	u := &t.rules[t.KindNumber(n)]
	return u.Is == lang.Call && u.Calls != nil && u.Calls(&t.Tree, n) != ""
}

func (t *tree) fieldOf(n int) string {
	if n < 0 {
		return ""
	}
	return t.Field(n)
}

// begins reports whether a child is the first of a node.
func (t *tree) begins(n, child int) bool {
	return t.Start(n) == t.Start(child) || t.Is(n, "field_designator")
}

// updates returns Writes for ++ and --, and Reads for the other operators of the same kind of node.
func (t *tree) updates(n int) As {
	switch s := t.Bytes(n); {
	case bytes.HasPrefix(s, []byte("++")), bytes.HasSuffix(s, []byte("++")), bytes.HasPrefix(s, []byte("--")),
		bytes.HasSuffix(s, []byte("--")):
		return Writes
	}
	return Reads
}

// isInside reports whether a node, or one of the three around it, is of some kinds.
func (t *tree) isInside(n int, kinds ...string) bool {
	for range 4 {
		if t.Is(n, kinds...) {
			return true
		}
		n = t.Parent(n)
	}
	return false
}
