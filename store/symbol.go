package store

import (
	"strings"
)

// BareName returns an entry's name without the mark that makes it unique in its file.
func BareName(s string) string {
	s, _, _ = strings.Cut(s, "#")
	return s
}

// LastName returns the part of a name used in questions: "Query" for "Engine.Query".
func LastName(s string) string {
	s = BareName(s)
	return s[strings.LastIndexByte(s, '.')+1:]
}
