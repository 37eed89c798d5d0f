package text

import (
	"regexp"
	"sync"
)

// Lazy returns what compiles an expression when it is first asked for. A question needs hardly any of them, and compiling all
// took 3 ms of each process. It panics then if the expression is none: a test must reach it.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
