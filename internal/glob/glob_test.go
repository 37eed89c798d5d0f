package glob

import (
	"strings"
	"testing"
)

// A glob that would take minutes is refused or matches nothing. Ordinary globs must work.
func TestGlobsAreBounded(t *testing.T) {
	long := strings.Repeat("a", 4000)
	for _, c := range []struct {
		glob, path string
		fine, want bool
	}{
		{"**/*.{go,c,h,cc,py,rs,js,ts,tsx}", "a/b.tsx", true, true},
		{"{cmd,store}/**/*_{test,bench}.go", "store/x/a_test.go", true, true},
		{"**/a*a*a*a*b/**", strings.Repeat("a", 200) + "/" + long, true, false},
		{strings.Repeat("a*", 400) + "b", long, true, false},
		{strings.Repeat("{a,a}", 30) + "b", long, false, false},
		{strings.Repeat("{a,", 30) + strings.Repeat("}", 30), long, false, false},
		{"{" + strings.Repeat("a,", 300) + "b}", "b", false, false},
		{"{a" + strings.Repeat(",a", 150), "a", false, false}, // not closed
		{strings.Repeat("**/", 400) + "b", strings.Repeat("a/", 2000), false, false},
		{strings.Repeat("*", 1001), "a", false, false},
		{`\{a,b\}`, "{a,b}", true, true},
	} {
		if got := Bounded(c.glob) && Valid(c.glob); got != c.fine {
			t.Errorf("Bounded(%.60q): %v", c.glob, got)
		}
		if got := Match(c.glob, c.path); got != c.want {
			t.Errorf("Match(%.60q, %.60q) = %v", c.glob, c.path, got)
		}
	}
}
