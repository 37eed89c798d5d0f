package brief

import (
	"fmt"
	"testing"
)

// The last matching line counts, as in the file.
func TestOwnersOf(t *testing.T) {
	const file = "* @all\n*.yml @ci\n/docs/ @writers\nsrc/**/wire @net\n/src/* @top\napps/*/ui @ui\nold/ @old\n"
	all := OwnersIn("CODEOWNERS", file)
	for path, want := range map[string]string{
		"README.md":         "@all",
		"a/b.yml":           "@ci",
		"docs/x/y.md":       "@writers",
		"a/docs/x.md":       "@all",
		"src/a/wire/tcp.go": "@net",
		"src/main.go":       "@top",
		"src/a/main.go":     "@all",
		"apps/web/ui/x.ts":  "@ui",
		"lib/old/x.c":       "@old",
		"old":               "@all",
	} {
		got := OwnersOf(all, []string{path, path})
		if len(got) != 1 || got[0].Text != want {
			t.Errorf("%s: %s, want %s", path, fmt.Sprint(got), want)
		}
	}
	if got := OwnersOf(all, []string{"x.yml", "README.md", "y.yml"}); len(got) != 2 || got[0].Line != 2 || got[1].Line != 1 {
		t.Errorf("of three files: %v", got)
	}
	if got := OwnersOf(nil, []string{"x"}); got != nil {
		t.Errorf("without lines: %v", got)
	}
}
