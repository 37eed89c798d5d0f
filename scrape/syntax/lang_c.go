package syntax

import (
	"bytes"
	"maps"
	"regexp"
	"strings"

	c "github.com/tree-sitter/tree-sitter-c/bindings/go"
	cpp "github.com/tree-sitter/tree-sitter-cpp/bindings/go"

	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/text"
)

func init() {
	rules := map[string]rule{
		"function_definition": {is: function, names: declaratorNames},
		"declaration":         {is: variable, names: declaratorNames},
		"struct_specifier union_specifier enum_specifier": {is: typ, names: namesWithBody},
		"type_definition":      {is: typ, names: typedefNames, flat: true},
		"preproc_function_def": {is: function, body: "value"},
		"preproc_def":          {is: constant, when: holdsValue},
		"enumerator":           {is: member},
		"field_declaration":    {is: member, names: declaratorNames},
		"comment":              {is: comment},
		"call_expression":      {is: call},
		"preproc_arg":          {is: calls, when: inMacro},
		"preproc_include":      {is: imports, name: "path"},
	}
	predeclared := text.Set("sizeof static_cast dynamic_cast reinterpret_cast const_cast memcpy memset strlen strcmp malloc free printf assert")
	grammars["C"] = &grammar{language: c.Language, prepare: func(text []byte) []byte { return withoutMarks(text, false) }, rules: rules, predeclared: predeclared, typed: map[string]typing{
		"parameter_declaration declaration field_declaration": {name: "declarator"},
	}}

	more := maps.Clone(rules)
	maps.Copy(more, map[string]rule{
		"class_specifier":            {is: typ, names: namesWithBody},
		"new_expression":             {is: call, name: "type"},
		"field_initializer":          {is: call, calls: cInitialised},
		"alias_declaration":          {is: typ, body: "type", binds: typeAlias},
		"concept_definition":         {is: typ},
		"field_declaration":          {is: function, names: memberFunctions},
		"namespace_definition":       {is: member, binds: cppNamespace},
		"template_declaration":       {is: wrapper},
		"lambda_expression":          {is: closure},
		"using_declaration":          {binds: usingDeclared},
		"namespace_alias_definition": {binds: namespaceAlias},
	})
	grammars["C++"] = &grammar{language: cpp.Language, prepare: func(text []byte) []byte { return withoutMarks(text, true) }, rules: more, predeclared: predeclared, typed: map[string]typing{
		"parameter_declaration optional_parameter_declaration declaration field_declaration for_range_loop": {name: "declarator"},
	}}
}

// declaratorNames returns the names in a declaration. A declarator is wrapped in its use: *f(int)
// is a pointer declarator round a function declarator round an identifier.
func declaratorNames(t *tree, n int) (list []found) {
	if t.is(n, "function_definition") {
		if f, ok := t.macroFunction(n); ok {
			f.sort = store.Function
			return []found{f}
		}
	}
	isConst := strings.Contains(textBefore(t, n, t.child(n, "declarator")), "const")
	for d := range t.children(n) {
		if t.field(d) != "declarator" {
			continue
		}
		f, isFunction := t.declarator(d)
		switch {
		case isFunction && t.isMacroInClass(n, f):
			continue
		case isFunction:
			f.sort, f.declares = "function", t.child(n, "body") < 0 && t.is(n, "declaration", "field_declaration")
		case isConst:
			f.sort = "constant"
		}
		list = append(list, f)
	}
	return list
}

// isMacroInClass reports whether a prototype is none: MACRO(a, b); in a class reads like the
// constructor of another one.
func (t *tree) isMacroInClass(n int, f found) bool {
	if t.child(n, "type") >= 0 || t.child(n, "body") >= 0 || !t.is(f.node, "identifier", "field_identifier") {
		return false
	}
	p := t.parent(n)
	if t.is(p, "template_declaration") {
		p = t.parent(p)
	}
	if !t.is(p, "field_declaration_list") {
		return false
	}
	name := t.bareType(t.child(t.parent(p), "name"))
	return name >= 0 && t.textOf(name) != t.textOf(f.node)
}

// inMacro reports whether a text is what a macro stands for.
func inMacro(t *tree, n int) bool {
	return t.is(t.parent(n), "preproc_function_def", "preproc_def")
}

// textBefore is the text of a node up to a child, or all of it.
func textBefore(t *tree, n, child int) string {
	if child < 0 {
		return t.textOf(n)
	}
	return string(t.text[t.nodes[n].start:t.nodes[child].start])
}

// declarator finds the name in a declarator, the type that qualifies it, and whether it is a
// function. The innermost node round the name decides, so that (*f)(int) is a pointer.
func (t *tree) declarator(d int) (f found, isFunction bool) {
	f.node = -1
	for d >= 0 {
		next := t.child(d, "declarator")
		switch t.kind(d) {
		case "identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name", "primitive_type":
			f.node = d
			return f, isFunction
		case "operator_cast":
			name, _, _ := strings.Cut(t.textOf(d), "(")
			f.node, f.name = d, strings.Join(strings.Fields(name), " ")
			return f, true
		case "qualified_identifier":
			if scope := t.bareType(t.child(d, "scope")); scope >= 0 {
				f.scope = t.textOf(scope)
			}
			next = t.child(d, "name")
		case "template_function", "template_method", "template_type", "dependent_name":
			next = t.child(d, "name")
		case "function_declarator":
			isFunction = true
		case "pointer_declarator", "reference_declarator", "array_declarator", "init_declarator":
			isFunction = false
		}
		if next < 0 { // parenthesized, attributed, reference: the field has no name there
			next = t.firstChild(d, "identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name", "function_declarator", "pointer_declarator",
				"array_declarator", "parenthesized_declarator", "reference_declarator", "qualified_identifier", "init_declarator", "attributed_declarator")
		}
		d = next
	}
	return f, isFunction
}

// memberFunctions names the functions that a class declares; its other fields have no entry.
func memberFunctions(t *tree, n int) (list []found) {
	for _, f := range declaratorNames(t, n) {
		if f.sort == "function" {
			list = append(list, f)
		}
	}
	return list
}

// namesWithBody names a type where it is defined, not where it is used.
func namesWithBody(t *tree, n int) []found {
	if t.child(n, "body") < 0 {
		return nil
	}
	return []found{{node: t.bareType(t.child(n, "name"))}}
}

// typedefNames names the new names of a type; one that the type has itself is not new.
func typedefNames(t *tree, n int) (list []found) {
	defined := t.child(n, "type")
	own := ""
	if t.child(defined, "body") >= 0 {
		own = t.textOf(t.child(defined, "name"))
	}
	for d := range t.children(n) {
		if t.field(d) != "declarator" {
			continue
		}
		f, _ := t.declarator(d)
		if f.node >= 0 && t.textOf(f.node) != own {
			list = append(list, f)
		}
	}
	return list
}

// holdsValue leaves out the guards of headers.
func holdsValue(t *tree, n int) bool { return t.child(n, "value") >= 0 }

// markMacros are macros that mark a declaration and have no place in the grammar. They stand alone
// at the margin (LIB_BEGIN_EXPORT), or beside the word that opens the declaration (LIB_EXPORT
// template, class LIB_API name, class API name {). The last pattern has the usual endings.
var markMacros = []func() *regexp.Regexp{
	lazyregexp.New(`(?m)^[A-Z][A-Z0-9]*_[A-Z0-9_]*[ \t]*\r?$`),
	lazyregexp.New(`(?m)^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]*)[ \t]+(?:template|class|struct|enum|union|namespace|using|typedef)\b`),
	lazyregexp.New(`\b(?:class|struct|enum|union)[ \t]+([A-Z][A-Z0-9]*_[A-Z0-9_]*(?:\([^()\n]*\))?)[ \t]+[A-Za-z_]`),
	lazyregexp.New(`\b(?:class|struct)[ \t]+([A-Z][A-Z0-9]+)[ \t]+[A-Za-z_]\w*(?:[ \t]+final)?\s*(?:\{|:[^:])`),
	lazyregexp.New(`\b([A-Z][A-Z0-9]*_(?:[A-Z0-9]*_)*(?:FORCE)?(?:INLINE|CONSTEXPR|CONSTEXPR[0-9]+|CONSTEVAL|DEPRECATED|EXPORT|API|NORETURN|NODISCARD|CDECL|STDCALL))[ \t]+`),
}

// withoutMarks blanks them.
func withoutMarks(text []byte, cpp bool) []byte {
	clean := withDefinitions(text, withoutClassMacros(text, withoutFieldMacros(text)), cpp)
	for _, m := range markMacros {
		for _, at := range m().FindAllSubmatchIndex(clean, -1) {
			from, to := at[0], at[1]
			if len(at) > 2 {
				from, to = at[2], at[3]
			}
			if &clean[0] == &text[0] {
				clean = bytes.Clone(text)
			}
			for i := from; i < to; i++ {
				if clean[i] != '\r' {
					clean[i] = ' '
				}
			}
		}
	}
	return clean
}

// typeAlias is "using a = b::c<d>", which is another name of b::c.
func typeAlias(t *tree, n int) []store.Binding {
	return otherName(t.textOf(t.child(n, "name")), t.textOf(t.child(n, "type")))
}

// usingDeclared is "using a::b", which brings b, or "using namespace a".
func usingDeclared(t *tree, n int) []store.Binding {
	last := -1
	for c := range t.children(n) {
		last = c
	}
	path := t.textOf(last)
	if strings.Contains(textBefore(t, n, last), "namespace") {
		return otherName(store.AllNames, path)
	}
	return otherName(path[strings.LastIndexByte(path, ':')+1:], path)
}

// namespaceAlias is "namespace a = b::c".
func namespaceAlias(t *tree, n int) []store.Binding {
	last := -1
	for c := range t.children(n) {
		last = c
	}
	return otherName(t.textOf(t.child(n, "name")), t.textOf(last))
}

// otherName binds a name to a path, if it is one without its parameters.
func otherName(name, path string) []store.Binding {
	path, _, _ = strings.Cut(path, "<")
	path = strings.TrimSpace(strings.TrimPrefix(path, "typename "))
	if !isPath([]byte(path)) || path == name {
		return nil
	}
	return []store.Binding{{Name: name, Of: path}}
}

// withoutFieldMacros blanks a macro that stands for fields, or for a statement: a line of its own
// without a semicolon, behind "struct a {" or a semicolon. It would hide what follows.
func withoutFieldMacros(text []byte) []byte {
	clean := text
	ended, at := false, 0 // whether a statement or the head of a struct ends before this line
	for at < len(text) {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		line := bytes.TrimSpace(text[at : at+end])
		switch {
		case len(line) == 0 || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*")) || line[0] == '*':
		case ended && isMarkMacro(line):
			if &clean[0] == &text[0] {
				clean = bytes.Clone(text)
			}
			start := at + bytes.Index(text[at:at+end], line)
			blankOut(clean[start : start+len(line)])
		default:
			ended = line[len(line)-1] == ';' || line[len(line)-1] == '{' && (bytes.HasPrefix(line, []byte("struct ")) || bytes.HasPrefix(line, []byte("typedef struct")))
		}
		at += end + 1
	}
	return clean
}

// isMarkMacro reports whether a line is a name like LIB_FIELDS and nothing else.
func isMarkMacro(line []byte) bool {
	under := false
	for i, c := range line {
		switch {
		case c == '_':
			under = under || i > 0
		case c >= 'A' && c <= 'Z', i > 0 && c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return under && line[0] != '_'
}

// cppNamespace is a namespace that the file adds to.
func cppNamespace(t *tree, n int) []store.Binding {
	return []store.Binding{{Name: store.PackageName, Of: t.textOf(t.child(n, "name"))}}
}

// cInitialised is the class that an initializer of a constructor names, by its capital: a base, or
// the own one. A field is nothing that is called.
func cInitialised(t *tree, n int) string {
	name, _, _ := strings.Cut(t.textOf(n+1), "<")
	last := name[strings.LastIndexByte(name, ':')+1:]
	if t.parent(n+1) != n || !isPath([]byte(name)) || last == "" || last[0] < 'A' || last[0] > 'Z' {
		return ""
	}
	return name
}
