package lang

import (
	"bytes"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/doc"
	"patina/store/text"
)

func addSwift(register func(*Language)) {
	register(&Language{
		Name: "Swift", Code: true, Files: ".swift", Interpreters: "swift", Comments: slashComments,
		TestLines: []string{"func test", "@Test"},
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true,
			Prepare: withoutBranches,
			Rules: map[string]Rule{
				"function_declaration protocol_function_declaration": {Is: Function, Names: swiftFunction},
				"init_declaration":   {Is: Function, Names: swiftKeyword("init")},
				"deinit_declaration": {Is: Function, Names: swiftKeyword("deinit")},
				"subscript_declaration": {
					Is: Function, Names: swiftKeyword("subscript"), Body: "computed_property",
				},
				"macro_declaration":                      {Is: Function, Names: firstSimple, Body: "definition"},
				"class_declaration":                      {Is: Type, By: swiftExtension},
				"protocol_declaration":                   {Is: Type},
				"typealias_declaration":                  {Is: Type, Flat: true},
				"associatedtype_declaration":             {Is: Member},
				"property_declaration":                   {Is: Variable, By: swiftProperty, Names: swiftValues},
				"protocol_property_declaration":          {Is: Member, Names: swiftValues},
				"enum_entry":                             {Is: Member, Names: specNames},
				"lambda_literal":                         {Is: Closure},
				"attribute":                              {Is: Attribute, Closed: true},
				"comment multiline_comment":              {Is: Comment},
				"call_expression constructor_expression": {Is: Call, Calls: swiftCalled},
				"macro_invocation":                       {Is: Call, Calls: swiftExpanded},
				"import_declaration":                     {Is: Import, Names: swiftImported, Binds: swiftBinding},
			},
			Typed: map[string]Typing{
				"parameter": {Parts: swiftParameter},
				"property_declaration protocol_property_declaration": {Parts: swiftTyped},
			},
			Predeclared: text.Set(`print debugPrint fatalError precondition preconditionFailure assert
				assertionFailure type min max abs zip String Int Double Float Bool Array Set Dictionary
				Character`),
			TypesByValue: true, CallsMakeTypes: true,
		},
		Scope: Scope{
			Modules: SourceFolders, ImplicitThis: true, SharesFolder: true,
			DeclaredTypes: true, LooseTypes: true, StrictTypes: true, ClosedNames: true, LocatesTypes: true,
			Results: ResultAfterArrow, PropertiesAreTypes: true, Constructors: []string{"init"},
			HiddenConstructors: true,
			BuiltinMethods: text.Set(`advanced allSatisfy append appending async cancel
				compactMap contains count data decode description distance drop dropFirst dropLast elements encode
				enumerated filter finish first firstIndex flatMap flatten forEach formIndex formUnion get hasPrefix
				hasSuffix hash index init insert intersection isSubset join joined last load lock lowercased
				makeIterator map mapError max merge merging min next perform popLast prefix range read reduce remove
				removeAll removeFirst removeLast removeValue replace replacingOccurrences resume reversed
				send set shuffled signal sleep sort sorted split starts store string subtracting suffix
				swapAt sync trimmingCharacters union unlock update uppercased wait withLock write`),
		},
	})
}

// The grammar does not know every condition, #if between the calls of a chain, #error, the type of
// an error that is thrown, a place in the source as the value of a parameter, and "try? await"
// before a block, because it takes the block for an argument.
var branch = lazyregexp.New(`(?m)^[ \t]*#(?:if|elseif|else|endif|error|warning)\b[^\r\n]*|\bthrows(\([\w. ]+\))` +
	`|\bnonisolated(\(unsafe\))|= (#_\w+)|\b(try[?!]?)[ \t]+await\b`)

// withoutBranches blanks the lines of #if, #else and #endif, and the other constructs that the
// grammar does not know. All branches are read, because Swift allows only whole statements between
// these lines.
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

// mayBranch reports quickly whether branch may match a line. It is called first, because few lines
// match.
func mayBranch(line []byte) bool {
	return bytes.IndexByte(line, '#') >= 0 || bytes.Contains(line, []byte("try")) &&
		bytes.Contains(line, []byte("await")) || bytes.Contains(line, []byte("throws(")) ||
		bytes.Contains(line, []byte("nonisolated("))
}

// blankBranch blanks one match of branch in a line.
func blankBranch(line []byte, at []int) {
	switch {
	case at[2] >= 0:
		Blank(line[at[2]:at[3]])
	case at[4] >= 0:
		Blank(line[at[4]:at[5]])
	case at[6] >= 0:
		line[at[6]] = '_'
	case at[8] >= 0:
		Blank(line[at[8]:at[9]])
	default:
		Blank(line[at[0]:at[1]])
	}
}

// swiftFunction names a function. An operator of the language has no node of its own.
func swiftFunction(t *Tree, n int) []Found {
	if name := t.Child(n, "name"); t.Is(name, "simple_identifier", "custom_operator") {
		return []Found{{Node: name}}
	}
	for c := range t.Children(n) {
		if t.Is(c, "modifiers", "attribute", "comment", "multiline_comment") {
			continue
		}
		_, name, _ := strings.Cut(textBefore(t, n, c), "func ")
		return []Found{{Node: c, Name: strings.Trim(name, " (")}}
	}
	return nil
}

// swiftKeyword names a definition by its keyword, which has no node: it follows the last modifier,
// or is in front of the first part.
func swiftKeyword(name string) func(t *Tree, n int) []Found {
	return func(t *Tree, n int) []Found {
		at := -1
		for c := range t.Children(t.FirstChild(n, "modifiers")) {
			at = c
		}
		if at >= 0 && t.Is(at, "attribute") {
			for at = range t.Children(n) {
				if !t.Is(at, "modifiers", "comment", "multiline_comment") {
					break
				}
			}
		}
		return []Found{{Node: max(n, at), Name: name}}
	}
}

// swiftExtended is the rule of extensions. Their members belong to the extended type.
var swiftExtended = &Rule{Is: Namespace, Names: func(t *Tree, n int) []Found {
	name := t.Child(n, "name")
	last := -1
	for c := range t.Children(name) {
		if t.Is(c, "type_identifier") {
			last = c
		}
	}
	return []Found{{Node: max(name, last)}}
}}

func swiftExtension(t *Tree, n int) *Rule {
	if words := strings.Fields(textBefore(t, n, t.Child(n, "name"))); len(words) > 0 &&
		words[len(words)-1] == "extension" {
		return swiftExtended
	}
	return nil
}

// Properties by their place: in types those with code of their own are symbols, and the others are
// fields. Variables of functions are left out.
var (
	swiftField    = &Rule{Is: Member, Names: swiftValues}
	swiftConstant = &Rule{Is: Constant, Names: swiftValues}
	swiftLocal    = &Rule{}
)

func swiftProperty(t *Tree, n int) *Rule {
	head := textBefore(t, n, t.Child(n, "name"))
	let := strings.HasSuffix(strings.TrimRight(head, " \t\n"), "let")
	switch p := t.Parent(n); {
	case t.Is(p, "source_file"):
		if let {
			return swiftConstant
		}
		return nil
	case !t.Is(p, "class_body", "enum_class_body"):
		return swiftLocal
	case let && (strings.Contains(head, "static ") || strings.Contains(head, "class ")):
		return swiftConstant
	case t.Child(n, "computed_value") >= 0 && bytes.IndexByte(t.Bytes(n), '\n') >= 0:
		return nil
	}
	return swiftField
}

// swiftValues returns the names that a pattern binds.
func swiftValues(t *Tree, n int) (list []Found) {
	p := t.Child(n, "name")
	if p < 0 {
		return nil
	}
	for c := p; c < t.Next(p); c++ {
		if t.Is(c, "simple_identifier") {
			list = append(list, Found{Node: c})
		}
	}
	return list
}

func firstSimple(t *Tree, n int) []Found {
	return []Found{{Node: t.FirstChild(n, "simple_identifier")}}
}

// swiftParameter returns the name of a parameter inside its function, and its type.
func swiftParameter(t *Tree, n int) (name, of, holder int) {
	name, of = -1, -1
	for c := range t.Children(n) {
		switch {
		case t.Field(c) != "name":
		case name < 0:
			name = c
		case of < 0:
			of = c
		}
	}
	return name, of, n
}

// swiftTyped returns the name of a property with its type.
func swiftTyped(t *Tree, n int) (name, of, holder int) {
	names := swiftValues(t, n)
	if len(names) != 1 {
		return -1, -1, n
	}
	if of = t.FirstChild(n, "type_annotation"); of >= 0 {
		return names[0].Node, of, n
	}
	return names[0].Node, of, n
}

// swiftCalled returns the called name: f, a.f, A of A<T>(…), and _.f after an expression that
// is no name. An index in brackets calls nothing that has a name.
func swiftCalled(t *Tree, n int) string {
	f, behind := n+1, t.FirstChild(n, "call_suffix", "constructor_suffix")
	if t.Parent(f) != n || behind < 0 || bytes.HasPrefix(t.Bytes(behind), []byte("[")) {
		return ""
	}
	if t.Is(f, "user_type") {
		name, _, _ := strings.Cut(t.Text(f), "<")
		if !IsPath([]byte(name)) {
			return ""
		}
		return name
	}
	if written := t.Bytes(f); !bytes.HasPrefix(written, []byte(".")) && IsPath(written) {
		return strings.NewReplacer("?", "", "!", "").Replace(string(written))
	}
	last := t.Child(f, "target") // .f
	if suffix := t.Child(f, "suffix"); t.Is(f, "navigation_expression") && suffix >= 0 {
		last = t.Child(suffix, "suffix")
	}
	if !t.Is(f, "navigation_expression", "prefix_expression") || !t.Is(last, "simple_identifier") {
		return ""
	}
	return "_." + t.Text(last)
}

// swiftExpanded returns the name of a macro.
func swiftExpanded(t *Tree, n int) string { return t.Text(t.FirstChild(n, "simple_identifier")) }

func swiftImported(t *Tree, n int) []Found { return []Found{{Node: t.FirstChild(n, "identifier")}} }

// swiftBinding binds an import: all names of a module, or the one after "import struct".
func swiftBinding(t *Tree, n int) []doc.Binding {
	q := t.FirstChild(n, "identifier")
	target, head := t.Text(q), strings.Fields(textBefore(t, n, q))
	i := strings.LastIndexByte(target, '.')
	if len(head) == 0 || head[len(head)-1] == "import" || i < 0 {
		return []doc.Binding{{Name: doc.AllNames, Import: target, Of: doc.AllNames}}
	}
	return []doc.Binding{{Name: target[i+1:], Import: target}}
}
