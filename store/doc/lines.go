package doc

import (
	"strings"
	"time"
)

// Lines returns the lines of s from first to last, both included, without a line break at the end.
// Lines are numbered from 1. The result is shorter if s has fewer lines.
func Lines(s string, first, last int) string {
	for i := 1; i < first; i++ {
		_, rest, ok := strings.Cut(s, "\n")
		if !ok {
			return ""
		}
		s = rest
	}
	end := 0
	for i := first; i <= last; i++ {
		n := strings.IndexByte(s[end:], '\n')
		if n < 0 {
			return s
		}
		end += n + 1
	}
	return strings.TrimSuffix(s[:end], "\n")
}

// Unix returns a stored time, in seconds, as UTC.
func Unix(t int64) time.Time { return time.Unix(t, 0).UTC() }
