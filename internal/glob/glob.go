// Package glob compares paths with doublestar globs, in bounded time.
package glob

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Bounds of a glob's cost. They are needed because each path is compared with each alternative, and
// each pair of braces multiplies the alternatives.
const (
	// MaxLength is the maximum length of a glob in bytes.
	MaxLength = 1000
	// MaxAlternatives is the maximum number of alternatives of a glob.
	MaxAlternatives = 100
)

// Bounded reports whether a glob is within MaxLength and MaxAlternatives, so that comparing it is
// fast. It need not be valid.
func Bounded(pattern string) bool {
	if len(pattern) > MaxLength {
		return false
	}
	all, open := 1, []int{} // alternatives in each pair of braces open here
	for i := 0; i < len(pattern) && all <= MaxAlternatives; i++ {
		switch last := len(open) - 1; pattern[i] {
		case '\\':
			i++
		case '{':
			open = append(open, 1)
		case ',':
			if last >= 0 {
				open[last]++
			}
		case '}':
			if last >= 0 {
				all *= open[last]
				open = open[:last]
			}
		}
	}
	for _, n := range open {
		all *= min(n, MaxAlternatives+1)
	}
	return all <= MaxAlternatives
}

// Match reports whether a path matches a glob. It returns false for a glob that is not Bounded or
// not Valid.
func Match(pattern, path string) bool {
	if !Bounded(pattern) {
		return false
	}
	ok, err := doublestar.Match(strings.TrimPrefix(pattern, "./"), path)
	return err == nil && ok
}

// Valid reports whether a glob is well formed. It may still not be Bounded.
func Valid(pattern string) bool { return doublestar.ValidatePattern(pattern) }
