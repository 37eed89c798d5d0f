package prose

import (
	"slices"
	"strings"
	"testing"
)

// A set of words must find the same as a search for each of them in lower case.
func FuzzWordSet(f *testing.F) {
	for _, s := range []string{
		"", "#", "so", "so tha", "BeCause", "x#", "é due to", "compa compat", "HTTPS", "wOr\u212Aaround", "sSiNce",
		"work arounD", "12\x03\x15g",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := slices.ContainsFunc(explaining.words,
			func(word string) bool { return strings.Contains(strings.ToLower(s), word) })
		if got := mayExplain(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	})
}
