package lang

import (
	"strings"
	"unicode"

	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

// Elixir has one kind of node for all definitions: a call. These are the rules by the called name,
// and those of module attributes ("@doc") by their name.
var (
	elixirCalls = map[string]*Rule{
		"defmodule defprotocol": {Is: Type, Names: elixirModule, Body: "do_block"},
		"defimpl":               {Is: Namespace, Names: elixirFor},
		"def defp defmacro defmacrop defguard defguardp defdelegate defn defnp": {
			Is: Function, Names: elixirFunction,
			Body: "do_block", Ends: elixirHead, Otherwise: Function,
		},
		"test":                   {Is: Function, Names: elixirTest, Body: "do_block", Otherwise: Closure},
		"defstruct defexception": {Is: Member, Names: elixirFields},
		"alias":                  {Is: Import, Names: elixirModules, Binds: elixirAliases},
		"import require use":     {Is: Import, Names: elixirModules},
	}
	elixirAttributes = map[string]*Rule{
		"doc":                                 {Is: Comment, Closed: true},
		"moduledoc typedoc":                   {Is: Docstring, Names: elixirText, Closed: true},
		"spec impl deprecated dialyzer since": {Is: Attribute, Closed: true},
		"type typep opaque":                   {Is: Type, Names: elixirType, Flat: true, Closed: true},
		"callback macrocallback":              {Is: Function, Names: elixirType, Closed: true},
		"behaviour":                           {Is: Import, Names: elixirModules},
	}
	elixirNothing  = &Rule{}
	elixirCall     = &Rule{Is: Call, Calls: elixirCalled}
	elixirConstant = &Rule{Is: Constant, Names: elixirAttribute}

	elixirCallOf, elixirAttributeOf = byWord(elixirCalls), byWord(elixirAttributes)
)

func addElixir(register func(*Language)) {
	others := []Rule{*elixirCall, *elixirConstant}
	for _, table := range []map[string]*Rule{elixirCalls, elixirAttributes} {
		for _, u := range table {
			others = append(others, *u)
		}
	}
	register(&Language{
		Name: "Elixir", Code: true, Files: ".ex .exs", Interpreters: "elixir", Comments: hashComments,
		TestLines:    []string{"test \"", "describe \""},
		SummaryMarks: []string{"#", `@doc ~S"""`, `@doc """`, `@doc "`, `"""`},
		Definitions: &Definitions{Heads: heads(
			`+^def(?:module|protocol|impl)\s+([A-Z][\pL\pN_.]*)`,
			`^def(?:p|macrop?|guardp?|delegate)?\s+([a-z_][\pL\pN_]*[!?]?)`,
		)},
		Ecosystem: "Hex", TextImports: lazyregexp.New(`(?m)^[ \t]*(?:alias|import|use|require)[ \t]+([A-Z][\w.]*)`),
		Grammar: &Grammar{
			Recovers: true,
			MaxBytes: 512 << 10,
			Rules: map[string]Rule{
				"call":               {By: elixirRule},
				"unary_operator":     {By: elixirAttributeRule},
				"anonymous_function": {Is: Closure},
				"comment":            {Is: Comment},
			},
			Others: others,
			Predeclared: text.Set(`and apply assert assert_raise binary_part case catch cond describe div elem
				else exit fn for hd if in inspect is_atom is_binary is_boolean is_function is_integer is_list
				is_map is_nil is_number is_pid is_tuple length map_size max min not or put_elem quote raise
				receive refute rem rescue reraise round self send setup spawn super throw tl to_string trunc try
				tuple_size unless unquote unquote_splicing when with`),
		},
		Scope: Scope{
			Modules: NamedModules, ModulePlaces: elixirPlaces, ByPath: true, NamesModules: true, FullNames: true,
			ImplicitThis: true,
		},
	})
}

// byWord copies each value of a table to all words of its key.
func byWord(table map[string]*Rule) map[string]*Rule {
	all := map[string]*Rule{}
	for list, u := range table {
		for _, word := range strings.Fields(list) {
			all[word] = u
		}
	}
	return all
}

// elixirRule returns the rule of a call. The head of a definition is a call too, and calls nothing.
func elixirRule(t *Tree, n int) *Rule {
	if elixirIsHead(t, n) {
		return elixirNothing
	}
	if target := t.Child(n, "target"); t.Is(target, "identifier") {
		if u := elixirCallOf[t.Text(target)]; u != nil && t.FirstChild(n, "arguments") >= 0 {
			return u
		}
	}
	return elixirCall
}

// elixirIsHead reports whether a call is the head of a definition: its first argument, the part of
// it before "when", or a module attribute.
func elixirIsHead(t *Tree, n int) bool {
	p := t.Parent(n)
	if t.Is(p, "unary_operator") && t.Source[t.Start(p)] == '@' {
		return true
	}
	if t.Is(p, "binary_operator") && n == p+1 {
		n, p = p, t.Parent(p)
	}
	if !t.Is(p, "arguments") || n != p+1 {
		return false
	}
	u := elixirCallOf[t.Text(t.Child(t.Parent(p), "target"))]
	return u != nil && u.Is == Function
}

// elixirAttributeRule returns the rule of a module attribute: "@doc", "@spec", or a constant.
func elixirAttributeRule(t *Tree, n int) *Rule {
	operand := t.Child(n, "operand")
	if !t.Is(operand, "call") || t.Source[t.Start(n)] != '@' {
		return elixirNothing
	}
	name := t.Text(t.Child(operand, "target"))
	u := elixirAttributeOf[name]
	if name == "doc" && elixirText(t, n)[0].Node == operand {
		return elixirAttributeOf["spec"] // @doc false
	}
	if u == nil && t.Is(t.Child(operand, "target"), "identifier") && !elixirIgnored.Has(name) {
		return elixirConstant
	}
	if u == nil {
		return elixirNothing
	}
	return u
}

// elixirIgnored are attributes for the compiler or the tests.
var elixirIgnored = text.Set(`after_compile before_compile compile derive enforce_keys external_resource
	fallback_to_any moduletag on_definition on_load optional_callbacks tag vsn`)

// elixirArgument returns the first argument of a call, or -1.
func elixirArgument(t *Tree, call int) int {
	a := t.FirstChild(call, "arguments")
	for c := range t.Children(a) {
		return c
	}
	return -1
}

// elixirModule names a module by its last part: Lib.Cache is Cache.
func elixirModule(t *Tree, n int) []Found {
	a := elixirArgument(t, n)
	name := t.Text(a)
	if !t.Is(a, "alias") {
		return nil
	}
	return []Found{{Node: a, Name: name[strings.LastIndexByte(name, '.')+1:]}}
}

// elixirFor names the module for which a protocol is implemented. It returns nil without "for:", so
// that the module around it counts.
func elixirFor(t *Tree, n int) []Found {
	for pair := range t.Children(t.FirstChild(t.FirstChild(n, "arguments"), "keywords")) {
		if strings.HasPrefix(t.Text(t.Child(pair, "key")), "for:") {
			value := t.Child(pair, "value")
			name := t.Text(value)
			return []Found{{Node: value, Name: name[strings.LastIndexByte(name, '.')+1:]}}
		}
	}
	return nil
}

// elixirFunction names a function: f(a), f, "a <~> b", and each of these before "when". A name that
// a macro makes (unquote(name)) is unknown.
func elixirFunction(t *Tree, n int) []Found {
	a := elixirArgument(t, n)
	if t.Is(a, "binary_operator") && elixirOperator(t, a) == "when" {
		a = t.Child(a, "left")
	}
	switch {
	case t.Is(a, "identifier"):
		return []Found{{Node: a}}
	case t.Is(a, "call") && t.Is(t.Child(a, "target"), "identifier"):
		if t.Text(t.Child(a, "target")) == "unquote" {
			return nil
		}
		return []Found{{Node: t.Child(a, "target")}}
	case t.Is(a, "binary_operator"):
		return []Found{{Node: a, Name: elixirOperator(t, a)}}
	}
	return nil
}

// elixirOperator returns the text between the operands of a node, or "".
func elixirOperator(t *Tree, n int) string {
	left, right := t.Child(n, "left"), t.Child(n, "right")
	if left < 0 || right < 0 || t.End(left) > t.Start(right) {
		return ""
	}
	return strings.TrimSpace(string(t.Source[t.End(left):t.Start(right)]))
}

// elixirHead returns the end of the head of a one-line function, before "do:", or -1.
func elixirHead(t *Tree, n int) int {
	a := t.FirstChild(n, "arguments")
	for c := range t.Children(a) {
		if t.Is(c, "keywords") {
			return t.Start(c)
		}
	}
	return -1
}

// elixirTest names a test by its text.
func elixirTest(t *Tree, n int) []Found {
	a := elixirArgument(t, n)
	if !t.Is(a, "string") {
		return nil
	}
	return []Found{{Node: a, Name: strings.Trim(t.Text(a), `"`)}}
}

// elixirFields returns the fields of a struct: keys and atoms.
func elixirFields(t *Tree, n int) (list []Found) {
	a := elixirArgument(t, n)
	if t.Is(a, "list") {
		for c := range t.Children(a) {
			if t.Is(c, "atom") {
				list = append(list, Found{Node: c, Name: strings.TrimPrefix(t.Text(c), ":")})
			}
		}
		a = t.FirstChild(a, "keywords")
	}
	for pair := range t.Children(a) {
		if key := t.Child(pair, "key"); key >= 0 {
			list = append(list, Found{Node: key, Name: strings.Trim(t.Text(key), ": ")})
		}
	}
	return list
}

// elixirText returns the string of "@moduledoc", or the call itself if there is no string.
func elixirText(t *Tree, n int) []Found {
	operand := t.Child(n, "operand")
	if a := elixirArgument(t, operand); t.Is(a, "string", "sigil") {
		return []Found{{Node: a}}
	}
	return []Found{{Node: operand}}
}

// elixirType returns the name that "@type name :: …" or "@callback name(…) :: …" declares.
func elixirType(t *Tree, n int) []Found {
	a := elixirArgument(t, t.Child(n, "operand"))
	for range 3 { // "::" and "when"
		if left := t.Child(a, "left"); left >= 0 && t.Is(a, "binary_operator") {
			a = left
		}
	}
	if t.Is(a, "call") {
		a = t.Child(a, "target")
	}
	if !t.Is(a, "identifier") {
		return nil
	}
	return []Found{{Node: a}}
}

// elixirAttribute names a constant of a module: "@limit 10". Reading it calls nothing.
func elixirAttribute(t *Tree, n int) []Found {
	return []Found{{Node: t.Child(t.Child(n, "operand"), "target")}}
}

// elixirModules returns the modules that a directive names: A.B, and each of A.{B, C}.
func elixirModules(t *Tree, n int) (list []Found) {
	if t.Is(n, "unary_operator") {
		n = t.Child(n, "operand")
	}
	a := elixirArgument(t, n)
	switch {
	case t.Is(a, "alias"):
		list = append(list, Found{Node: a})
	case t.Is(a, "dot"):
		before := t.Text(t.Child(a, "left"))
		for c := range t.Children(t.Child(a, "right")) {
			list = append(list, Found{Node: c, Name: before + "." + t.Text(c)})
		}
	}
	return list
}

// elixirAliases binds the last part of each module, or its name after "as:".
func elixirAliases(t *Tree, n int) (list []doc.Binding) {
	as := ""
	for pair := range t.Children(t.FirstChild(t.FirstChild(n, "arguments"), "keywords")) {
		if strings.HasPrefix(t.Text(t.Child(pair, "key")), "as:") {
			as = t.Text(t.Child(pair, "value"))
		}
	}
	for _, f := range elixirModules(t, n) {
		module := or(f.Name, t.Text(f.Node))
		list = append(list, doc.Binding{Name: or(as, module[strings.LastIndexByte(module, '.')+1:]), Import: module})
	}
	return list
}

// elixirCalled returns the called name: f, M.f, and _.f for a function of a variable. "a.b" without
// arguments is a field.
func elixirCalled(t *Tree, n int) string {
	target := t.Child(n, "target")
	switch {
	case t.Is(target, "identifier"):
		return t.Text(target)
	case !t.Is(target, "dot"):
		return ""
	}
	left, right := t.Child(target, "left"), t.Child(target, "right")
	switch {
	case right < 0:
		return "" // f.()
	case t.Is(left, "alias"):
		return t.Text(left) + "." + t.Text(right)
	case t.FirstChild(n, "arguments", "do_block") < 0:
		return ""
	}
	return "_." + t.Text(right)
}

// elixirPlaces returns the path of a module: Plug.HTTPServer is in plug/http_server.
func elixirPlaces(module string) []string {
	parts := strings.Split(module, ".")
	for i, p := range parts {
		parts[i] = underscore(p)
	}
	return []string{strings.Join(parts, "/")}
}

// underscore spells a part of a module's name like a file: HTTPServer is http_server.
func underscore(s string) string {
	runes := []rune(s)
	var b strings.Builder
	for i, c := range runes {
		if unicode.IsUpper(c) && i > 0 && (!unicode.IsUpper(runes[i-1]) ||
			i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
