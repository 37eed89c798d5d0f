// Package lazyregexp compiles regular expressions when they are first used.
//
// A command that needs none of them must not pay for them when it starts.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles an expression when it is first called, and returns the same
// one from then on. The function panics if the expression is invalid, as regexp.MustCompile does.
// Many goroutines may call it at once.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
