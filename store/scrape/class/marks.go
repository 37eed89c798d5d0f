package class

import (
	"strings"

	"patina/store"
)

// marks are the two attributes that a repository may set on its files.
type Marks struct{ Generated, Vendored Mark }

// A mark is an attribute's state; an explicit no overrides our own guess.
type Mark int8

const (
	unsaid Mark = iota
	Yes
	No
)

func MarkOf(value string) Mark {
	switch strings.ToLower(value) {
	case "set", "true", "1", "yes":
		return Yes
	case "unset", "false", "0", "no":
		return No
	}
	return unsaid
}

// apply lets .gitattributes have the last word.
func (m Marks) Apply(c store.Class) store.Class {
	c = withMark(c, store.Generated, m.Generated)
	return withMark(c, store.Vendored, m.Vendored)
}

func withMark(c, bit store.Class, m Mark) store.Class {
	switch m {
	case Yes:
		return c | bit
	case No:
		return c &^ bit
	}
	return c
}
