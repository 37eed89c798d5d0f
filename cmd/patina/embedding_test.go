package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patina/oracles/transformer"
	"patina/oracles/transformer/graphtest"
	"patina/registry/models"
)

// tinyModel writes a model that runs in well under a millisecond, and adds it to the catalog.
func tinyModel(t *testing.T, library, name string) models.Model {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	graphtest.WriteModel(t, dir, graphtest.Tiny, strings.Fields("retry upload tide the of a port water how are spread")...)
	d, err := transformer.Describe(transformer.Options{Dir: dir, MaxTokens: graphtest.Tiny.Positions})
	if err != nil {
		t.Fatal(err)
	}
	m := models.Model{
		Name: name, Dir: d.Dir, Graph: d.Graph, Runtime: library, ID: d.ID, Stamp: d.Stamp,
		Pooling: string(d.Pooling), Dimension: d.Dimension, MaxTokens: d.MaxTokens, Bytes: d.Bytes, Added: time.Now(),
	}
	if err := models.Add(os.Getenv("PATINA_HOME"), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// choose chooses a model for the project in the working folder's home, everywhere.
func choose(t *testing.T, name string, groups ...string) {
	t.Helper()
	if err := models.Choose(os.Getenv("PATINA_HOME"), "", name, groups); err != nil {
		t.Fatal(err)
	}
}

// filesOfModels returns the names of the files with vectors of models in the index.
func filesOfModels(t *testing.T, root string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, ".patina", "model-*.state"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A scrape makes the vectors of the chosen model, once. A model that cannot be opened is a note.
// The vectors of a model that is no longer chosen go with the next scrape.
func TestScrapeEmbeds(t *testing.T) {
	library := graphtest.Library(t) // looked for from here
	g := layGoldens(t)
	if out := g.run("scrape", "--no-adapt"); strings.Contains(out, "embedded by") || strings.Contains(out, "note:") {
		t.Errorf("without a model: %s", out)
	}
	m := tinyModel(t, library, "tiny")
	choose(t, m.Name, "documents", "code")
	if out := g.run("scry", "how are retries spread"); !strings.Contains(out, "built-in vectors") {
		t.Errorf("before the vectors: %s", out)
	}
	if out := g.run("scrape"); !strings.Contains(out, "embedded by tiny in ") || strings.Contains(out, "not embedded") {
		t.Errorf("the first time: %s", out)
	}
	if out := g.run("scry", "how are retries spread"); strings.Contains(out, "built-in vectors") {
		t.Errorf("with the vectors: %s", out)
	}
	if out := g.run("scrape"); strings.Contains(out, "embedded by") {
		t.Errorf("again: %s", out)
	}
	if err := os.WriteFile("new.go", []byte("package tide\n\n// Port of the water.\nfunc Port() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var sum struct {
		Notes  []string
		Models []struct {
			Name                    string
			Texts, Embedded, Copied int
			Error                   string
		}
	}
	if err := json.Unmarshal([]byte(g.run("scrape", "--json")), &sum); err != nil {
		t.Fatal(err)
	}
	if len(sum.Models) != 1 || sum.Models[0].Name != "tiny" || sum.Models[0].Embedded == 0 || sum.Models[0].Error != "" || len(sum.Notes) != 0 {
		t.Errorf("%+v", sum)
	}

	lost := tinyModel(t, library, "lost")
	if err := os.Remove(filepath.Join(lost.Dir, lost.Graph)); err != nil {
		t.Fatal(err)
	}
	choose(t, lost.Name, "commits")
	out := g.run("scrape")
	if !strings.Contains(out, "note: not embedded by lost, so the built-in model answers: ") || strings.Contains(out, "exit") {
		t.Errorf("a model that is lost: %s", out)
	}
	if n := filesOfModels(t, g.root); len(n) == 0 {
		t.Errorf("%q", n)
	}
	choose(t, models.BuiltIn, "documents", "code", "commits")
	g.run("scrape")
	if n := filesOfModels(t, g.root); len(n) != 0 {
		t.Errorf("vectors of a model that is not chosen: %q", n)
	}
}

// A server makes missing vectors in the background: at its start, after a change, and after another
// choice.
func TestServerEmbedsInTheBackground(t *testing.T) {
	library := graphtest.Library(t) // looked for from here
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	m := tinyModel(t, library, "tiny")
	choose(t, m.Name, "documents", "code")
	a := connect(t)
	answered := func() bool {
		return !strings.Contains(a.call("scry", map[string]any{"query": "how are retries spread"}), "built-in vectors")
	}
	await := func(what string) {
		t.Helper()
		for end := time.Now().Add(5 * time.Minute); !answered(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: the built-in vectors answer still", what)
			}
		}
	}
	await("when the index was opened")
	if err := os.WriteFile("new.go", []byte("package tide\n\n// Port of the water.\nfunc Port() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	await("after a change")
	other := tinyModel(t, library, "other")
	choose(t, other.Name, "code")
	await("after another choice")
	if n := filesOfModels(t, g.root); len(n) != 2 {
		t.Errorf("%q", n)
	}
}
