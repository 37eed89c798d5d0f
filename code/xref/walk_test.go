package xref

import (
	"slices"
	"testing"
)

// A walk enters a module once for the same names, and never for more names than any path has: a
// module that re-exports itself below a name gives one more with each step.
func TestWalkIsBounded(t *testing.T) {
	w := newWalk()
	if !w.enters(1, []string{"a"}) || w.enters(1, []string{"a"}) || !w.enters(2, []string{"a"}) {
		t.Error("a module is not entered once")
	}
	names := slices.Repeat([]string{"a"}, maxExportedNames)
	if !w.enters(1, names) || w.enters(1, append(names, "a")) {
		t.Error("the names are not bounded")
	}
}
