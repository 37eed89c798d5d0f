package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A client may see its own projects, those linked with them, and those that its user has registered
// or listed. Any other scraped project looks as if it did not exist.
func TestClientSeesItsProjects(t *testing.T) {
	p := layPair(t)
	for _, name := range []string{"secret", "listed"} {
		write(t, filepath.Join(filepath.Dir(p.app), name, "plan.go"),
			"package plan\n\n// Port is where the plan starts to listen.\nfunc Port() {}\n")
		p.good(filepath.Join(filepath.Dir(p.app), name), "scrape", "--no-adapt")
	}
	secret, listed := filepath.Join(filepath.Dir(p.app), "secret"), filepath.Join(filepath.Dir(p.app), "listed")
	ask := p.good(secret, "scry", "--no-refresh", "where does the plan start to listen")
	queryID, _, _ := strings.Cut(ask, " ")
	t.Setenv("PATINA_HOME", p.home)
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(p.app))
	t.Chdir(p.app)
	// The settings of a repository have no effect.
	write(t, filepath.Join(p.app, ".patina.toml"), fmt.Sprintf("mcp.repos = [%q]\n", secret))
	write(t, filepath.Join(p.home, "config.toml"), fmt.Sprintf("mcp.repos = [%q]\n", listed))
	a := connect(t)
	calls := func(repo string) []map[string]any {
		return []map[string]any{
			{"query": "where does the plan start to listen", "repo": repo},
			{"mode": "detail", "doc_id": "plan.go", "repo": repo},
			{"mode": "orient", "repo": repo},
		}
	}
	nobody := filepath.Join(filepath.Dir(p.app), "nobody")
	for i, args := range calls(secret) {
		unknown, isError := a.try("scry", calls(nobody)[i])
		if !isError || !strings.Contains(unknown, "mcp.repos") {
			t.Fatalf("an unknown project: %s", unknown)
		}
		for _, name := range []string{secret, "secret", "../secret"} {
			args["repo"] = name
			got, isError := a.try("scry", args)
			if want := strings.ReplaceAll(unknown, nobody, name); !isError || got != want {
				t.Errorf("%v: %s\nwant %s", args, got, want)
			}
		}
	}
	for _, tool := range []string{"context", "assay", "remember"} {
		args := map[string]map[string]any{
			"context": {"repo": secret}, "assay": {"repo": secret, "query_type": "functions", "pattern": "Port"},
			"remember": {"repo": secret, "text": "the plan is to listen"},
		}[tool]
		if got, isError := a.try(tool, args); !isError || !strings.Contains(got, "no project") {
			t.Errorf("%s: %s", tool, got)
		}
	}
	if got, isError := a.try("scry", map[string]any{"mode": "detail", "query_id": queryID, "rank": 1}); !isError ||
		strings.Contains(got, "Port") {
		t.Errorf("the result of another project's answer: %s", got)
	}
	for _, args := range []map[string]any{
		{"mode": "detail", "query_id": queryID, "rank": 99},
		{"mode": "feedback", "query_id": queryID, "query": "good", "rank": 1},
		{"mode": "feedback", "query_id": queryID, "query": "good", "rank": 99},
	} { // neither its question nor its number of results is told
		if got, isError := a.try("scry", args); !isError || !strings.Contains(got, "no such query") ||
			strings.Contains(got, "listen") || strings.Contains(got, "port") {
			t.Errorf("%v: %s", args, got)
		}
	}
	for _, mode := range []string{"literal", "regex", "full", "recall", "inject"} {
		args := map[string]any{"mode": mode, "query": "Port", "repo": secret}
		if got, isError := a.try("scry", args); !isError || !strings.Contains(got, "no project") {
			t.Errorf("%v: %s", args, got)
		}
	}
	for _, repo := range []string{"lib", p.lib} {
		if got := a.call("scry",
			map[string]any{"mode": "detail", "doc_id": "start.go", "repo": repo}); !strings.Contains(got, "func Port") {
			t.Errorf("%s, which is registered: %s", repo, got)
		}
	}
	if got := a.call("scry", calls(listed)[0]); !strings.Contains(got, "[listed:code] plan.go") {
		t.Errorf("a listed project: %s", got)
	}

	// A project stops sharing while the server runs.
	question := map[string]any{"query": "how does the server start on its port", "repo": "lib"}
	if got := a.call("scry", question); !strings.Contains(got, "[lib:code] start.go") {
		t.Errorf("before: %s", got)
	}
	write(t, filepath.Join(p.lib, ".patina.toml"), "share = []\n")
	if got := a.call("scry", question); strings.Contains(got, "[lib:code]") ||
		!strings.Contains(got, "lib shows nothing to other projects") {
		t.Errorf("after: %s", got)
	}
	if got, isError := a.try("scry", map[string]any{"mode": "detail", "doc_id": "start.go", "repo": "lib"}); !isError ||
		strings.Contains(got, "func Port") {
		t.Errorf("after: %s", got)
	}
	write(t, filepath.Join(p.lib, ".patina.toml"), "share = [\"commits\"]\n")
	if got := a.call("scry", question); strings.Contains(got, "[lib:code]") {
		t.Errorf("commits alone: %s", got)
	}
	if err := os.Remove(filepath.Join(p.lib, ".patina.toml")); err != nil {
		t.Fatal(err)
	}
	if got := a.call("scry", question); !strings.Contains(got, "[lib:code] start.go") {
		t.Errorf("again: %s", got)
	}
}

// A note about another project is kept there if the user has registered it, without naming the
// notes already there. For a project that a client may only read, no note may be kept, at home
// either.
func TestNoteIsKeptWithTheNamedProject(t *testing.T) {
	p := layPair(t)
	listed := filepath.Join(filepath.Dir(p.app), "listed")
	write(t, filepath.Join(listed, "plan.go"), "package plan\n")
	p.good(listed, "scrape", "--no-adapt")
	write(t, filepath.Join(p.home, "config.toml"), fmt.Sprintf("mcp.repos = [%q]\n", listed))
	p.good(p.lib, "memory", "add", "Always close the port before the server stops")
	t.Setenv("PATINA_HOME", p.home)
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(p.app))
	t.Chdir(p.app)
	a := connect(t)
	for i, repo := range []string{"lib", p.lib} {
		text := fmt.Sprintf("Never close the port before the server stops, number %d", i)
		if got := a.call("remember", map[string]any{"text": text, "repo": repo}); !strings.Contains(got,
			"kept with the project lib") || strings.Contains(got, "Always") {
			t.Errorf("%s: %s", repo, got)
		}
		if got := p.good(p.lib, "memory", "list"); !strings.Contains(got, text) {
			t.Errorf("%s has no such note: %s", repo, got)
		}
	}
	for _, repo := range []string{"listed", listed} {
		got, isError := a.try("remember", map[string]any{"text": "The plan is to listen", "repo": repo})
		if !isError || !strings.Contains(got, "may be read by this client, and not written") ||
			!strings.Contains(got, "patina repo add") {
			t.Errorf("%s: %s", repo, got)
		}
	}
	for _, dir := range []string{p.app, listed} {
		if out, errs, code := p.run(dir, "memory", "list"); code != 1 || !strings.Contains(out+errs, "no memories") {
			t.Errorf("%s: %s", dir, out)
		}
	}
}
