package manifest

import (
	"regexp"
	"testing"
)

// requirementName must find the names that a regular expression for PEP 508 finds.
func TestRequirementName(t *testing.T) {
	form := regexp.MustCompile(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:$|[\[<>=!~;@(, #])`)
	for _, text := range []string{
		"", " ", "a", "a-b.c_d>=1", "requests [security] >= 2", "a\tb", "a b", "a\n", "a\t>=1", "-r base.txt", "./local", "git+https://x", "é", "a/b",
		"a@https://x", "a;python_version<'3'", "a#c", "a*", "_a", "a)", "a(1)", "a\v", "a\n[x]",
	} {
		want := ""
		if m := form.FindStringSubmatch(text); m != nil {
			want = m[1]
		}
		if got := requirementName(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}
