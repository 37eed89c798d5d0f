package lang

import (
	"bytes"
	"regexp"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

func addC(register func(*Language)) {
	register(&Language{
		Name: "C", Code: true, Files: ".c .h .inc", Comments: slashComments,
		TestLines:    []string{"TEST(", "START_TEST("},
		HeadersMayBe: "C++", NoSelf: true,
		Grammar: &Grammar{
			Rules: cRules, Predeclared: cPredeclared, Prepare: func(text []byte) []byte {
				return withoutMarks(text, false)
			},
			Typed:    map[string]Typing{"parameter_declaration declaration field_declaration": {Parts: cVariable}},
			TextType: "char",
		},
		Scope: Scope{
			Modules: HeaderIncludes, LocalAliases: true, ImplicitThis: true,
			DeclaredTypes: true, StrictTypes: true, ClosedNames: true, Namespaced: true, FollowsTypes: true,
			TypeFirst: true, Results: ResultFirst, TypeReceivers: ColonTypes,
		},
	})
}

// These are also rules of C++.
var (
	cRules = map[string]Rule{
		"function_definition": {Is: Function, Names: declaratorNames},
		"declaration":         {Is: Variable, Names: declaratorNames},
		"struct_specifier union_specifier enum_specifier": {Is: Type, Names: namesWithBody},
		"type_definition":      {Is: Type, Names: typedefNames, Flat: true},
		"preproc_function_def": {Is: Function, Body: "value"},
		"preproc_def":          {Is: Constant, When: holdsValue},
		"enumerator":           {Is: Member},
		"field_declaration":    {Is: Member, Names: declaratorNames},
		"comment":              {Is: Comment},
		"call_expression":      {Is: Call},
		"preproc_arg":          {Is: Body, When: inMacro},
		"preproc_include":      {Is: Import, Name: "path"},
	}
	cPredeclared = text.Set(`sizeof static_cast dynamic_cast reinterpret_cast const_cast memcpy memset strlen
		strcmp malloc free printf assert`)
)

// cVariable returns the name of a variable inside its declarator. The name is -1 for a function.
func cVariable(t *Tree, n int) (name, of, holder int) {
	name, of, holder = t.Child(n, "declarator"), t.Child(n, "type"), n
	if !t.Is(name, "pointer_declarator", "reference_declarator", "init_declarator", "array_declarator") {
		return name, of, holder
	}
	if t.Is(name, "init_declarator") {
		holder = name
	}
	f, isFunction := declarator(t, name)
	if isFunction {
		return -1, of, holder
	}
	return f.Node, of, holder
}

// declaratorNames returns the names in a declaration. A declarator is wrapped in its use: *f(int)
// is a pointer declarator around a function declarator around an identifier.
func declaratorNames(t *Tree, n int) (list []Found) {
	if t.Is(n, "function_definition") {
		if f, ok := macroFunction(t, n); ok {
			f.Sort = doc.Function
			return []Found{f}
		}
	}
	isConst := strings.Contains(textBefore(t, n, t.Child(n, "declarator")), "const")
	for d := range t.Children(n) {
		if t.Field(d) != "declarator" {
			continue
		}
		f, isFunction := declarator(t, d)
		switch {
		case isFunction && isMacroInClass(t, n, f):
			continue
		case isFunction:
			f.Sort, f.Declares = "function", t.Child(n, "body") < 0 && t.Is(n, "declaration", "field_declaration")
		case isConst:
			f.Sort = "constant"
		}
		list = append(list, f)
	}
	return list
}

// isMacroInClass reports whether a prototype is a macro: MACRO(a, b); in a class looks like the
// constructor of another class.
func isMacroInClass(t *Tree, n int, f Found) bool {
	if t.Child(n, "type") >= 0 || t.Child(n, "body") >= 0 || !t.Is(f.Node, "identifier", "field_identifier") {
		return false
	}
	p := t.Parent(n)
	if t.Is(p, "template_declaration") {
		p = t.Parent(p)
	}
	if !t.Is(p, "field_declaration_list") {
		return false
	}
	name := t.bareType(t.Child(t.Parent(p), "name"))
	return name >= 0 && t.Text(name) != t.Text(f.Node)
}

// inMacro reports whether a text is the body of a macro.
func inMacro(t *Tree, n int) bool {
	return t.Is(t.Parent(n), "preproc_function_def", "preproc_def")
}

// declarator returns the name in a declarator, the type that qualifies it, and whether it is a
// function. The innermost node around the name decides, so that (*f)(int) is a pointer. f.Node is
// -1 without a name.
func declarator(t *Tree, d int) (f Found, isFunction bool) {
	f.Node = -1
	for d >= 0 {
		next := t.Child(d, "declarator")
		switch t.Kind(d) {
		case "identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name", "primitive_type":
			f.Node = d
			return f, isFunction
		case "operator_cast":
			name, _, _ := strings.Cut(t.Text(d), "(")
			f.Node, f.Name = d, strings.Join(strings.Fields(name), " ")
			return f, true
		case "qualified_identifier":
			if scope := t.bareType(t.Child(d, "scope")); scope >= 0 {
				f.Scope = t.Text(scope)
			}
			next = t.Child(d, "name")
		case "template_function", "template_method", "template_type", "dependent_name":
			next = t.Child(d, "name")
		case "function_declarator":
			isFunction = true
		case "pointer_declarator", "reference_declarator", "array_declarator", "init_declarator":
			isFunction = false
		}
		if next < 0 { // parenthesized, attributed, reference: their field has no name
			next = t.FirstChild(d, "identifier", "field_identifier", "type_identifier", "operator_name",
				"destructor_name", "function_declarator", "pointer_declarator",
				"array_declarator", "parenthesized_declarator", "reference_declarator", "qualified_identifier",
				"init_declarator", "attributed_declarator")
		}
		d = next
	}
	return f, isFunction
}

// namesWithBody names a type only where it is defined, and not where it is used.
func namesWithBody(t *Tree, n int) []Found {
	if t.Child(n, "body") < 0 {
		return nil
	}
	return []Found{{Node: t.bareType(t.Child(n, "name"))}}
}

// typedefNames returns the new names of a type. The type's own name is not new.
func typedefNames(t *Tree, n int) (list []Found) {
	defined := t.Child(n, "type")
	own := ""
	if t.Child(defined, "body") >= 0 {
		own = t.Text(t.Child(defined, "name"))
	}
	for d := range t.Children(n) {
		if t.Field(d) != "declarator" {
			continue
		}
		f, _ := declarator(t, d)
		if f.Node >= 0 && t.Text(f.Node) != own {
			list = append(list, f)
		}
	}
	return list
}

// holdsValue reports whether a macro has a value, which the guards of headers have not.
func holdsValue(t *Tree, n int) bool { return t.Child(n, "value") >= 0 }

// markMacros are macros that mark a declaration, and that the grammar does not know. They are on a
// line of their own at the margin (LIB_BEGIN_EXPORT), or next to the word that opens the
// declaration (LIB_EXPORT template, class LIB_API name, class API name {). The last pattern has the
// usual endings.
var markMacros = []func() *regexp.Regexp{
	lazyregexp.New(`(?m)^[A-Z][A-Z0-9]*_[A-Z0-9_]*[ \t]*\r?$`),
	lazyregexp.New(`(?m)^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]*)[ \t]+(?:template|class|struct|enum|union|namespace|using` +
		`|typedef)\b`),
	lazyregexp.New(`\b(?:class|struct|enum|union)[ \t]+([A-Z][A-Z0-9]*_[A-Z0-9_]*(?:\([^()\n]*\))?)[ \t]+[A-Za-z_]`),
	lazyregexp.New(`\b(?:class|struct)[ \t]+([A-Z][A-Z0-9]+)[ \t]+[A-Za-z_]\w*(?:[ \t]+final)?\s*(?:\{|:[^:])`),
	lazyregexp.New(`\b([A-Z][A-Z0-9]*_(?:[A-Z0-9]*_)*(?:FORCE)?(?:INLINE|CONSTEXPR|CONSTEXPR[0-9]+|CONSTEVAL` +
		`|DEPRECATED|EXPORT|API|NORETURN|NODISCARD|CDECL|STDCALL))[ \t]+`),
}

// withoutMarks returns a text in which macros are blank, or written in a form that the grammar
// knows. It has the same length, and may be the text itself.
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

// withoutFieldMacros blanks a macro in place of fields or of a statement, because it would hide the
// code after it: a line of its own without a semicolon, after "struct a {" or a semicolon.
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
		case len(line) == 0 || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*")) ||
			line[0] == '*':
		case ended && isMarkMacro(line):
			if &clean[0] == &text[0] {
				clean = bytes.Clone(text)
			}
			start := at + bytes.Index(text[at:at+end], line)
			Blank(clean[start : start+len(line)])
		default:
			ended = line[len(line)-1] == ';' || line[len(line)-1] == '{' &&
				(bytes.HasPrefix(line, []byte("struct ")) || bytes.HasPrefix(line, []byte("typedef struct")))
		}
		at += end + 1
	}
	return clean
}

// isMarkMacro reports whether a line has only a name like LIB_FIELDS. line must not be empty.
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
