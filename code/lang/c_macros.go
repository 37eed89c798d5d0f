package lang

import (
	"bytes"
	"strings"

	"patina/internal/lazyregexp"
)

// maxMacro is the most bytes of the arguments of a macro that defines a function.
const maxMacro = 1 << 10

// definingMacro is the start of a line that may define a function by a macro: at the margin, or
// anywhere for a test.
var definingMacro = lazyregexp.New(`(?m)^(?:[A-Z][A-Z0-9_]{2,}|[ \t]+(?:[A-Z0-9]+_)*(?:TEST` +
	`|SCENARIO)(?:_[A-Z0-9]+)*)[ \t]*\(`)

// withDefinitions writes a definition by a macro in a form that the grammar of C knows, with the
// same length: TEST("a b", c) { as "T ST( ) {". macroFunction reads its name from the text itself.
// C++ knows a function without a type, if its arguments are names.
func withDefinitions(text, clean []byte, cpp bool) []byte {
	for _, at := range definingMacro().FindAllIndex(text, -1) {
		start := at[0] + len(text[at[0]:at[1]]) - len(bytes.TrimLeft(text[at[0]:at[1]], " \t"))
		end := macroEnd(text, at[1])
		if end < 0 {
			continue
		}
		plain := isPlain(text[at[1]:end])
		if cpp && plain {
			continue
		}
		clean = ownCopy(text, clean)
		clean[start+1] = ' '
		if !plain {
			blankLines(clean[at[1]:end])
		}
	}
	return clean
}

// isPlain reports whether arguments are only names.
func isPlain(args []byte) bool {
	for _, c := range args {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == ',',
			c == ' ', c == '\t', c == '\r', c == '\n':
		default:
			return false
		}
	}
	return true
}

// macroEnd returns the place of the bracket that ends the arguments of a macro, if a block follows,
// else -1. at must be after the opening bracket.
func macroEnd(text []byte, at int) int {
	depth := 1
	for i := at; i < min(len(text), at+maxMacro); i++ {
		switch c := text[i]; c {
		case '"':
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				if rest := bytes.TrimLeft(text[i+1:], " \t\r\n"); len(rest) > 0 && rest[0] == '{' {
					return i
				}
				return -1
			}
		case '{', '}', ';':
			return -1
		}
	}
	return -1
}

// macroFunction returns the name of a function that a macro defines: f of NAME(f)(int a) and of
// SYSCALL_DEFINE1(f, int, a), and A.f of TEST(A, f). ok is false for any other function.
func macroFunction(t *Tree, n int) (f Found, ok bool) {
	written := t.Bytes(n)
	open := bytes.IndexByte(written[:min(len(written), NameBytes)], '(')
	if open < 0 {
		return f, false
	}
	macro := string(bytes.TrimRight(written[:open], " \t"))
	if isMacroName(macro) { // instead of a type and a name
		if p := t.Parent(n); t.Is(p, "field_declaration_list") &&
			t.Text(t.bareType(t.Child(t.Parent(p), "name"))) == macro {
			return f, false // a constructor
		}
		end := macroEnd(written, open+1)
		if end < 0 {
			end = open + 1 + bytes.IndexByte(written[open+1:], ')')
			if end <= open || !bytes.HasPrefix(bytes.TrimLeft(written[end+1:], " \t"), []byte("(")) {
				return f, false // not NAME(A, f)(int a)
			}
		}
		return macroNames(n, macro, string(written[open+1:end]))
	}
	// static int NAME(f)(int a)
	d := t.Child(n, "declarator")
	for t.Is(d, "pointer_declarator", "reference_declarator") {
		d = max(t.Child(d, "declarator"), t.FirstChild(d, "function_declarator"))
	}
	inner := t.Child(d, "declarator")
	if !t.Is(d, "function_declarator") || !t.Is(inner, "function_declarator") {
		return f, false
	}
	macro = t.Text(t.Child(inner, "declarator"))
	if !isMacroName(macro) {
		return f, false
	}
	return macroNames(n, macro, strings.Trim(t.Text(t.Child(inner, "parameters")), "()"))
}

// macroNames reads the name of a function from the arguments of the macro that defines it.
func macroNames(n int, macro, written string) (f Found, ok bool) {
	args := strings.Split(written, ",")
	name := strings.TrimSpace(args[0])
	if strings.HasPrefix(name, `"`) { // a test with a sentence for a name
		name, _, _ = strings.Cut(name[1:], `"`)
		return Found{Node: n, Name: strings.TrimSpace(name)}, strings.TrimSpace(name) != ""
	}
	if !IsPath([]byte(name)) {
		return f, false
	}
	f = Found{Node: n, Name: name}
	if grouped := strings.Contains(macro, "TEST") || strings.Contains(macro, "BENCHMARK"); len(args) > 1 && grouped {
		if second := strings.TrimSpace(args[1]); IsPath([]byte(second)) {
			f.Scope, f.Name = name, second
		}
	}
	return f, true
}

// isMacroName reports whether a name is written like those of macros: LIB_NAME.
func isMacroName(s string) bool {
	if len(s) < 3 || s[0] < 'A' || s[0] > 'Z' {
		return false
	}
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// Macros of Qt, and of others that mark declarations in the same way: a line of their own with
// arguments, and loops.
var (
	classMacro = lazyregexp.New(`(?m)^[ \t]*((?:Q_[A-Z_]+|QML_[A-Z_]+|U(?:CLASS|STRUCT|ENUM|PROPERTY|FUNCTION` +
		`|INTERFACE)|GENERATED_(?:[A-Z]+_)?BODY)(?:[ \t]*\((?:[^()\n]|\([^()\n]*\))*\))?)[ \t]*;?[ \t]*(?://.*)?\r?$`)
	slots       = lazyregexp.New(`(?m)^[ \t]*(?:public|private|protected)([ \t]+(?:slots|Q_SLOTS))[ \t]*:`)
	signals     = lazyregexp.New(`(?m)^[ \t]*(signals|Q_SIGNALS)[ \t]*:`)
	eachLoop    = lazyregexp.New(`\b(foreach|[A-Z]+_FOREACH)[ \t]*\(`)
	foreverLoop = lazyregexp.New(`\b(forever|Q_FOREVER)[ \t]*\{`)
)

// checks are macros of Qt whose arguments are code.
var checks = []string{"Q_ASSERT", "Q_CHECK", "Q_FOREACH", "Q_EMIT", "Q_UNUSED", "Q_LIKELY", "Q_UNLIKELY"}

// withoutClassMacros blanks the macros that mark a class or its members, and writes sections and
// loops by macros like those of the language.
func withoutClassMacros(text, clean []byte) []byte {
	if bytes.Contains(text, []byte("Q_")) || bytes.Contains(text, []byte("GENERATED_")) ||
		bytes.Contains(text, []byte("QML_")) {
		for _, at := range classMacro().FindAllSubmatchIndex(text, -1) {
			if isCheck(text[at[2]:at[3]]) {
				continue
			}
			clean = ownCopy(text, clean)
			Blank(clean[at[2]:at[3]])
		}
	}
	if bytes.Contains(text, []byte("slots")) || bytes.Contains(text, []byte("Q_SLOTS")) {
		for _, at := range slots().FindAllSubmatchIndex(text, -1) {
			clean = ownCopy(text, clean)
			Blank(clean[at[2]:at[3]])
		}
	}
	if bytes.Contains(text, []byte("signals")) || bytes.Contains(text, []byte("Q_SIGNALS")) {
		for _, at := range signals().FindAllSubmatchIndex(text, -1) {
			clean = ownCopy(text, clean)
			Blank(clean[at[2]:at[3]])
			copy(clean[at[2]:], "public")
		}
	}
	if bytes.Contains(text, []byte("foreach")) || bytes.Contains(text, []byte("_FOREACH")) {
		for _, at := range eachLoop().FindAllSubmatchIndex(text, -1) {
			if comma := loopComma(text, at[1]); comma > 0 {
				clean = ownCopy(text, clean)
				Blank(clean[at[2]:at[3]])
				copy(clean[at[2]:], "for")
				clean[comma] = ':'
			}
		}
	}
	if bytes.Contains(text, []byte("forever")) || bytes.Contains(text, []byte("Q_FOREVER")) {
		for _, at := range foreverLoop().FindAllSubmatchIndex(text, -1) {
			clean = ownCopy(text, clean)
			Blank(clean[at[2]:at[3]])
			copy(clean[at[2]:], "for(;;)")
		}
	}
	return clean
}

func isCheck(macro []byte) bool {
	for _, c := range checks {
		if bytes.HasPrefix(macro, []byte(c)) {
			return true
		}
	}
	return false
}

// loopComma returns the place of the comma between the variable of a loop and its range, if the
// variable has a type, else -1. at must be after the opening bracket.
func loopComma(text []byte, at int) int {
	depth, comma, angles := 1, -1, 0
	for i := at; i < min(len(text), at+maxMacro); i++ {
		switch text[i] {
		case '(', '{', '[':
			depth++
		case '<':
			angles++
		case '>':
			angles = max(0, angles-1)
		case ')', '}', ']':
			if depth--; depth == 0 {
				if comma < 0 || !bytes.ContainsAny(bytes.TrimSpace(text[at:comma]), " \t&*>") {
					return -1
				}
				return comma
			}
		case ',':
			if depth == 1 && angles == 0 && comma < 0 {
				comma = i
			}
		case ';', '\n':
			return -1
		}
	}
	return -1
}
