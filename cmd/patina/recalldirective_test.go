package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/mcp/mcptest"
)

// Every context must end with the recall directive: of a project with beliefs, of one with code
// only, of one with notes only, and of an empty one, with a topic and without, as a command and as
// a tool, as text and as JSON. The calls must run as printed.
func TestContextHasRecallDirective(t *testing.T) {
	g := layGoldens(t)
	belief := "---\nid: ask-first\ntype: belief\nentrenchment: 0.9\nstatus: active\n---\n\n# ask-first\n\nYour question comes first.\n"
	for name, files := range map[string]map[string]string{
		"empty": {},
		"notes": {},
		"code":  {"a.go": "package a\n\n// Answer answers a question.\nfunc Answer() {}\n"},
		"layer": {"a.go": "package a\n", "layer/surface/epistemic/beliefs/ask-first.md": belief},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(root, 0o755); err != nil {
				t.Fatal(err)
			}
			t.Chdir(root)
			for file, text := range files {
				write(t, file, text)
			}
			g.run("scrape", "--no-adapt")
			if name == "notes" {
				g.run("memory", "add", "Your question is asked before the answer.", "--pin")
			}
			a := connect(t)
			for _, topic := range []string{"", "your question"} {
				words, args := []string{"context"}, map[string]any{}
				if topic != "" {
					words, args = append(words, "--topic", topic), map[string]any{"topic": topic}
				}
				text, said := g.run(words...), a.call("context", args)
				holdDirective(t, text)
				holdDirective(t, said)
				if name == "notes" && !strings.Contains(text, "asked before the answer") {
					t.Errorf("the note is missing:\n%s", text)
				}
				for _, call := range mcptest.Find(said) {
					a.call(call.Tool, call.Args)
				}
				var asJSON struct {
					Recall struct {
						Text     string
						CLI, MCP []string
					} `json:"recall_directive"`
				}
				out := g.run(append(words, "--json")...)
				if err := json.Unmarshal([]byte(out[:strings.LastIndexByte(out, '}')+1]), &asJSON); err != nil {
					t.Fatal(err)
				}
				if r := asJSON.Recall; !strings.HasSuffix(r.Text, dialect.RecallRule) || len(r.CLI) != 2 || len(r.MCP) != 2 {
					t.Errorf("as JSON: %+v", r)
				}
			}
			small := g.run("context", "--budget", "100")
			if !strings.Contains(small, "## Recall Directive\n  CLI:  patina scry \"your question\"\n") {
				t.Errorf("with 100 tokens:\n%s", small)
			}
		})
	}
}

// holdDirective holds that a context ends with the directive, and runs its commands.
func holdDirective(t *testing.T, text string) {
	t.Helper()
	_, after, _ := strings.Cut(text, "\n## Recall Directive\n")
	lines := strings.Split(after, "\n")
	want := []string{
		`  CLI:  patina scry "your question"`,
		`  CLI:  patina scry --content-type beliefs "your question"`,
		`  MCP:  scry(query="your question")`,
		`  MCP:  scry(content_type="beliefs", query="your question")`,
		dialect.RecallRule,
	}
	if len(lines) < 6 || !strings.HasPrefix(lines[0], "Project knowledge accumulates in beliefs") || !slices.Equal(lines[1:6], want) {
		t.Fatalf("no directive at the end:\n%s", text)
	}
	for _, line := range want[:2] {
		_, call, _ := strings.Cut(line, "patina ")
		words := strings.Fields(strings.ReplaceAll(call, ` "your question"`, ""))
		var out, errs strings.Builder
		code := run(append(words, "your question"), strings.NewReader(""), &out, &errs)
		if code != cli.ExitFound && code != cli.ExitNothing {
			t.Errorf("%s: exit %d: %s%s", call, code, out.String(), errs.String())
		}
	}
}

// The help of the commands that search must say when to search.
func TestHelpSaysWhenToRecall(t *testing.T) {
	root := (&app{new(cli.App)}).rootFor(nil)
	for _, name := range []string{"scry", "context", "memory recall"} {
		c, _, err := root.Find(strings.Fields(name))
		if err != nil {
			t.Fatal(err)
		}
		if page := oneLine(helpOf(t, c)); !strings.Contains(page, dialect.RecallRule) {
			t.Errorf("the help of %s is\n%s", name, page)
		}
	}
}
