package rule

import (
	"fmt"
	"strings"
	"testing"
)

func TestSourceOf(t *testing.T) {
	cases := map[string]Source{
		"AGENTS.md":                         Agent,
		"web/ui/CLAUDE.md":                  Agent,
		"GEMINI.md":                         Agent,
		".github/copilot-instructions.md":   Agent,
		".github/instructions/go.md":        Agent,
		".cursor/rules/db/index.mdc":        Agent,
		"app/.cursor/rules/style.mdc":       Agent,
		".cursorrules":                      Agent,
		".windsurfrules":                    Agent,
		"agents.md":                         Agent,
		"docs/agents.md":                    None, // a document about agents
		"CONTRIBUTING.md":                   Guide,
		"docs/contributing.rst":             Guide,
		"STYLE_GUIDE.md":                    Guide,
		"docs/coding-guidelines.adoc":       Guide,
		"docs/python-style-guide.md":        Guide,
		"README.md":                         None,
		"testdata/AGENTS.md":                None,
		"examples/app/CLAUDE.md":            None,
		"templates/CONTRIBUTING.md":         None,
		"node_modules/x/CONTRIBUTING.md":    None,
		"src/style.go":                      None,
		".cursor/rules/style.png":           None,
		"docs/style/lifestyle-questions.md": None,
	}
	for name, want := range cases {
		if got := SourceOf(name); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestRules(t *testing.T) {
	rules := []string{
		"Use tabs for indentation.",
		"Never commit a generated file.",
		"Tokens are never logged.",
		"Imports: keep the standard library first.",
		"When a table gains a column, raise its version.",
		"Please run the linter before a commit.",
		"Every handler must close its body.",
		"The cache should outlive a request.",
		"Prefer small interfaces.",
		"Errors go up, do not swallow them.",
		"Test every branch of a parser.",
		"Run `make check` before you push.",
		"Always close rows.",
	}
	others := []string{
		"The server listens on one port.",
		"Test files live beside the code.",
		"Use cases are kept in a folder.",
		"Handles requests of the gateway.",
		"Build all: `make build`",
		"`make verify` is what runs in CI.",
		"You should see a green line.",
		"Should we keep this?",
		"Follow these steps:",
		"It never fired once last year.",
		"You do not need to install it.",
		"Go on",
	}
	for _, text := range rules {
		if got, _ := Parse("AGENTS.md", []byte("- "+text+"\n")); len(got) != 1 || got[0].Text != text {
			t.Errorf("%q: got %v, want itself", text, got)
		}
	}
	for _, text := range others {
		if got, _ := Parse("AGENTS.md", []byte("- "+text+"\n")); len(got) != 0 {
			t.Errorf("%q: got %v, want none", text, got)
		}
	}
}

func TestParse(t *testing.T) {
	text := strings.Join([]string{
		"---", "globs: [\"*.go\", \"*.sql\"]", "---",
		"# Work", "", "Some words. Always ask", "before a merge.", "",
		"## Go", "", "```sh", "Never shown in code.", "```", "",
		"- **Errors**: wrap every error with `%w`.", "- Always ask before a merge.", "",
		"| Use the table | never |",
	}, "\n")
	rules, cut := Parse(".cursor/rules/go.mdc", []byte(text))
	got := fmt.Sprintf("%v %v", rules, cut)
	want := "[{Always ask before a merge. Work *.go, *.sql 6 7} {Errors: wrap every error with `%w`. Work > Go *.go, *.sql 15 15}] false"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A guide is written for people: its rules name code, and its steps are none.
func TestGuide(t *testing.T) {
	text := "- Be kind to each other always.\n- Use `errors.Is` for a comparison.\n- Wrap calls of parse_header in a span.\n\n1. Run `make setup`.\n2. Commits must pass `make check`.\n"
	rules, _ := Parse("CONTRIBUTING.md", []byte(text))
	var got []string
	for _, r := range rules {
		got = append(got, fmt.Sprint(r.First))
	}
	if s := strings.Join(got, " "); s != "2 3 6" {
		t.Errorf("rules on lines %s, want 2 3 6: %v", s, rules)
	}
}

func TestBounded(t *testing.T) {
	var b strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintf(&b, "- Use thing %d.\n", i)
	}
	rules, cut := Parse("AGENTS.md", []byte(b.String()))
	if len(rules) != maxRules || !cut {
		t.Errorf("%d rules, cut %v", len(rules), cut)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("AGENTS.md", "# A\n- Never do `x`.\n")
	f.Add("docs/contributing.rst", "A\n=\n\n- Use a_b.\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		lines := strings.Count(text, "\n") + 1
		rules, _ := Parse(name, []byte(text))
		if SourceOf(name) == None && rules != nil {
			t.Fatalf("%q has rules", name)
		}
		for _, r := range rules {
			if r.First < 1 || r.Last < r.First || r.Last > lines || len(r.Text) > maxText {
				t.Fatalf("%+v in %d lines", r, lines)
			}
		}
	})
}
