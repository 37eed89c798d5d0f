package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"patina/cmd/internal/dialect"
)

// layChannels makes the fixture for both channels: with notes, and a linked repository that has a
// belief.
func layChannels(t *testing.T) *goldens {
	t.Helper()
	g := layGoldens(t)
	lib := filepath.Join(filepath.Dir(g.root), "library")
	for name, text := range map[string]string{
		"library.go": "package library\n\n// Open opens a page after the retries have ended.\nfunc Open() {}\n\nfunc Use() { Open() }\n",
		"layer/surface/beliefs/open-late.md": "---\ntype: belief\nid: open-late\nstatement: Pages are opened after the retries.\n" +
			"entrenchment: high\nstatus: active\n---\n\n# open-late\n\nPages are opened after the retries.\n",
	} {
		file := filepath.Join(lib, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", lib).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	g.run("scrape", "--no-adapt")
	g.run("repo", "add", lib)
	g.run("repo", "add", g.root, "--no-scrape")
	g.run("mother", "link", "tidemark", "library", "USES")
	g.run("memory", "add", "The pool size is 8 in production", "--type", "gotcha", "--path", "README.md", "--tags", "db")
	g.run("memory", "add", "Retries wait a second longer each time", "--type", "lesson")
	g.run("memory", "add", "Retries of uploads are never spread over a minute", "--type", "decision")
	return g
}

// Both channels answer each request alike. Texts differ in the dialect of the calls alone, and JSON
// in the ids and times of an answer.
func TestToolsAnswerAsCommands(t *testing.T) {
	g := layChannels(t)
	a := connect(t)
	answer := a.call("scry", map[string]any{"query": "how are retries spread", "all_repos": true})
	all := channelRequests(regexp.MustCompile(`q_\d{12}_[a-z]{3}`).FindString(answer))
	if len(all) < 200 {
		t.Errorf("%d requests, want 200 or more", len(all))
	}
	t.Logf("%d requests", len(all))
	for i, r := range all {
		if !testing.Short() || i%10 == 0 {
			g.compareChannels(a, r)
		}
	}
}

// compareChannels compares the texts of a request, and its JSON unless it fails.
func (g *goldens) compareChannels(a agent, r channelRequest) {
	g.t.Helper()
	want, failed := g.ofCommand(r.command)
	got, isError := a.try(r.tool, r.args)
	want, got = g.spellAsTool(want), strings.TrimSpace(g.plain(got))
	if got != want || failed != isError {
		g.t.Errorf("%q says (error: %v)\n%s\nand %s %v says (error: %v)\n%s", r.command, failed, want, r.tool, r.args,
			isError, got)
	}
	if r.json == "" || failed {
		return
	}
	r.args["format"] = "json"
	want, _ = g.ofCommand(slices.Insert(slices.Clone(r.command), r.at, r.json))
	got, _ = a.try(r.tool, r.args)
	if want, got := g.fieldsOf(want), g.fieldsOf(got); !reflect.DeepEqual(got, want) {
		g.t.Errorf("%q has other JSON than %s %v:\n%s", r.command, r.tool, r.args, fieldDifference("", want, got))
	}
}

// ofCommand runs a command and returns its text, and whether it failed. The exit code of an answer
// without anything relevant, and of one that lacks a part, is no failure.
func (g *goldens) ofCommand(words []string) (text string, failed bool) {
	g.t.Helper()
	var out, errs strings.Builder
	code := run(words, strings.NewReader(""), &out, &errs)
	return out.String() + errs.String(), code == 2
}

// dialectWords are the words of the two dialects in hints, and arguments that are named in errors.
var dialectWords = func() *strings.Replacer {
	var pairs []string
	cli, tool := reflect.ValueOf(dialect.CLI{}.Words()), reflect.ValueOf(dialect.MCP{}.Words())
	for i := range cli.NumField() {
		pairs = append(pairs, cli.Field(i).String(), tool.Field(i).String())
	}
	return strings.NewReplacer(append(pairs,
		`patina scry "how are rows locked"`, `scry(query="how are rows locked")`,
		"patina scry --file PATH", `scry(mode="file", path=…)`,
		"beside --since", "beside since", "read --regex", "read regex", "--literal\n", "mode=\"literal\"\n",
		"patina assay callers NAME", `assay(query_type="callers", pattern="NAME")`)...)
}()

// spellAsTool returns a command's text with its calls spelled as calls of tools.
func (g *goldens) spellAsTool(text string) string {
	g.t.Helper()
	return strings.TrimSpace(inTools(g.t, g.plain(dialectWords.Replace(text))))
}

// passingFields are fields of JSON that differ between two runs.
var passingFields = []string{"query_id", "took_ms", "elapsed_ms", "since", "ms"}

// fieldsOf decodes JSON without the fields that differ between runs, and with its calls spelled as
// calls of tools. Lines behind it, which are on standard error, are dropped.
func (g *goldens) fieldsOf(text string) any {
	g.t.Helper()
	var v any
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&v); err != nil {
		g.t.Errorf("%v: %s", err, text)
	}
	return g.withoutPassing(v)
}

func (g *goldens) withoutPassing(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range passingFields {
			delete(v, name)
		}
		for name, x := range v {
			v[name] = g.withoutPassing(x)
		}
	case []any:
		for i, x := range v {
			v[i] = g.withoutPassing(x)
		}
	case string:
		return g.spellAsTool(v)
	}
	return v
}

// fieldDifference returns the first place at which two decoded values differ, with both.
func fieldDifference(at string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(w)) {
			if !reflect.DeepEqual(w[name], g[name]) {
				return fieldDifference(at+"."+name, w[name], g[name])
			}
		}
	case []any:
		g, _ := got.([]any)
		for i := range min(len(w), len(g)) {
			if !reflect.DeepEqual(w[i], g[i]) {
				return fieldDifference(fmt.Sprintf("%s[%d]", at, i), w[i], g[i])
			}
		}
	}
	return fmt.Sprintf("%s is %v and %v", at, want, got)
}
