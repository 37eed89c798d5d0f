package scrape

import (
	"strings"

	"patina/store"
)

// marks are the two attributes that a repository may set on its files.
type marks struct{ generated, vendored mark }

// A mark is an attribute's state; an explicit no overrides our own guess.
type mark int8

const (
	unsaid mark = iota
	yes
	no
)

func markOf(value string) mark {
	switch strings.ToLower(value) {
	case "set", "true", "1", "yes":
		return yes
	case "unset", "false", "0", "no":
		return no
	}
	return unsaid
}

// apply lets .gitattributes have the last word.
func (m marks) apply(c store.Class) store.Class {
	c = withMark(c, store.Generated, m.generated)
	return withMark(c, store.Vendored, m.vendored)
}

func withMark(c, bit store.Class, m mark) store.Class {
	switch m {
	case yes:
		return c | bit
	case no:
		return c &^ bit
	}
	return c
}
