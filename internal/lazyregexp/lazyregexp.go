// Package lazyregexp compiles regular expressions when they are first used.
//
// It exists because a command that does not use them should not pay for them when it starts.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles an expression at its first call, and returns the same
// *regexp.Regexp from then on, which is never nil. The function panics if the expression is
// invalid, like regexp.MustCompile. It may be called concurrently.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
