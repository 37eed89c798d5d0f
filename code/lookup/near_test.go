package lookup

import (
	"strings"
	"testing"
	"testing/quick"
)

func TestEdits(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc", "abc", 0},
		{"abc", "", 3},
		{"argmtaches", "argmatches", 1},
		{"recordacumulator", "recordaccumulator", 1},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3},
		{"open.go", "caf\u00e9.go", 5}, // letters of several bytes count for each
	} {
		if got := EditDistance(test.a, test.b); got != test.want {
			t.Errorf("edits(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// EditDistance must agree with its definition.
func TestEditsAgreeWithSlow(t *testing.T) {
	var slow func(a, b string) int
	slow = func(a, b string) int {
		if a == "" || b == "" {
			return len(a) + len(b)
		}
		m, n := len(a), len(b)
		best := min(slow(a[:m-1], b), slow(a, b[:n-1])) + 1
		cost := 1
		if a[m-1] == b[n-1] {
			cost = 0
		}
		best = min(best, slow(a[:m-1], b[:n-1])+cost)
		if m > 1 && n > 1 && a[m-1] == b[n-2] && a[m-2] == b[n-1] {
			best = min(best, slow(a[:m-2], b[:n-2])+1)
		}
		return best
	}
	letters := func(b []byte) string {
		return strings.Map(func(r rune) rune { return 'a' + r%3 }, string(b[:min(len(b), 6)]))
	}
	agree := func(x, y []byte) bool { return EditDistance(letters(x), letters(y)) == slow(letters(x), letters(y)) }
	if err := quick.Check(agree, nil); err != nil {
		t.Error(err)
	}
}
