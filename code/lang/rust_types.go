package lang

import (
	"strconv"
	"strings"

	"patina/store/doc"
	"patina/store/text"
)

// rustVariables are the nodes of Rust that declare variables and fields, with their reader.
var rustVariables = map[string]Typing{
	"parameter let_declaration":      {All: rustDeclared},
	"static_item const_item":         {All: rustNamed},
	"field_declaration":              {All: rustNamed},
	"ordered_field_declaration_list": {All: rustPlaces},
	"closure_parameters match_arm":   {All: rustMatched},
	"let_condition for_expression":   {All: rustMatched},
}

// Types that lead to the type in them, because its methods can be called on them.
var rustHolders = text.Set(`Box Arc Rc Pin Cow Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard
	ManuallyDrop LazyLock Option Result`)

// Functions of a type that by convention make a value of it.
var rustMakers = text.Set("new default now current open create bind connect empty from try_from try_new")

// Bounds that bring no methods of their own, or methods that every value has.
var rustMarkers = text.Set(`Send Sync Copy Clone Sized Unpin Debug Default Eq PartialEq Ord PartialOrd Hash
	UnwindSafe RefUnwindSafe`)

// rustDeclared adds a parameter, or a variable of let with its type or its value. A name without
// either is added too, because it hides one that has a type.
func rustDeclared(v Variables, n int) {
	p := v.Child(n, "pattern")
	if !v.Is(p, "identifier") {
		v.hides(p, "")
		return
	}
	typ := ""
	if of := v.Child(n, "type"); of >= 0 {
		typ = rustType(v.Tree, of, 0)
	} else if v.Is(n, "let_declaration") {
		typ = rustMade(v.Tree, v.Child(n, "value"))
	}
	v.Enter(v.Text(p), or(typ, doc.AnyType), p)
}

// rustNamed adds a static, a constant or a field.
func rustNamed(v Variables, n int) {
	if v.Is(v.Parent(v.Parent(n)), "enum_variant") {
		return
	}
	if typ := rustType(v.Tree, v.Child(n, "type"), 0); typ != "" {
		name := v.Child(n, "name")
		v.Enter(v.Text(name), typ, name)
	}
}

// rustPlaces adds the fields of a type that have no names: 0, 1.
func rustPlaces(v Variables, n int) {
	if v.Is(v.Parent(n), "enum_variant") {
		return
	}
	i := 0
	for c := range v.Children(n) {
		if v.Field(c) != "type" {
			continue
		}
		if typ := rustType(v.Tree, c, 0); typ != "" {
			v.Enter(strconv.Itoa(i), typ, c)
		}
		i++
	}
}

// rustMatched adds the names of patterns.
func rustMatched(v Variables, n int) {
	value := v.Child(n, "value")
	switch {
	case v.Is(n, "closure_parameters"):
		for c := range v.Children(n) {
			if !v.Is(c, "parameter") {
				v.hides(c, "")
			}
		}
		return
	case v.Is(n, "match_arm"):
		value = v.Child(v.Parent(v.Parent(n)), "value")
	case v.Is(n, "for_expression"):
		value = -1
	}
	written := ""
	if value >= 0 {
		e := v.Bytes(value)
		written = string(e[:min(len(e), NameBytes)])
	}
	v.hides(v.Child(n, "pattern"), written)
}

// hides adds the names of a pattern as variables of unknown type. The name in "Some(x) = x" hides
// nothing, because it is the value in x. p may be -1.
func (v Variables) hides(p int, value string) {
	if p < 0 {
		return
	}
	value, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(value, "&"), "mut "), ".")
	for c := p; c < min(v.Next(p), p+MaxAround); c++ {
		if !v.Is(c, "identifier", "shorthand_field_identifier") || v.Field(c) == "type" ||
			v.Is(v.Parent(c), "scoped_identifier") {
			continue
		}
		if name := v.Text(c); name != value && (name[0] == '_' || name[0] >= 'a' && name[0] <= 'z') {
			v.Enter(name, doc.AnyType, c)
		}
	}
}

// rustDeep is the most levels of types in types, and of values in values.
const rustDeep = 8

// rustType returns the name of a type: Arc<Pool> of &Arc<Pool>, Map of Map<K, V>, the trait of
// "impl Read", "dyn Read" and of a parameter T with only this bound. It returns "" for a type that
// does not decide a call.
func rustType(t *Tree, n, deep int) string {
	if deep > rustDeep {
		return ""
	}
	switch t.Kind(n) {
	case "reference_type", "pointer_type":
		return rustType(t, t.Child(n, "type"), deep+1)
	case "abstract_type", "dynamic_type":
		return rustBounds(t, t.Child(n, "trait"), deep)
	case "bounded_type":
		return rustBounds(t, n, deep)
	case "generic_type", "generic_type_with_turbofish":
		of := t.Text(t.Child(n, "type"))
		if !rustHolders.Has(lastOfPath(of)) {
			return rustPath(t, n, of, deep)
		}
		for c := range t.Children(t.Child(n, "type_arguments")) {
			if t.Is(c, "lifetime") {
				continue
			}
			if held := rustType(t, c, deep+1); held != "" {
				return of + "<" + held + ">"
			}
			break
		}
		return of + "<" + doc.AnyType + ">"
	case "type_identifier", "identifier", "scoped_type_identifier", "scoped_identifier":
		return rustPath(t, n, t.Text(n), deep)
	case "primitive_type":
		return t.Text(n)
	case "array_type":
		return "array"
	}
	return ""
}

func lastOfPath(path string) string { return path[strings.LastIndexByte(path, ':')+1:] }

// rustPath returns the name of a type: Self is the type around, and a parameter is its bound.
func rustPath(t *Tree, n int, path string, deep int) string {
	first, rest, more := strings.Cut(path, "::")
	if first == "Self" {
		if more {
			return ""
		}
		for p := range t.outward(n) {
			switch {
			case t.Is(p, "impl_item"):
				return t.Text(t.bareType(t.Child(p, "type")))
			case t.Is(p, "trait_item"):
				return t.Text(t.Child(p, "name"))
			}
		}
		return ""
	}
	if strings.HasPrefix(rest, "<") || !IsPath([]byte(path)) {
		return ""
	}
	for p := range t.outward(n) {
		if !t.Is(p, "function_item", "function_signature_item", "impl_item", "trait_item", "struct_item", "enum_item") {
			continue
		}
		if bound, is := rustParameter(t, p, first, deep); is {
			if more {
				return ""
			}
			return bound
		}
	}
	return path
}

// rustParameter returns the bound of a type's parameter. is reports whether the item declares one
// with that name.
func rustParameter(t *Tree, item int, name string, deep int) (bound string, is bool) {
	list := t.Child(item, "type_parameters")
	if list < 0 {
		return "", false
	}
	at, looked := -1, 0
	for c := range t.Children(list) {
		if looked++; looked > MaxAround {
			break
		}
		if t.Is(c, "type_parameter") && t.Text(t.Child(c, "name")) == name {
			at = c
		}
	}
	if at < 0 {
		return "", false
	}
	bounds := rustEach(t, t.Child(at, "bounds"), deep)
	for w := range t.Children(t.FirstChild(item, "where_clause")) {
		if t.Text(t.Child(w, "left")) == name {
			bounds = append(bounds, rustEach(t, t.Child(w, "bounds"), deep)...)
		}
	}
	return singleName(bounds), true
}

// rustBounds returns the one trait of A + Send + 'static, or "".
func rustBounds(t *Tree, n, deep int) string {
	if !t.Is(n, "bounded_type") {
		return rustType(t, n, deep+1)
	}
	return singleName(rustEach(t, n, deep))
}

// rustEach returns the traits of a list of bounds, without those that bring no methods.
func rustEach(t *Tree, n, deep int) (list []string) {
	if deep > rustDeep {
		return []string{""}
	}
	for c := range t.Children(n) {
		switch {
		case t.Is(c, "lifetime", "removed_trait_bound", "use_bounds") || rustMarkers.Has(lastOfPath(t.Text(c))):
		case t.Is(c, "bounded_type"):
			list = append(list, rustEach(t, c, deep+1)...)
		default:
			list = append(list, rustType(t, c, deep+1))
		}
	}
	return list
}

func singleName(list []string) string {
	if len(list) != 1 {
		return ""
	}
	return list[0]
}

// rustMade returns the type of a value if the text shows it: T::new(), T { .. },
// Arc::new(T::new()), "text". It returns "" for any other value.
func rustMade(t *Tree, v int) string {
	for range rustDeep {
		switch t.Kind(v) {
		case "reference_expression":
			v = t.Child(v, "value")
		case "try_expression", "await_expression", "parenthesized_expression":
			v = t.Inner(v)
		case "type_cast_expression":
			return rustType(t, t.Child(v, "type"), 0)
		case "struct_expression":
			return rustMaker(t, t.Child(v, "name"), "", v)
		case "string_literal", "raw_string_literal":
			return "str"
		case "array_expression":
			return "array"
		case "macro_invocation":
			return map[string]string{"vec": "Vec", "format": "String"}[t.Text(t.Child(v, "macro"))]
		case "call_expression":
			f := t.Child(v, "function")
			switch t.Kind(f) {
			case "field_expression": // T::new().unwrap()
				if name := t.Text(t.Child(f, "field")); name != "unwrap" && name != "expect" {
					return ""
				}
				v = t.Child(f, "value")
			case "scoped_identifier":
				return rustMaker(t, t.Child(f, "path"), t.Text(t.Child(f, "name")), v)
			case "identifier": // T(x)
				return rustMaker(t, f, "", v)
			default:
				return ""
			}
		default:
			return ""
		}
	}
	return ""
}

// rustReceiver returns the type on which x.f() is called, for x = T::new(). If there are further
// calls between, they are taken for those of a builder, and the result is marked: "~T".
func rustReceiver(t *Tree, n int) string {
	v := t.Child(t.Child(n, "function"), "value")
	if typ := rustMade(t, v); typ != "" {
		return typ
	}
	for range maxChain {
		switch t.Kind(v) {
		case "try_expression", "await_expression", "parenthesized_expression":
			v = t.Inner(v)
		case "call_expression":
			f := t.Child(v, "function")
			if t.Is(f, "scoped_identifier") {
				of := t.Text(t.Child(f, "path"))
				if last := lastOfPath(of); IsPath([]byte(of)) && IsTypeName(last) && last != "Self" &&
					!rustHolders.Has(last) {
					return doc.FluentType + of
				}
				return ""
			}
			v = t.Child(f, "value")
		default:
			return ""
		}
	}
	return ""
}

// maxChain is the most calls of a chain that are looked at.
const maxChain = 32

// rustMaker returns the type that a function of a type makes. function is "" for a literal. The
// type in Arc::new is read from its argument, and a variant of an enum is cut from the path.
func rustMaker(t *Tree, of int, function string, v int) string {
	if of < 0 {
		return ""
	}
	path := t.Text(of)
	if t.Is(of, "generic_type", "generic_type_with_turbofish", "bracketed_type") {
		path = t.Text(t.Child(of, "type"))
	}
	last := lastOfPath(path)
	switch {
	case !IsTypeName(last) && !(len(last) > 0 && IsUpper(last)):
		return ""
	case function == "" && t.Is(v, "call_expression") && (last == "Some" || last == "Ok" || last == "Err"):
		return ""
	case rustHolders.Has(last) && function == "new":
		arguments := t.Child(v, "arguments")
		for c := range t.Children(arguments) {
			if held := rustMade(t, c); held != "" {
				return path + "<" + held + ">"
			}
			break
		}
		return ""
	case rustHolders.Has(last):
		return ""
	case function == "" || function[0] >= 'A' && function[0] <= 'Z', rustMakers.Has(function),
		hasAnyPrefix(function, "new_", "with_", "from_"):
		if i := strings.LastIndex(path, "::"); function == "" && i > 0 && IsTypeName(lastOfPath(path[:i])) {
			path = path[:i] // E::Variant { .. }
		}
		return rustPath(t, of, path, 0)
	}
	return ""
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
