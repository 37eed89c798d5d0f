package lazyregexp_test

import (
	"testing"

	"patina/internal/lazyregexp"
)

func TestNewCompilesOnFirstUse(t *testing.T) {
	digits := lazyregexp.New(`\d+`)
	first := digits()
	if second := digits(); second != first || first.FindString("a12") != "12" {
		t.Error("the expression is compiled anew, or wrong")
	}
	invalid := lazyregexp.New(`(`) // must not fail yet
	defer func() {
		if recover() == nil {
			t.Error("an invalid expression is used without a panic")
		}
	}()
	invalid()
}
