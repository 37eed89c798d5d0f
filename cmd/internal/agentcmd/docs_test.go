package agentcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tables in docs/agents.md must match the descriptors.
func TestDocumentListsClients(t *testing.T) {
	const head, tail = "<!-- clients: written by go test ./cmd/internal/agentcmd -update -->\n", "<!-- end -->\n"
	name := filepath.Join("..", "..", "..", "docs", "agents.md")
	page, err := os.ReadFile(name)
	check(t, err)
	before, rest, found := strings.Cut(string(page), head)
	_, after, ended := strings.Cut(rest, tail)
	if !found || !ended {
		t.Fatalf("%s has no place for the tables", name)
	}
	want := before + head + clientTables() + tail + after
	if *update {
		check(t, os.WriteFile(name, []byte(want), 0o644))
	} else if want != string(page) {
		t.Errorf("%s does not list the clients as they are: go test ./cmd/internal/agentcmd -update", name)
	}
}

func clientTables() string {
	e := Env{Home: "~", OS: "linux", Getenv: func(string) string { return "" }}
	files := func(templates ...string) string {
		var out []string
		for _, s := range templates {
			out = append(out, "`"+e.path(s)+"`")
		}
		if len(out) == 0 {
			return "-"
		}
		return strings.Join(out, ", ")
	}
	var b strings.Builder
	b.WriteString("| client | server, user | server, project | as |\n| --- | --- | --- | --- |\n")
	for _, c := range clients {
		fmt.Fprintf(&b, "| `%s` (%s) | %s | %s | `%s` |\n", c.Name, c.Title, files(c.entry[0].paths...),
			files(c.entry[1].paths...), c.entry[0].edit.name())
	}
	b.WriteString("\n| client | instructions, user | instructions, project | skills, user | skills, project | hooks |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, c := range clients {
		hooks := "-"
		for _, h := range c.hooks {
			if hooks = "safe, in " + files(append(h.paths[0], h.paths[1]...)...); h.act {
				hooks = strings.Replace(hooks, "safe", "safe and act", 1)
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", c.Name, files(c.instructions[0]...),
			files(c.instructions[1]...), files(c.skills[0]...), files(c.skills[1]...), hooks)
	}
	b.WriteString("\nWhere these forms were read (in stored copies of the pages, not in the live ones), and what could not be\nconfirmed:\n\n| client | source | read | not confirmed |\n| --- | --- | --- | --- |\n")
	for _, c := range clients {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Name, c.Source, c.Read, c.Unclear)
	}
	return b.String() + "\nThe folders of skills are those of the table in https://github.com/vercel-labs/skills, read on 2026-11-23.\n"
}
