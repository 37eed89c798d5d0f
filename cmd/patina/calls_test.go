package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/mcp/mcptest"
)

// callsLibrary is the project beside the fixture. It shares everything.
var callsLibrary = map[string]string{
	".patina.toml": "share = [\"code\", \"patterns\", \"beliefs\", \"commits\"]\n",
	"go.mod":       "module example.org/oven\n",
	"oven/oven.go": "// Package oven bakes.\npackage oven\n\nimport \"example.org/oven/heat\"\n\n// Preheat warms the oven before the bread is acknowledged.\nfunc Preheat() { heat.Rise() }\n\n// Bake spreads retries over the loaves.\nfunc Bake() { Preheat() }\n",
	"heat/heat.go": "// Package heat rises.\npackage heat\n\n// Rise rises by a degree.\nfunc Rise() {}\n",
	"README.md":    "# Oven\n\nAn oven bakes bread.\n\n## Heat\n\nThe oven is warm before the bread.\n",
	"layer/surface/epistemic/beliefs/warm-before-bread.md": "---\nid: warm-before-bread\ntype: belief\nentrenchment: 0.9\nstatus: active\n---\n\n# warm-before-bread\n\nThe oven is warm before bread is baked: bread that goes into a cold oven does not rise.\n\n## Evidence\n\n- [[oven/oven.go]] - it preheats\n",
}

// layCallsLibrary makes the library beside the fixture, and links the two.
func layCallsLibrary(t *testing.T, g *goldens) {
	t.Helper()
	library := filepath.Join(filepath.Dir(g.root), "oven")
	for name, text := range callsLibrary {
		file := filepath.Join(library, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(library)
	g.run("scrape", "--no-adapt")
	t.Chdir(g.root)
	g.run("repo", "add", g.root, "--no-scrape")
	g.run("repo", "add", library, "--no-scrape")
	g.run("mother", "link", "tidemark", "oven", "USES")
}

// writing matches printed commands that write. A test of reading does not run them.
var writing = regexp.MustCompile(`^patina (scrape|mother sync|belief (accept|dismiss)|init|config)\b`)

// anyQuestion is the question of a recall directive, as it is printed. The reader replaces it.
const anyQuestion = `"your question"`

// printedCommands returns the commands that a text prints, each as its words. Words are quoted as
// by printable.ShellQuote.
func printedCommands(text string) (commands [][]string) {
	for _, at := range regexp.MustCompile(`patina [a-z]+`).FindAllStringIndex(text, -1) {
		if at[0] > 0 && strings.ContainsAny(text[at[0]-1:at[0]], "/.-_:'@") ||
			strings.HasPrefix(text[at[0]:], "patina answers") {
			continue
		}
		var words []string
		var word strings.Builder
		quoted, open := false, false
		end := func() {
			if word.Len() > 0 || quoted {
				words = append(words, word.String())
			}
			word.Reset()
			quoted = false
		}
	read:
		for i := at[0]; i < len(text); i++ {
			switch c := text[i]; {
			case open && c != '\'':
				word.WriteByte(c)
			case c == '\'':
				open, quoted = !open, true
			case c == '\\' && i+1 < len(text):
				i++
				word.WriteByte(text[i])
			case c == ' ':
				end()
			case strings.HasPrefix(text[i:], anyQuestion):
				word.WriteString(strings.Trim(anyQuestion, `"`))
				i += len(anyQuestion) - 1
			case strings.IndexByte("\n\"();", c) >= 0 || strings.HasPrefix(text[i:], "·"):
				break read
			default:
				word.WriteByte(c)
			}
		}
		end()
		commands = append(commands, words)
	}
	return commands
}

// Every call that an answer prints must run as printed and find something, with one project and
// with two, as a command and as a call of a tool.
func TestPrintedCallsRun(t *testing.T) {
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	layCallsLibrary(t, g)
	var asked [][]string // the words of a command
	var tools []map[string]any
	questions := []string{"oven", "why is the oven warm before the bread", "how does it rise"}
	for i, q := range g.questions {
		if !testing.Short() || i%10 == 0 {
			questions = append(questions, q.Query)
		}
	}
	for _, question := range questions {
		for _, more := range [][]string{nil, {"--repo", "oven"}, {"--all-repos", "--json"}} {
			asked = append(asked, append(append([]string{"scry"}, more...), "--", question))
		}
		tools = append(tools, map[string]any{"query": question}, map[string]any{"query": question, "all_repos": true})
	}
	for _, m := range mcpModes() {
		asked = append(asked, m.command)
	}
	asked = append(asked, []string{"context", "--topic", "bread in the oven"},
		[]string{"scry", "--repo", "oven", "--belief", "warm-before-bread"},
		[]string{"scry", "--repo", "oven", "why", "oven/oven.go"},
		[]string{"assay", "--repo", "oven", "callers", "Preheat"}, []string{"belief", "list"})

	calls := map[string][]string{}
	for _, words := range asked {
		var out, errs strings.Builder
		if code := run(words, strings.NewReader(""), &out, &errs); code == cli.ExitError || code == cli.ExitPartial {
			t.Fatalf("patina %s: exit %d: %s", strings.Join(words, " "), code, errs.String())
		}
		for _, call := range printedCommands(out.String() + errs.String()) {
			spelled := strings.Join(call, " ")
			if !writing.MatchString(spelled) && call[len(call)-1] != "RANK" {
				calls[spelled] = call
			}
		}
	}
	for spelled, call := range calls {
		var out, errs strings.Builder
		code := run(call[1:], strings.NewReader(""), &out, &errs)
		isAny := call[len(call)-1] == strings.Trim(anyQuestion, `"`) // nothing may be relevant
		if code != cli.ExitFound && !(isAny && code == cli.ExitNothing) {
			t.Errorf("%s: exit %d: %s%s", spelled, code, out.String(), errs.String())
		}
	}

	said := map[string]mcptest.Call{}
	a := connect(t)
	for _, args := range tools {
		for _, c := range mcptest.Find(a.call("scry", args)) {
			said[fmt.Sprint(c)] = c
		}
	}
	for _, c := range said {
		a.call(c.Tool, c.Args)
	}
	if answers := len(asked) + len(tools); !testing.Short() && (answers < 300 || len(calls) < 250 || len(said) < 100) {
		t.Errorf("%d answers, %d commands, %d calls of tools", answers, len(calls), len(said))
	}
}
