package layout_test

import (
	"strings"
	"testing"

	"patina/cmd/internal/layout"
	"patina/cmd/internal/layout/layouttest"
)

func FuzzPlain(f *testing.F) {
	f.Add("a\x1b[31mb\n\xff", 40)
	f.Add("src/日本/\u202efile.go", 12)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = 10 + (limit&0xff)%200
		for name, got := range map[string]string{
			"clip": layout.Clip(s, limit), "middle": layout.Middle(s, limit),
			"shortPath": layout.ShortPath(s, limit),
		} {
			if err := layouttest.Harmless(got); err != nil || len(got) > limit || strings.ContainsAny(got, "\n\t") {
				t.Errorf("%s(%q, %d) = %q: %v", name, s, limit, got, err)
			}
		}
		if err := layouttest.Harmless(layout.Body(s)); err != nil {
			t.Errorf("body(%q): %v", s, err)
		}
	})
}
