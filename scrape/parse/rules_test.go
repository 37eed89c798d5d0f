package parse

import (
	"fmt"
	"slices"
	"testing"
)

// Each rule of an agent file must be a document of its own, on its own lines, inside its section.
func TestRulesAreDocuments(t *testing.T) {
	text := "# Work\n\nSome words.\n\n- Never log a token.\n- Plain item.\n- Wrap every error\n" +
		"  with a verb. Always close rows.\n\n## Go\n\nUse tabs here.\nMore words.\n"
	for _, name := range []string{"AGENTS.md", ".cursor/rules/go.mdc", ".cursorrules"} {
		f, trouble := Parse(Input{Path: name, Text: []byte(text)})
		var got []string
		for _, c := range f.Chunks {
			e := f.Entries[c.Entry]
			got = append(got, fmt.Sprintf("%s %d-%d %q", e.Name, c.First, c.Last, e.Title))
		}
		want := []string{
			`work 1-3 "Work"`, `never-log-a-token 5-5 "Work"`, `work 6-6 "Work"`,
			`wrap-every-error-with-a-verb 7-8 "Work"`, `go 10-10 "Work > Go"`, `use-tabs-here 12-12 "Work > Go"`,
			`go 13-13 "Work > Go"`,
		}
		if trouble != Fine || !slices.Equal(got, want) {
			t.Errorf("%s (%s):\ngot  %q\nwant %q", name, trouble, got, want)
		}
		checkFile(t, f)
	}
}

// A document for people must be cut by sections alone, whatever it says.
func TestOtherDocumentsHoldNoRules(t *testing.T) {
	for _, name := range []string{"docs/guide.md", "CONTRIBUTING.md"} {
		f, _ := Parse(Input{Path: name, Text: []byte("# Work\n\n- Never log a `token`.\n")})
		if len(f.Entries) != 1 || len(f.Chunks) != 1 {
			t.Errorf("%s: %d entries, %d chunks, want 1 of each", name, len(f.Entries), len(f.Chunks))
		}
	}
}
