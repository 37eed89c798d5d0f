package store

import (
	"strings"
)

// BareName is an entry's name without the mark that makes it unique in its file.
func BareName(s string) string {
	s, _, _ = strings.Cut(s, "#")
	return s
}

// LastName is the part of an entry's name that a question uses: "Query" of "Engine.Query".
func LastName(s string) string {
	s = BareName(s)
	return s[strings.LastIndexByte(s, '.')+1:]
}
