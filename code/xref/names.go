package xref

import (
	"strings"

	"patina/internal/lazyregexp"
)

// A Name is one symbol in a question: "http.HandlerFunc", "Engine::query", "f()".
type Name struct {
	Scope string // the part before the last separator; empty for a bare name
	Last  string
}

var (
	symbolForm = lazyregexp.New(`^[&*]*([\pL_$][\pL\pN_$]*` +
		`(?:(?:\.|::|#|->)[\pL_$][\pL\pN_$]*)*)(?:\(.*\))?$`)
	separator = lazyregexp.New(`\.|::|#|->`)
)

// MaxName is the length in bytes of the longest text that is tried as a name, a path or an id.
const MaxName = 4096

// ParseName parses a text that is one symbol. It returns false for other texts.
func ParseName(s string) (Name, bool) {
	if len(s) > MaxName {
		return Name{}, false
	}
	s = strings.TrimSpace(s)
	if written, _, _ := strings.Cut(s, "("); strings.ContainsAny(written, " \t\n") {
		return Name{}, false // most questions end here, without a regular expression
	}
	m := symbolForm().FindStringSubmatch(s)
	if m == nil {
		return Name{}, false
	}
	parts := separator().Split(m[1], -1)
	n := Name{Last: parts[len(parts)-1]}
	if len(parts) > 1 {
		n.Scope = parts[len(parts)-2]
	}
	return n, true
}

// Unqualified returns the last part of a name in the syntax of any language: "F" for "x.F", "x::F",
// "x->F", `X\F` and "x?.F".
func Unqualified(s string) string {
	return s[strings.LastIndexAny(s, `.:>\/`)+1:]
}

// Qualifier returns the part before Unqualified without the separator: "a.b" for "a.b.F", and ""
// for a bare name.
func Qualifier(s string) string {
	last := Unqualified(s)
	return strings.TrimRight(s[:len(s)-len(last)], `.:->\?!`)
}

// Dotted returns a name in the form of the index: "A.f" for "A::f", "A->f", "A#f" and "A.f()".
func Dotted(name string) string {
	return strings.TrimSuffix(dots.Replace(name), "()")
}

var dots = strings.NewReplacer("::", ".", "->", ".", "#", ".")
