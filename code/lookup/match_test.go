package lookup

import (
	"slices"
	"testing"
)

func TestNearPaths(t *testing.T) {
	known := map[string]bool{}
	for _, p := range []string{"a/", "a/open.go", "a/close.go", "b/", "b/open.go", "b/deep/", "b/deep/opened.go", "b/.open.go", "caf\u00e9.go"} {
		known[p] = true
	}
	for typed, want := range map[string][]string{
		"a/opne.go":     {"a/open.go", "b/open.go"}, // its own folder first
		"open.go":       {"a/open.go", "b/open.go"},
		"c/deep":        {"b/deep/"},
		"b/depe":        {"b/deep/"},
		"clsoe.go":      {"a/close.go"},
		"x":             nil,
		"nothing/alike": nil,
		"c":             nil, // too short to be mistyped
		"caf\u00e9.go":  {"caf\u00e9.go"},
	} {
		if got := nearPaths(known, typed, 2); !slices.Equal(got, want) {
			t.Errorf("near %q: %q, want %q", typed, got, want)
		}
	}
	if got := nearPaths(known, "a", 9); !slices.Equal(got, []string{"a/"}) {
		t.Errorf("%q", got)
	}
}
