package deliver

import (
	"testing"

	"patina/cmd/internal/layout"
)

// A quoted text ends at the first quote that has no odd number of backslashes before it.
func TestQuoted(t *testing.T) {
	for s, want := range map[string]string{
		`plain`: `"plain"`, `a "b" c`: `"a \"b\" c"`, `ends with \`: `"ends with \\"`, `\"x`: `"\\\"x"`,
		`C:\dir`: `"C:\dir"`, "": `""`,
		"a\x1b[2J\nb": `"a\x1b[2J b"`,
	} {
		if got := layout.Quote(s, 100); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}
