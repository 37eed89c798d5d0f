package ranking

import (
	"reflect"
	"strings"
	"testing"
)

// A kept Reading must equal a new one.
func TestTexts(t *testing.T) {
	var kept Readings
	for i := range 100 {
		s := "what changed in the cache recently " + strings.Repeat("x", i%20)
		asked := words{text: s}
		got := kept.understand(asked)
		if want := readText(asked); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %+v, want %+v", s, got, want)
		}
		if again := kept.understand(asked); &again.parsed.Terms[0] != &got.parsed.Terms[0] {
			t.Fatalf("%q was read twice", s)
		}
	}
}
