package syntax

import (
	"strings"

	elixir "github.com/tree-sitter/tree-sitter-elixir/bindings/go"

	"patina/store"
	"patina/store/text"
)

// Elixir has one kind of node for all that it defines: a call. These are the rules by what is
// called, and those of module attributes ("@doc") by their name.
var (
	elixirCalls = map[string]*rule{
		"defmodule defprotocol": {is: typ, names: elixirModule, body: "do_block"},
		"defimpl":               {is: scope, names: elixirFor},
		"def defp defmacro defmacrop defguard defguardp defdelegate defn defnp": {is: function, names: elixirFunction, body: "do_block", ends: elixirHead, otherwise: function},
		"test":                   {is: function, names: elixirTest, body: "do_block", otherwise: closure},
		"defstruct defexception": {is: member, names: elixirFields},
		"alias":                  {is: imports, names: elixirModules, binds: elixirAliases},
		"import require use":     {is: imports, names: elixirModules},
	}
	elixirAttributes = map[string]*rule{
		"doc":                                 {is: comment, closed: true},
		"moduledoc typedoc":                   {is: docstring, names: elixirText, closed: true},
		"spec impl deprecated dialyzer since": {is: attribute, closed: true},
		"type typep opaque":                   {is: typ, names: elixirType, flat: true, closed: true},
		"callback macrocallback":              {is: function, names: elixirType, closed: true},
		"behaviour":                           {is: imports, names: elixirModules},
	}
	elixirNothing  = &rule{}
	elixirCall     = &rule{is: call, calls: elixirCalled}
	elixirConstant = &rule{is: constant, names: elixirAttribute}

	elixirCallOf, elixirAttributeOf = byWord(elixirCalls), byWord(elixirAttributes)
)

func init() {
	others := []rule{*elixirCall, *elixirConstant}
	for _, table := range []map[string]*rule{elixirCalls, elixirAttributes} {
		for _, u := range table {
			others = append(others, *u)
		}
	}
	grammars["Elixir"] = &grammar{
		language: elixir.Language, most: maxBytes / 2,
		rules: map[string]rule{
			"call":               {by: elixirRule},
			"unary_operator":     {by: elixirAttributeRule},
			"anonymous_function": {is: closure},
			"comment":            {is: comment},
		},
		others: others,
		predeclared: text.Set(`and apply assert assert_raise binary_part case catch cond describe div elem else exit fn for hd if in inspect
			is_atom is_binary is_boolean is_function is_integer is_list is_map is_nil is_number is_pid is_tuple length map_size max min
			not or put_elem quote raise receive refute rem rescue reraise round self send setup spawn super throw tl to_string trunc try
			tuple_size unless unquote unquote_splicing when with`),
	}
}

// byWord spreads a table over the words of its keys.
func byWord(table map[string]*rule) map[string]*rule {
	all := map[string]*rule{}
	for list, u := range table {
		for _, word := range strings.Fields(list) {
			all[word] = u
		}
	}
	return all
}

// elixirRule says what a call is. The head of a definition is a call, too, and calls nothing.
func elixirRule(t *tree, n int) *rule {
	if t.elixirIsHead(n) {
		return elixirNothing
	}
	if target := t.child(n, "target"); t.is(target, "identifier") {
		if u := elixirCallOf[t.textOf(target)]; u != nil && t.firstChild(n, "arguments") >= 0 {
			return u
		}
	}
	return elixirCall
}

// elixirIsHead reports whether a call is the head of a definition: its first argument, what stands
// there before "when", or a module attribute.
func (t *tree) elixirIsHead(n int) bool {
	p := t.parent(n)
	if t.is(p, "unary_operator") && t.text[t.nodes[p].start] == '@' {
		return true
	}
	if t.is(p, "binary_operator") && n == p+1 {
		n, p = p, t.parent(p)
	}
	if !t.is(p, "arguments") || n != p+1 {
		return false
	}
	u := elixirCallOf[t.textOf(t.child(t.parent(p), "target"))]
	return u != nil && u.is == function
}

// elixirAttributeRule says what a module attribute is: "@doc", "@spec", or a constant.
func elixirAttributeRule(t *tree, n int) *rule {
	operand := t.child(n, "operand")
	if !t.is(operand, "call") || t.text[t.nodes[n].start] != '@' {
		return elixirNothing
	}
	name := t.textOf(t.child(operand, "target"))
	u := elixirAttributeOf[name]
	if name == "doc" && elixirText(t, n)[0].node == operand {
		return elixirAttributeOf["spec"] // @doc false
	}
	if u == nil && t.is(t.child(operand, "target"), "identifier") && !elixirIgnored[name] {
		return elixirConstant
	}
	if u == nil {
		return elixirNothing
	}
	return u
}

// elixirIgnored are attributes that say something to the compiler or the tests.
var elixirIgnored = text.Set(`after_compile before_compile compile derive enforce_keys external_resource fallback_to_any moduletag
	on_definition on_load optional_callbacks tag vsn`)

// elixirArgument is the first argument of a call, or -1.
func (t *tree) elixirArgument(call int) int {
	a := t.firstChild(call, "arguments")
	for c := range t.children(a) {
		return c
	}
	return -1
}

// elixirModule names a module by its last part: Lib.Cache is Cache.
func elixirModule(t *tree, n int) []found {
	a := t.elixirArgument(n)
	name := t.textOf(a)
	if !t.is(a, "alias") {
		return nil
	}
	return []found{{node: a, name: name[strings.LastIndexByte(name, '.')+1:]}}
}

// elixirFor names what a protocol is implemented for, else the module around it.
func elixirFor(t *tree, n int) []found {
	for pair := range t.children(t.firstChild(t.firstChild(n, "arguments"), "keywords")) {
		if strings.HasPrefix(t.textOf(t.child(pair, "key")), "for:") {
			value := t.child(pair, "value")
			name := t.textOf(value)
			return []found{{node: value, name: name[strings.LastIndexByte(name, '.')+1:]}}
		}
	}
	return nil
}

// elixirFunction names a function: f(a), f, "a <~> b", and each of these before "when". What macros
// name (unquote(name)) has no name.
func elixirFunction(t *tree, n int) []found {
	a := t.elixirArgument(n)
	if t.is(a, "binary_operator") && t.elixirOperator(a) == "when" {
		a = t.child(a, "left")
	}
	switch {
	case t.is(a, "identifier"):
		return []found{{node: a}}
	case t.is(a, "call") && t.is(t.child(a, "target"), "identifier"):
		if t.textOf(t.child(a, "target")) == "unquote" {
			return nil
		}
		return []found{{node: t.child(a, "target")}}
	case t.is(a, "binary_operator"):
		return []found{{node: a, name: t.elixirOperator(a)}}
	}
	return nil
}

// elixirOperator is the text between the operands of a node.
func (t *tree) elixirOperator(n int) string {
	left, right := t.child(n, "left"), t.child(n, "right")
	if left < 0 || right < 0 || t.nodes[left].end > t.nodes[right].start {
		return ""
	}
	return strings.TrimSpace(string(t.text[t.nodes[left].end:t.nodes[right].start]))
}

// elixirHead finds the end of the head of a one-line function, before "do:".
func elixirHead(t *tree, n int) int {
	a := t.firstChild(n, "arguments")
	for c := range t.children(a) {
		if t.is(c, "keywords") {
			return int(t.nodes[c].start)
		}
	}
	return -1
}

// elixirTest names a test by its text.
func elixirTest(t *tree, n int) []found {
	a := t.elixirArgument(n)
	if !t.is(a, "string") {
		return nil
	}
	return []found{{node: a, name: strings.Trim(t.textOf(a), `"`)}}
}

// elixirFields are the fields of a struct: keys and atoms.
func elixirFields(t *tree, n int) (list []found) {
	a := t.elixirArgument(n)
	if t.is(a, "list") {
		for c := range t.children(a) {
			if t.is(c, "atom") {
				list = append(list, found{node: c, name: strings.TrimPrefix(t.textOf(c), ":")})
			}
		}
		a = t.firstChild(a, "keywords")
	}
	for pair := range t.children(a) {
		if key := t.child(pair, "key"); key >= 0 {
			list = append(list, found{node: key, name: strings.Trim(t.textOf(key), ": ")})
		}
	}
	return list
}

// elixirText is the string of "@moduledoc", or the call itself without one.
func elixirText(t *tree, n int) []found {
	operand := t.child(n, "operand")
	if a := t.elixirArgument(operand); t.is(a, "string", "sigil") {
		return []found{{node: a}}
	}
	return []found{{node: operand}}
}

// elixirType names what "@type name :: …" or "@callback name(…) :: …" declares.
func elixirType(t *tree, n int) []found {
	a := t.elixirArgument(t.child(n, "operand"))
	for range 3 { // "::" and "when"
		if left := t.child(a, "left"); left >= 0 && t.is(a, "binary_operator") {
			a = left
		}
	}
	if t.is(a, "call") {
		a = t.child(a, "target")
	}
	if !t.is(a, "identifier") {
		return nil
	}
	return []found{{node: a}}
}

// elixirAttribute names a constant of a module: "@limit 10". Reading it calls nothing.
func elixirAttribute(t *tree, n int) []found {
	return []found{{node: t.child(t.child(n, "operand"), "target")}}
}

// elixirModules are the modules that a directive names: A.B, and each of A.{B, C}.
func elixirModules(t *tree, n int) (list []found) {
	if t.is(n, "unary_operator") {
		n = t.child(n, "operand")
	}
	a := t.elixirArgument(n)
	switch {
	case t.is(a, "alias"):
		list = append(list, found{node: a})
	case t.is(a, "dot"):
		before := t.textOf(t.child(a, "left"))
		for c := range t.children(t.child(a, "right")) {
			list = append(list, found{node: c, name: before + "." + t.textOf(c)})
		}
	}
	return list
}

// elixirAliases binds the last part of each module, or its name after "as:".
func elixirAliases(t *tree, n int) (list []store.Binding) {
	as := ""
	for pair := range t.children(t.firstChild(t.firstChild(n, "arguments"), "keywords")) {
		if strings.HasPrefix(t.textOf(t.child(pair, "key")), "as:") {
			as = t.textOf(t.child(pair, "value"))
		}
	}
	for _, f := range elixirModules(t, n) {
		module := or(f.name, t.textOf(f.node))
		list = append(list, store.Binding{Name: or(as, module[strings.LastIndexByte(module, '.')+1:]), Import: module})
	}
	return list
}

// elixirCalled returns what is called: f, M.f, and _.f of a variable's function. "a.b" without
// arguments is a field.
func elixirCalled(t *tree, n int) string {
	target := t.child(n, "target")
	switch {
	case t.is(target, "identifier"):
		return t.textOf(target)
	case !t.is(target, "dot"):
		return ""
	}
	left, right := t.child(target, "left"), t.child(target, "right")
	switch {
	case right < 0:
		return "" // f.()
	case t.is(left, "alias"):
		return t.textOf(left) + "." + t.textOf(right)
	case t.firstChild(n, "arguments", "do_block") < 0:
		return ""
	}
	return "_." + t.textOf(right)
}
