package lang

import (
	"bytes"
	"maps"

	"patina/store/text"
)

func addTypescript(register func(*Language)) {
	rules := maps.Clone(scriptRules)
	maps.Copy(rules, map[string]Rule{
		"public_field_definition":                                 {Is: Function, Names: fieldFunction},
		"function_signature":                                      {Is: Function},
		"method_signature abstract_method_signature":              {Is: Function, Names: propertyName},
		"abstract_class_declaration interface_declaration":        {Is: Type},
		"type_alias_declaration enum_declaration internal_module": {Is: Type, Body: "body"},
		"ambient_declaration":                                     {Is: Wrapper},
		"property_signature": {
			Is: Function, Names: functionProperty, Otherwise: Member,
		},
		"enum_assignment":     {Is: Member},
		"property_identifier": {Is: Member, Names: nodeItself, When: inEnum},
	})
	typed := map[string]Typing{
		"required_parameter optional_parameter":      {Name: "pattern", Member: isPromoted},
		"variable_declarator":                        {},
		"assignment_expression":                      {All: isAssigned},
		"public_field_definition property_signature": {},
	}
	register(&Language{
		Name: "TypeScript", Code: true, Files: ".ts .mts .cts", Interpreters: "bun deno ts-node tsx",
		Comments: slashComments, ReExports: "index.ts mod.ts", Declarations: ".d.ts .d.mts .d.cts",
		TestLines: scriptTestLines,
		Family:    "JavaScript", Ecosystem: "npm",
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true, Rules: rules, Typed: typed, Importers: scriptImporters,
			Prepare: separateMembers, TypesByValue: true,
		},
	})

	withElements := maps.Clone(rules)
	withElements[jsxElements] = Rule{Is: Call, Calls: jsxCalled}
	register(&Language{
		Name: "TSX", Code: true, Files: ".tsx", Comments: slashComments,
		ReExports: "index.tsx",
		TestLines: scriptTestLines,
		Family:    "JavaScript", Ecosystem: "npm",
		Grammar: &Grammar{
			Recovers: true, KeepsFields: true, Rules: withElements, Typed: typed,
			Importers: scriptImporters, TypesByValue: true,
		},
	})
}

// longestParameters is the most bytes of the type parameters of a call signature.
const longestParameters = 400

// separateMembers puts semicolons between the members of an interface if the second one is a call
// signature with type parameters:
//
//	interface Action {
//	  (name: string): Decorator
//	  <T extends Function>(run: T): T
//	}
//
// The grammar ignores the line end, because "Decorator<T…>" is a type, and misreads the rest of
// the file. The semicolon replaces a blank before the signature. TSX is not changed, because a
// line may begin with an element there.
func separateMembers(source []byte) []byte {
	out := source
	for line := bytes.IndexByte(source, '\n') + 1; line > 0; {
		at := line
		for at < len(source) && (source[at] == ' ' || source[at] == '\t') {
			at++
		}
		if at > line && at < len(source) && source[at] == '<' && isCallSignature(source[at:]) &&
			endsType(source[:line-1]) {
			if &out[0] == &source[0] {
				out = bytes.Clone(source)
			}
			out[at-1] = ';'
		}
		next := bytes.IndexByte(source[line:], '\n') + 1
		if next == 0 {
			break
		}
		line += next
	}
	return out
}

// isCallSignature reports whether a text begins with type parameters and a parenthesis.
func isCallSignature(source []byte) bool {
	if len(source) < 2 || !isWordByte(source[1]) {
		return false
	}
	depth := 0
	for i, c := range source[:min(len(source), longestParameters)] {
		switch c {
		case '<':
			depth++
		case '>':
			if source[i-1] == '=' { // of "=>"
				continue
			}
			if depth--; depth == 0 {
				return bytes.HasPrefix(bytes.TrimLeft(source[i+1:], " \t"), []byte("("))
			}
		case '&', '|':
			if source[i-1] == c { // an expression
				return false
			}
		case ';', '`':
			return false
		}
	}
	return false
}

// notTypes are words that are followed by an expression.
var notTypes = text.Set(`return typeof case in of new await yield extends implements else do delete void throw
	keyof default`)

// endsType reports whether a text may end with a type, ignoring comments between lines.
func endsType(source []byte) bool {
	for {
		source = bytes.TrimRight(source, " \t\r\n")
		if bytes.HasSuffix(source, []byte("*/")) {
			source = source[:max(0, bytes.LastIndex(source, []byte("/*")))]
			continue
		}
		start := bytes.LastIndexByte(source, '\n') + 1
		comment := bytes.Index(source[start:], []byte("//"))
		if comment < 0 {
			break
		}
		source = source[:start+comment]
	}
	if len(source) == 0 {
		return false
	}
	switch c := source[len(source)-1]; {
	case c == '>':
		return !bytes.HasSuffix(source, []byte("=>"))
	case c == ')', c == ']', c == '}', c == '\'', c == '"', c == '`':
		return true
	case isWordByte(c):
		from := len(source)
		for from > 0 && isWordByte(source[from-1]) {
			from--
		}
		return !notTypes.Has(string(source[from:]))
	}
	return false
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
