package syntax

// #cgo LDFLAGS: ${SRCDIR}/../../third_party/build/libtree-sitter-swift.a
// const void *tree_sitter_swift(void);
import "C"

import (
	"bytes"
	"strings"
	"unsafe"

	"patina/internal/lazyregexp"
	"patina/store"
	"patina/store/text"
)

func init() {
	grammars["Swift"] = &grammar{
		language: func() unsafe.Pointer { return unsafe.Pointer(C.tree_sitter_swift()) },
		prepare:  withoutBranches,
		rules: map[string]rule{
			"function_declaration protocol_function_declaration": {is: function, names: swiftFunction},
			"init_declaration":                       {is: function, names: swiftKeyword("init")},
			"deinit_declaration":                     {is: function, names: swiftKeyword("deinit")},
			"subscript_declaration":                  {is: function, names: swiftKeyword("subscript"), body: "computed_property"},
			"macro_declaration":                      {is: function, names: firstSimple, body: "definition"},
			"class_declaration":                      {is: typ, by: swiftExtension},
			"protocol_declaration":                   {is: typ},
			"typealias_declaration":                  {is: typ, flat: true},
			"associatedtype_declaration":             {is: member},
			"property_declaration":                   {is: variable, by: swiftProperty, names: swiftValues},
			"protocol_property_declaration":          {is: member, names: swiftValues},
			"enum_entry":                             {is: member, names: specNames},
			"lambda_literal":                         {is: closure},
			"attribute":                              {is: attribute, closed: true},
			"comment multiline_comment":              {is: comment},
			"call_expression constructor_expression": {is: call, calls: swiftCalled},
			"macro_invocation":                       {is: call, calls: swiftExpanded},
			"import_declaration":                     {is: imports, names: swiftImported, binds: swiftBinding},
		},
		typed: map[string]typing{
			"parameter": {parts: swiftParameter},
			"property_declaration protocol_property_declaration": {parts: swiftTyped},
		},
		predeclared: text.Set(`print debugPrint fatalError precondition preconditionFailure assert assertionFailure type min max abs zip
			String Int Double Float Bool Array Set Dictionary Character`),
	}
}

// The grammar does not know every condition, #if between the calls of a chain, #error, the type of
// an error that is thrown, a place in the source as the value of a parameter, and "try? await"
// before a block: it takes the block for an argument.
var branch = lazyregexp.New(`(?m)^[ \t]*#(?:if|elseif|else|endif|error|warning)\b[^\r\n]*|\bthrows(\([\w. ]+\))|\bnonisolated(\(unsafe\))|= (#_\w+)|` +
	`\b(try[?!]?)[ \t]+await\b`)

// withoutBranches blanks the lines of #if, #else and #endif, and what else the grammar does not
// know. Swift allows whole statements alone between them, so all branches are read.
func withoutBranches(text []byte) []byte {
	clean, start := text, 0
	for line := range bytes.Lines(text) {
		at := start
		start += len(line)
		if !mayBranch(line) {
			continue
		}
		for _, found := range branch().FindAllSubmatchIndex(line, -1) {
			if &clean[0] == &text[0] {
				clean = bytes.Clone(text)
			}
			blankBranch(clean[at:start], found)
		}
	}
	return clean
}

// mayBranch is quicker than the expression, which fits few lines.
func mayBranch(line []byte) bool {
	return bytes.IndexByte(line, '#') >= 0 || bytes.Contains(line, []byte("try")) && bytes.Contains(line, []byte("await")) || bytes.Contains(line, []byte("throws(")) || bytes.Contains(line, []byte("nonisolated("))
}

// blankBranch blanks what the expression found in a line.
func blankBranch(line []byte, at []int) {
	switch {
	case at[2] >= 0:
		blankOut(line[at[2]:at[3]])
	case at[4] >= 0:
		blankOut(line[at[4]:at[5]])
	case at[6] >= 0:
		line[at[6]] = '_'
	case at[8] >= 0:
		blankOut(line[at[8]:at[9]])
	default:
		blankOut(line[at[0]:at[1]])
	}
}

// swiftFunction names a function. An operator of the language has no node of its own.
func swiftFunction(t *tree, n int) []found {
	if name := t.child(n, "name"); t.is(name, "simple_identifier", "custom_operator") {
		return []found{{node: name}}
	}
	for c := range t.children(n) {
		if t.is(c, "modifiers", "attribute", "comment", "multiline_comment") {
			continue
		}
		_, name, _ := strings.Cut(textBefore(t, n, c), "func ")
		return []found{{node: c, name: strings.Trim(name, " (")}}
	}
	return nil
}

// swiftKeyword names what is named by its keyword, which has no node: it stands behind the last
// modifier, or in front of the first part.
func swiftKeyword(name string) func(t *tree, n int) []found {
	return func(t *tree, n int) []found {
		at := -1
		for c := range t.children(t.firstChild(n, "modifiers")) {
			at = c
		}
		if at >= 0 && t.is(at, "attribute") {
			for at = range t.children(n) {
				if !t.is(at, "modifiers", "comment", "multiline_comment") {
					break
				}
			}
		}
		return []found{{node: max(n, at), name: name}}
	}
}

// swiftExtended are extensions: what they add belongs to the type.
var swiftExtended = &rule{is: scope, names: func(t *tree, n int) []found {
	name := t.child(n, "name")
	last := -1
	for c := range t.children(name) {
		if t.is(c, "type_identifier") {
			last = c
		}
	}
	return []found{{node: max(name, last)}}
}}

func swiftExtension(t *tree, n int) *rule {
	if words := strings.Fields(textBefore(t, n, t.child(n, "name"))); len(words) > 0 && words[len(words)-1] == "extension" {
		return swiftExtended
	}
	return nil
}

// Properties by where they stand: in types those with code of their own are symbols, the others
// fields. Variables of functions are nothing.
var (
	swiftField    = &rule{is: member, names: swiftValues}
	swiftConstant = &rule{is: constant, names: swiftValues}
	swiftLocal    = &rule{}
)

func swiftProperty(t *tree, n int) *rule {
	head := textBefore(t, n, t.child(n, "name"))
	let := strings.HasSuffix(strings.TrimRight(head, " \t\n"), "let")
	switch p := t.parent(n); {
	case t.is(p, "source_file"):
		if let {
			return swiftConstant
		}
		return nil
	case !t.is(p, "class_body", "enum_class_body"):
		return swiftLocal
	case let && (strings.Contains(head, "static ") || strings.Contains(head, "class ")):
		return swiftConstant
	case t.child(n, "computed_value") >= 0 && bytes.IndexByte(t.extentOf(n), '\n') >= 0:
		return nil
	}
	return swiftField
}

// swiftValues are the names that a pattern binds.
func swiftValues(t *tree, n int) (list []found) {
	p := t.child(n, "name")
	if p < 0 {
		return nil
	}
	for c := p; c < int(t.nodes[p].next); c++ {
		if t.is(c, "simple_identifier") {
			list = append(list, found{node: c})
		}
	}
	return list
}

func firstSimple(t *tree, n int) []found {
	return []found{{node: t.firstChild(n, "simple_identifier")}}
}

// swiftParameter is the name of a parameter inside of its function, and its type.
func swiftParameter(t *tree, n int) (name, of int) {
	name, of = -1, -1
	for c := range t.children(n) {
		switch {
		case t.field(c) != "name":
		case name < 0:
			name = c
		case of < 0:
			of = c
		}
	}
	return name, of
}

// swiftTyped is the name of a property with its type.
func swiftTyped(t *tree, n int) (name, of int) {
	names := swiftValues(t, n)
	if len(names) != 1 {
		return -1, -1
	}
	if of = t.firstChild(n, "type_annotation"); of >= 0 {
		return names[0].node, of
	}
	return names[0].node, of
}

// swiftCalled returns what is called: f, a.f, A of A<T>(…), and _.f of what is no name. An index in
// brackets calls nothing that has a name.
func swiftCalled(t *tree, n int) string {
	f, behind := n+1, t.firstChild(n, "call_suffix", "constructor_suffix")
	if t.parent(f) != n || behind < 0 || bytes.HasPrefix(t.extentOf(behind), []byte("[")) {
		return ""
	}
	if t.is(f, "user_type") {
		name, _, _ := strings.Cut(t.textOf(f), "<")
		if !isPath([]byte(name)) {
			return ""
		}
		return name
	}
	if written := t.extentOf(f); !bytes.HasPrefix(written, []byte(".")) && isPath(written) {
		return strings.NewReplacer("?", "", "!", "").Replace(string(written))
	}
	last := t.child(f, "target") // .f
	if suffix := t.child(f, "suffix"); t.is(f, "navigation_expression") && suffix >= 0 {
		last = t.child(suffix, "suffix")
	}
	if !t.is(f, "navigation_expression", "prefix_expression") || !t.is(last, "simple_identifier") {
		return ""
	}
	return "_." + t.textOf(last)
}

// swiftExpanded is the name of a macro.
func swiftExpanded(t *tree, n int) string { return t.textOf(t.firstChild(n, "simple_identifier")) }

func swiftImported(t *tree, n int) []found { return []found{{node: t.firstChild(n, "identifier")}} }

// swiftBinding is an import: all names of a module, or the one behind "import struct".
func swiftBinding(t *tree, n int) []store.Binding {
	q := t.firstChild(n, "identifier")
	target, head := t.textOf(q), strings.Fields(textBefore(t, n, q))
	i := strings.LastIndexByte(target, '.')
	if len(head) == 0 || head[len(head)-1] == "import" || i < 0 {
		return []store.Binding{{Name: store.AllNames, Import: target, Of: store.AllNames}}
	}
	return []store.Binding{{Name: target[i+1:], Import: target}}
}
