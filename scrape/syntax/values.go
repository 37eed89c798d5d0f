package syntax

import (
	"strings"

	"patina/code/lang"
	"patina/store/doc"
)

// casts are functions of C++ that return the type between their angle brackets.
var casts = map[string]bool{
	"static_cast": true, "dynamic_cast": true, "reinterpret_cast": true, "const_cast": true,
	"make_unique": true, "make_shared": true,
}

// ValueType returns the type of a value if its text shows it: T for new T(), for a cast, and for a
// call that makes a T. It is "F()" for the result of a call of F, "=a.b" for the value of a name,
// doc.AnyType for a value whose type has no name, and "" if the text does not show the type. v may
// be -1.
func (r *reader) ValueType(v int) string {
	for range lang.MaxAround {
		if v < 0 {
			return ""
		}
		switch r.Kind(v) {
		case "parenthesized_expression", "tuple_expression", "await_expression", "await", "try_expression",
			"non_null_expression", "value_argument", "parenthesized_statements":
			v = r.Inner(v)
			continue
		case "pointer_expression":
			v = r.Child(v, "argument")
			continue
		case "object_creation_expression", "new_expression", "instance_expression":
			return r.createdType(v)
		case "cast_expression", "compound_literal_expression", "type_cast_expression":
			return or(lang.TypeName(r.Text(r.Child(v, "type"))), doc.AnyType)
		case "as_expression", "satisfies_expression", "type_assertion":
			return or(lang.TypeName(r.castType(v)), doc.AnyType)
		case "assignment", "assignment_expression": // a = b = f()
			v = r.Child(v, "right")
			continue
		case "call_expression", "invocation_expression", "method_invocation", "function_call_expression",
			"member_call_expression", "scoped_call_expression", "call":
			return r.returned(v)
		case "element_reference": // of Ruby: an index of a constant
			if r.Is(r.Child(v, "object"), "constant", "scope_resolution") {
				return doc.AnyType
			}
			return ""
		case "identifier", "simple_identifier", "variable_name", "member_expression", "attribute", "field_access",
			"field_expression", "member_access_expression", "navigation_expression", "instance_variable":
			if path := r.Bytes(v); lang.IsPath(path) && len(path) < lang.NameBytes {
				return "=" + strings.TrimPrefix(string(path), "$")
			}
			return ""
		}
		return r.literalType(r.Kind(v))
	}
	return ""
}

// createdType returns the type after "new". It returns doc.AnyType for a class without a name.
func (r *reader) createdType(v int) string {
	if r.FirstChild(v, "class_body", "declaration_list", "template_body") >= 0 {
		return doc.AnyType
	}
	if made := r.madeType(v); made != "" {
		return made
	}
	for c := range r.Children(v) { // the first child in PHP and Scala
		if made := lang.TypeName(r.Text(c)); made != "" {
			return made
		}
		break
	}
	return doc.AnyType
}

// castType returns the type of a cast as written.
func (r *reader) castType(v int) string {
	if r.Is(v, "type_assertion") { // <T>x
		return strings.Trim(r.Text(r.FirstChild(v, "type_arguments")), "<>")
	}
	last := max(r.Child(v, "right"), r.Child(v, "name"))
	if last < 0 {
		for c := range r.Children(v) {
			last = c
		}
	}
	return r.Text(last)
}

// literalType returns the type of a literal, or "" for any other kind of node.
func (r *reader) literalType(kind string) string {
	switch {
	case strings.HasPrefix(kind, "interpolated_string"), strings.HasSuffix(kind, "string_literal"), kind == "string",
		kind == "template_string", kind == "encapsed_string", kind == "concatenated_string",
		kind == "raw_string_literal":
		return or(r.TextType, "String")
	case strings.HasSuffix(kind, "_literal"), kind == "number", kind == "integer", kind == "float", kind == "array",
		kind == "list", kind == "dictionary", kind == "object", kind == "hash", kind == "regex", kind == "tuple",
		kind == "set", kind == "lambda", kind == "arrow_function", kind == "function_expression",
		strings.HasSuffix(kind, "comprehension"):
		return doc.AnyType
	}
	return ""
}

// returned returns the type of the result of a call: T if the name of the function says so, else
// "F()". It returns "" if the call has no name.
func (r *reader) returned(v int) string {
	u := r.rule(v)
	if f := r.Child(v, "function"); r.Is(f, "template_function", "qualified_identifier") {
		if of := r.templated(f); of != "" {
			return of
		}
	}
	if u.Is != lang.Call {
		return ""
	}
	name := r.called(v, u)
	last := name[strings.LastIndexAny(name, ".:>\\")+1:]
	switch {
	case name == "" || strings.HasPrefix(name, "_.") || len(name)+2 > lang.NameBytes:
		return ""
	case r.Maker != "" && last == r.Maker:
		if of := strings.TrimRight(strings.TrimSuffix(name, r.Maker), "."); lang.IsTypeName(of) ||
			of != "" && lang.IsUpper(of) {
			return of
		}
		return doc.AnyType
	case r.CallsMakeTypes && lang.IsTypeName(last):
		return name
	}
	return name + "()"
}

// templated returns the T of static_cast<T*>(x) and std::make_unique<T>(x), or "".
func (r *tree) templated(f int) string {
	if r.Is(f, "qualified_identifier") {
		f = r.Child(f, "name")
	}
	if !r.Is(f, "template_function") || !casts[r.Text(r.Child(f, "name"))] {
		return ""
	}
	return or(lang.TypeName(r.Text(r.FirstChild(r.Child(f, "arguments"), "type_descriptor"))), doc.AnyType)
}

// object returns the expression on which the call n is made, or -1.
func (r *tree) object(n int, u *lang.Rule) int {
	if u.Object != "" {
		return r.Child(n, u.Object)
	}
	f := max(r.Child(n, "function"), r.Child(n, "name"))
	if f < 0 {
		f = r.Inner(n) // Kotlin, Swift
	}
	if r.Is(f, "prefix_expression") { // .f(x) of Swift
		return -1
	}
	for _, field := range []string{"object", "expression", "argument", "value", "target", "table"} {
		if o := r.Child(f, field); o >= 0 {
			return o
		}
	}
	if r.Is(f, "navigation_expression") {
		return r.Inner(f)
	}
	return -1
}
