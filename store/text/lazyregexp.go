package text

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles an expression at its first call. A question needs few of
// them, and compiling all took 3 ms at each start. The call panics if the expression is wrong: a
// test must reach it.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
