package lang

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NameBytes is the length of the longest name. Longer ones are left out because nobody looks for
// them.
const NameBytes = 200

// IsPath reports whether a text is a name, or names joined by dots, colons, arrows or backslashes.
func IsPath(text []byte) bool {
	if len(text) == 0 || len(text) > NameBytes {
		return false
	}
	for i, c := range text {
		word := c == '_' || c == '$' || c == '@' || c >= utf8.RuneSelf || unicode.IsLetter(rune(c))
		switch {
		case word:
		case c >= '0' && c <= '9':
			if i == 0 {
				return false
			}
		case c == '.' || c == ':' || c == '-' || c == '>' || c == '?' || c == '!' || c == '\\' || c == '~':
			if i == 0 && c != ':' && c != '\\' && c != '.' && c != '~' {
				return false
			}
		default:
			return false
		}
	}
	last := text[len(text)-1]
	return last != '.' && last != ':' && last != '-' && last != '>' && last != '\\'
}

// TypeName returns the name of a type as written, without its parameters, pointers and marks of an
// optional value. It returns "" if the type has no name, as a union of two types.
func TypeName(written string) string {
	s := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(written), ":"))
	s = strings.Trim(s, `"'`)
	for _, may := range []string{"Optional[", "typing.Optional["} { // of Python
		if rest, ok := strings.CutPrefix(s, may); ok {
			s = strings.Trim(strings.TrimSuffix(rest, "]"), `"'`)
		}
	}
	for _, nothing := range []string{"null", "undefined", "None"} {
		s = strings.TrimSpace(strings.TrimSuffix(s, "| "+nothing))
		s = strings.TrimSpace(strings.TrimPrefix(s, nothing+" |"))
	}
	for _, mark := range []string{"const ", "final ", "readonly ", "mut ", "dyn ", "struct "} {
		s = strings.TrimPrefix(strings.TrimLeft(s, "&*"), mark)
	}
	if strings.HasSuffix(s, "[]") || strings.ContainsAny(s, "|{(=") {
		return ""
	}
	if i := strings.IndexAny(s, "<["); i >= 0 {
		s = s[:i]
	}
	s = strings.Trim(s, " \t*&?!")
	if !IsPath([]byte(s)) {
		return ""
	}
	return s
}

// IsTypeName reports whether a name is written like types are, in languages whose types begin with
// a capital: Reader, io.Reader, not LIMIT.
func IsTypeName(s string) bool {
	s = s[strings.LastIndexAny(s, ".:")+1:]
	return s != "" && s[0] >= 'A' && s[0] <= 'Z' && (len(s) == 1 || !IsUpper(s))
}

// IsUpper reports whether a name is written in capitals: LIMIT.
func IsUpper(name string) bool {
	return name == strings.ToUpper(name) && name != strings.ToLower(name)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func unquote(s string) string { return strings.Trim(s, "\"'`") }

// Blank writes spaces over a part of a text.
func Blank(part []byte) {
	for i := range part {
		part[i] = ' '
	}
}

// blankLines writes spaces over a part of a text, and keeps its line ends.
func blankLines(part []byte) {
	for i, c := range part {
		if c != '\n' && c != '\r' {
			part[i] = ' '
		}
	}
}

// ownCopy returns a copy of the text that may be changed. It returns clean if that is a copy
// already.
func ownCopy(text, clean []byte) []byte {
	if len(clean) > 0 && &clean[0] == &text[0] {
		return bytes.Clone(text)
	}
	return clean
}
