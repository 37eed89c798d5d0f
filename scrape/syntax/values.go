package syntax

import (
	"strings"

	"patina/store"
)

// makesByName lists the languages in which calling the name of a type makes a value of it.
var makesByName = map[string]bool{"Python": true, "Kotlin": true, "Scala": true, "Swift": true, "C++": true}

// valued lists the languages whose calls on an expression are kept with the type of that.
var valued = map[string]bool{
	"Java": true, "C#": true, "PHP": true, "Kotlin": true, "Scala": true, "Swift": true, "TypeScript": true,
	"TSX": true, "JavaScript": true, "Python": true, "Ruby": true, "C++": true,
}

// textType maps a language to the type of its strings.
var textType = map[string]string{"Python": "str", "PHP": "string", "C#": "string", "C": "char", "C++": "char"}

// casts are functions of C++ that return what stands between their angle brackets.
var casts = map[string]bool{
	"static_cast": true, "dynamic_cast": true, "reinterpret_cast": true, "const_cast": true,
	"make_unique": true, "make_shared": true,
}

// valueType returns the type of a value as far as its text says it: T of new T(), of a cast and of
// a call that makes a T. It is "F()" for what a call of F returns, "=a.b" for the value of a name,
// store.AnyType for a value whose type has no name, and "" where the text says nothing.
func (r *reader) valueType(v int) string {
	for range maxAround {
		if v < 0 {
			return ""
		}
		switch r.kind(v) {
		case "parenthesized_expression", "tuple_expression", "await_expression", "await", "try_expression",
			"non_null_expression", "value_argument", "parenthesized_statements":
			v = r.inner(v)
			continue
		case "pointer_expression":
			v = r.child(v, "argument")
			continue
		case "object_creation_expression", "new_expression", "instance_expression":
			return r.createdType(v)
		case "cast_expression", "compound_literal_expression", "type_cast_expression":
			return or(typeName(r.textOf(r.child(v, "type"))), store.AnyType)
		case "as_expression", "satisfies_expression", "type_assertion":
			return or(typeName(r.castType(v)), store.AnyType)
		case "assignment", "assignment_expression": // a = b = f()
			v = r.child(v, "right")
			continue
		case "call_expression", "invocation_expression", "method_invocation", "function_call_expression",
			"member_call_expression", "scoped_call_expression", "call":
			return r.returned(v)
		case "element_reference": // of Ruby: what a constant's [] gives
			if r.is(r.child(v, "object"), "constant", "scope_resolution") {
				return store.AnyType
			}
			return ""
		case "identifier", "simple_identifier", "variable_name", "member_expression", "attribute", "field_access", "field_expression",
			"member_access_expression", "navigation_expression", "instance_variable":
			if path := r.extentOf(v); isPath(path) && len(path) < NameBytes {
				return "=" + strings.TrimPrefix(string(path), "$")
			}
			return ""
		}
		return r.literalType(r.kind(v))
	}
	return ""
}

// createdType returns the type after "new". A class without a name has none.
func (r *reader) createdType(v int) string {
	if r.firstChild(v, "class_body", "declaration_list", "template_body") >= 0 {
		return store.AnyType
	}
	if made := r.madeType(v); made != "" {
		return made
	}
	for c := range r.children(v) { // the first child in PHP and Scala
		if made := typeName(r.textOf(c)); made != "" {
			return made
		}
		break
	}
	return store.AnyType
}

// castType returns the type of a cast as written.
func (r *reader) castType(v int) string {
	if r.is(v, "type_assertion") { // <T>x
		return strings.Trim(r.textOf(r.firstChild(v, "type_arguments")), "<>")
	}
	last := max(r.child(v, "right"), r.child(v, "name"))
	if last < 0 {
		for c := range r.children(v) {
			last = c
		}
	}
	return r.textOf(last)
}

// literalType returns the type of a literal, "" for any other kind of node.
func (r *reader) literalType(kind string) string {
	switch {
	case strings.HasPrefix(kind, "interpolated_string"), strings.HasSuffix(kind, "string_literal"), kind == "string", kind == "template_string",
		kind == "encapsed_string", kind == "concatenated_string", kind == "raw_string_literal":
		return or(textType[r.lang], "String")
	case strings.HasSuffix(kind, "_literal"), kind == "number", kind == "integer", kind == "float", kind == "array", kind == "list",
		kind == "dictionary", kind == "object", kind == "hash", kind == "regex", kind == "tuple", kind == "set", kind == "lambda",
		kind == "arrow_function", kind == "function_expression", strings.HasSuffix(kind, "comprehension"):
		return store.AnyType
	}
	return ""
}

// returned is what the call v returns: a T where its name says so, else "F()".
func (r *reader) returned(v int) string {
	u := r.rule(v)
	if f := r.child(v, "function"); r.is(f, "template_function", "qualified_identifier") {
		if of := r.templated(f); of != "" {
			return of
		}
	}
	if u.is != call {
		return ""
	}
	name := r.called(v, u)
	last := name[strings.LastIndexAny(name, ".:>\\")+1:]
	switch {
	case name == "" || strings.HasPrefix(name, "_.") || len(name)+2 > NameBytes:
		return ""
	case r.lang == "Ruby" && last == "new":
		if of := strings.TrimRight(strings.TrimSuffix(name, "new"), "."); isTypeName(of) || of != "" && isUpper(of) {
			return of
		}
		return store.AnyType
	case makesByName[r.lang] && isTypeName(last):
		return name
	}
	return name + "()"
}

// templated is the T of static_cast<T*>(x) and std::make_unique<T>(x).
func (r *reader) templated(f int) string {
	if r.is(f, "qualified_identifier") {
		f = r.child(f, "name")
	}
	if !r.is(f, "template_function") || !casts[r.textOf(r.child(f, "name"))] {
		return ""
	}
	return or(typeName(r.textOf(r.firstChild(r.child(f, "arguments"), "type_descriptor"))), store.AnyType)
}

// object returns the expression that the call n is written on, or -1.
func (r *reader) object(n int, u *rule) int {
	if u.object != "" {
		return r.child(n, u.object)
	}
	f := max(r.child(n, "function"), r.child(n, "name"))
	if f < 0 {
		f = r.inner(n) // Kotlin, Swift
	}
	if r.is(f, "prefix_expression") { // .f(x) of Swift
		return -1
	}
	for _, field := range []string{"object", "expression", "argument", "value", "target", "table"} {
		if o := r.child(f, field); o >= 0 {
			return o
		}
	}
	if r.is(f, "navigation_expression") {
		return r.inner(f)
	}
	return -1
}
