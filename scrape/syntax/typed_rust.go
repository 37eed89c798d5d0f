package syntax

import (
	"iter"
	"strconv"
	"strings"

	"patina/store"
	"patina/store/text"
)

// rustVariables are the nodes of Rust that bring variables and fields, by their reader.
var rustVariables = map[string]typing{
	"parameter let_declaration":      {all: rustDeclared},
	"static_item const_item":         {all: rustNamed},
	"field_declaration":              {all: rustNamed},
	"ordered_field_declaration_list": {all: rustPlaces},
	"closure_parameters match_arm":   {all: rustMatched},
	"let_condition for_expression":   {all: rustMatched},
}

// Types that lead to the type that they hold: its methods are called on them.
var rustHolders = text.Set(`Box Arc Rc Pin Cow Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard
	ManuallyDrop LazyLock Option Result`)

// Functions of a type that make a value of it, by custom.
var rustMakers = text.Set("new default now current open create bind connect empty from try_from try_new")

// Bounds that bring no methods of their own, or those that every value has.
var rustMarkers = text.Set("Send Sync Copy Clone Sized Unpin Debug Default Eq PartialEq Ord PartialOrd Hash UnwindSafe RefUnwindSafe")

// rustDeclared is a parameter, or a variable of let with its type or its value. A name without
// either hides one that has.
func rustDeclared(r *reader, n int) {
	p := r.child(n, "pattern")
	if !r.is(p, "identifier") {
		r.hides(p, "")
		return
	}
	typ := ""
	if of := r.child(n, "type"); of >= 0 {
		typ = r.rustType(of, 0)
	} else if r.is(n, "let_declaration") {
		typ = r.rustMade(r.child(n, "value"))
	}
	r.enterTyped(r.textOf(p), or(typ, store.AnyType), p)
}

// rustNamed is a static, a constant or a field.
func rustNamed(r *reader, n int) {
	if r.is(r.parent(r.parent(n)), "enum_variant") {
		return
	}
	if typ := r.rustType(r.child(n, "type"), 0); typ != "" {
		name := r.child(n, "name")
		r.enterTyped(r.textOf(name), typ, name)
	}
}

// rustPlaces are the fields of a type that have no names: 0, 1.
func rustPlaces(r *reader, n int) {
	if r.is(r.parent(n), "enum_variant") {
		return
	}
	i := 0
	for c := range r.children(n) {
		if r.field(c) != "type" {
			continue
		}
		if typ := r.rustType(c, 0); typ != "" {
			r.enterTyped(strconv.Itoa(i), typ, c)
		}
		i++
	}
}

// rustMatched are the names of patterns.
func rustMatched(r *reader, n int) {
	value := r.child(n, "value")
	switch {
	case r.is(n, "closure_parameters"):
		for c := range r.children(n) {
			if !r.is(c, "parameter") {
				r.hides(c, "")
			}
		}
		return
	case r.is(n, "match_arm"):
		value = r.child(r.parent(r.parent(n)), "value")
	case r.is(n, "for_expression"):
		value = -1
	}
	written := ""
	if value >= 0 {
		e := r.extentOf(value)
		written = string(e[:min(len(e), NameBytes)])
	}
	r.hides(r.child(n, "pattern"), written)
}

// hides enters the names of a pattern as variables of no known type. What "Some(x) = x" brings is
// what x holds, and hides nothing.
func (r *reader) hides(p int, value string) {
	if p < 0 {
		return
	}
	value, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(value, "&"), "mut "), ".")
	for c := p; c < min(int(r.nodes[p].next), p+maxAround); c++ {
		if !r.is(c, "identifier", "shorthand_field_identifier") || r.field(c) == "type" || r.is(r.parent(c), "scoped_identifier") {
			continue
		}
		if name := r.textOf(c); name != value && (name[0] == '_' || name[0] >= 'a' && name[0] <= 'z') {
			r.enterTyped(name, store.AnyType, c)
		}
	}
}

func (r *reader) enterTyped(name, typ string, at int) {
	if typ != "" && max(len(name), len(typ)) <= NameBytes {
		r.out.Typed = append(r.out.Typed, Typed{name, typ, r.around().symbol, int(r.nodes[at].start)})
	}
}

// maxAround bounds the search for the item around a type, and in lists: hostile texts nest deep.
const maxAround = 100

// outward yields the nodes around a node, the innermost first.
func (t *tree) outward(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		p := t.parent(n)
		for i := 0; p >= 0 && i < maxAround && yield(p); i++ {
			p = t.parent(p)
		}
	}
}

// rustDeep bounds types in types, and values in values.
const rustDeep = 8

// rustType is the name of a type: Arc<Pool> of &Arc<Pool>, Map of Map<K, V>, the trait of "impl
// Read", "dyn Read" and of a parameter T with this bound alone. "" is a type that no call tells.
func (t *tree) rustType(n, deep int) string {
	if deep > rustDeep {
		return ""
	}
	switch t.kind(n) {
	case "reference_type", "pointer_type":
		return t.rustType(t.child(n, "type"), deep+1)
	case "abstract_type", "dynamic_type":
		return t.rustBounds(t.child(n, "trait"), deep)
	case "bounded_type":
		return t.rustBounds(n, deep)
	case "generic_type", "generic_type_with_turbofish":
		of := t.textOf(t.child(n, "type"))
		if !rustHolders[lastOfPath(of)] {
			return t.rustPath(n, of, deep)
		}
		for c := range t.children(t.child(n, "type_arguments")) {
			if t.is(c, "lifetime") {
				continue
			}
			if held := t.rustType(c, deep+1); held != "" {
				return of + "<" + held + ">"
			}
			break
		}
		return of + "<" + store.AnyType + ">"
	case "type_identifier", "identifier", "scoped_type_identifier", "scoped_identifier":
		return t.rustPath(n, t.textOf(n), deep)
	case "primitive_type":
		return t.textOf(n)
	case "array_type":
		return "array"
	}
	return ""
}

func lastOfPath(path string) string { return path[strings.LastIndexByte(path, ':')+1:] }

// rustPath is a type by its name: Self is the type around, a parameter stands for its bound.
func (t *tree) rustPath(n int, path string, deep int) string {
	first, rest, more := strings.Cut(path, "::")
	if first == "Self" {
		if more {
			return ""
		}
		for p := range t.outward(n) {
			switch {
			case t.is(p, "impl_item"):
				return t.textOf(t.bareType(t.child(p, "type")))
			case t.is(p, "trait_item"):
				return t.textOf(t.child(p, "name"))
			}
		}
		return ""
	}
	if strings.HasPrefix(rest, "<") || !isPath([]byte(path)) {
		return ""
	}
	for p := range t.outward(n) {
		if !t.is(p, "function_item", "function_signature_item", "impl_item", "trait_item", "struct_item", "enum_item") {
			continue
		}
		if bound, is := t.rustParameter(p, first, deep); is {
			if more {
				return ""
			}
			return bound
		}
	}
	return path
}

// rustParameter is the bound of a type's parameter, if the item declares one of that name.
func (t *tree) rustParameter(item int, name string, deep int) (bound string, is bool) {
	list := t.child(item, "type_parameters")
	if list < 0 {
		return "", false
	}
	at, looked := -1, 0
	for c := range t.children(list) {
		if looked++; looked > maxAround {
			break
		}
		if t.is(c, "type_parameter") && t.textOf(t.child(c, "name")) == name {
			at = c
		}
	}
	if at < 0 {
		return "", false
	}
	bounds := t.rustEach(t.child(at, "bounds"), deep)
	for w := range t.children(t.firstChild(item, "where_clause")) {
		if t.textOf(t.child(w, "left")) == name {
			bounds = append(bounds, t.rustEach(t.child(w, "bounds"), deep)...)
		}
	}
	return singleName(bounds), true
}

// rustBounds is the one trait of A + Send + 'static.
func (t *tree) rustBounds(n, deep int) string {
	if !t.is(n, "bounded_type") {
		return t.rustType(n, deep+1)
	}
	return singleName(t.rustEach(n, deep))
}

// rustEach names the traits of a list of bounds, without those that bring nothing.
func (t *tree) rustEach(n, deep int) (list []string) {
	if deep > rustDeep {
		return []string{""}
	}
	for c := range t.children(n) {
		switch {
		case t.is(c, "lifetime", "removed_trait_bound", "use_bounds") || rustMarkers[lastOfPath(t.textOf(c))]:
		case t.is(c, "bounded_type"):
			list = append(list, t.rustEach(c, deep+1)...)
		default:
			list = append(list, t.rustType(c, deep+1))
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

// rustMade is the type of a value that says it: T::new(), T { .. }, Arc::new(T::new()), "text".
func (t *tree) rustMade(v int) string {
	for range rustDeep {
		switch t.kind(v) {
		case "reference_expression":
			v = t.child(v, "value")
		case "try_expression", "await_expression", "parenthesized_expression":
			v = t.inner(v)
		case "type_cast_expression":
			return t.rustType(t.child(v, "type"), 0)
		case "struct_expression":
			return t.rustMaker(t.child(v, "name"), "", v)
		case "string_literal", "raw_string_literal":
			return "str"
		case "array_expression":
			return "array"
		case "macro_invocation":
			return map[string]string{"vec": "Vec", "format": "String"}[t.textOf(t.child(v, "macro"))]
		case "call_expression":
			f := t.child(v, "function")
			switch t.kind(f) {
			case "field_expression": // T::new().unwrap()
				if name := t.textOf(t.child(f, "field")); name != "unwrap" && name != "expect" {
					return ""
				}
				v = t.child(f, "value")
			case "scoped_identifier":
				return t.rustMaker(t.child(f, "path"), t.textOf(t.child(f, "name")), v)
			case "identifier": // T(x)
				return t.rustMaker(f, "", v)
			default:
				return ""
			}
		default:
			return ""
		}
	}
	return ""
}

// rustReceiver is the type that x.f() is called on, of x = T::new(). Further calls between are
// taken for those of a builder, which the mark says: "~T".
func rustReceiver(t *tree, n int) string {
	v := t.child(t.child(n, "function"), "value")
	if typ := t.rustMade(v); typ != "" {
		return typ
	}
	for range maxChain {
		switch t.kind(v) {
		case "try_expression", "await_expression", "parenthesized_expression":
			v = t.inner(v)
		case "call_expression":
			f := t.child(v, "function")
			if t.is(f, "scoped_identifier") {
				of := t.textOf(t.child(f, "path"))
				if last := lastOfPath(of); isPath([]byte(of)) && isTypeName(last) && last != "Self" && !rustHolders[last] {
					return store.FluentType + of
				}
				return ""
			}
			v = t.child(f, "value")
		default:
			return ""
		}
	}
	return ""
}

// maxChain bounds a chain of calls.
const maxChain = 32

// inner is the first node inside of another one, or -1.
func (t *tree) inner(n int) int {
	if n+1 < int(t.nodes[n].next) {
		return n + 1
	}
	return -1
}

// rustMaker is the type that a function of a type makes, "" for a literal. What Arc::new holds is
// read from its argument, and a variant of an enum is written behind it.
func (t *tree) rustMaker(of int, function string, v int) string {
	if of < 0 {
		return ""
	}
	path := t.textOf(of)
	if t.is(of, "generic_type", "generic_type_with_turbofish", "bracketed_type") {
		path = t.textOf(t.child(of, "type"))
	}
	last := lastOfPath(path)
	switch {
	case !isTypeName(last) && !(len(last) > 0 && isUpper(last)):
		return ""
	case function == "" && t.is(v, "call_expression") && (last == "Some" || last == "Ok" || last == "Err"):
		return ""
	case rustHolders[last] && function == "new":
		arguments := t.child(v, "arguments")
		for c := range t.children(arguments) {
			if held := t.rustMade(c); held != "" {
				return path + "<" + held + ">"
			}
			break
		}
		return ""
	case rustHolders[last]:
		return ""
	case function == "" || function[0] >= 'A' && function[0] <= 'Z', rustMakers[function], hasAnyPrefix(function, "new_", "with_", "from_"):
		if i := strings.LastIndex(path, "::"); function == "" && i > 0 && isTypeName(lastOfPath(path[:i])) {
			path = path[:i] // E::Variant { .. }
		}
		return t.rustPath(of, path, 0)
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
