package routes

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/mother"
	"patina/registry"
	"patina/store"
	"patina/store/scrape"
	"patina/store/scrape/scrapetest"
	"patina/workspace"
)

// A malformed set is refused with its line.
func TestLoadRefuses(t *testing.T) {
	const good = `{"id": "a", "home": "x", "query": "q", "repo": "y", "expect": ["f"]}`
	for set, want := range map[string]string{
		``:                      `line 1: not a JSON object`,
		`[]`:                    `line 1: not a JSON object`,
		`{}`:                    `no questions`,
		"{\"questions\":\n\n3}": `line 3: field "questions" is no list`,
		"{\"questions\": [\n" + good + ",\n{\"id\": 7}":                                        `line 3: field "id": number where text belongs`,
		"{\"questions\": [\n" + good + ",\n" + good + "]}":                                     `line 3: field "id": "a" stands there twice`,
		"{\"edges\": {},\n\"questions\": [\n{\"id\": \"a\"}]}":                                 `line 3: field "home" is missing`,
		`{"questions": [{"id": "a", "home": "x", "query": "q", "repo": "y", "expect": [""]}]}`: `field "expect"`,
		"{\"questions\": [\n" + good + "\n":                                                    `line 3: the text ends in the middle`,
		"{\"questions\": [\n" + good + "\n]}\n{":                                               `line 4: text after the end`,
		"{\"questions\": [" + good + "],\n\"questions\": []}":                                  `line 2: field "questions" stands there twice`,
		"{\"questions\":\n[ ,":                                                                 `line 2: `,
	} {
		name := filepath.Join(t.TempDir(), "set.json")
		scrapetest.Must(t, os.WriteFile(name, []byte(set), 0o600))
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want %s", set, err, want)
		}
	}
}

// lay scrapes a folder with one file and two more that use its words, and registers it. A sketch
// keeps words that stand in two places.
func lay(t *testing.T, name, file, body string) workspace.Place {
	t.Helper()
	root := filepath.Join(t.TempDir(), name)
	scrapetest.Tree(t, root, map[string]string{
		file: body, "one.go": strings.ReplaceAll(body, "func ", "func One"), "two.go": strings.ReplaceAll(body, "func ", "func Two"),
	})
	p, err := workspace.At(root, "")
	scrapetest.Must(t, err)
	_, err = workspace.Scrape(t.Context(), p, scrape.Options{}, func(err error) { t.Error(err) })
	scrapetest.Must(t, err)
	p, err = workspace.At(root, "")
	scrapetest.Must(t, err)
	return p
}

// With an edge the right repository is asked, without one home alone is; what is not registered is
// named.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("fits a model")
	}
	t.Setenv("PATINA_HOME", t.TempDir())
	app := lay(t, "app", "brew.go", "package app\n\n// Brew asks the kettle for hot water.\nfunc Brew() {}\n")
	lib := lay(t, "lib", "kettle.go", "package lib\n\n// Descale removes limescale from the element.\nfunc Descale() {}\n")
	qs := []Question{
		{ID: "there", Home: "app", Query: "how is limescale removed from the element", Repo: "lib", Expect: []string{"kettle.go", "one.go", "two.go"}},
		{ID: "here", Home: "app", Query: "who asks for hot water", Repo: "app", Expect: []string{"brew.go", "one.go", "two.go"}},
		{ID: "nowhere", Home: "app", Query: "x", Repo: "gone", Expect: []string{"y"}},
	}
	code := []store.Kind{store.Code}
	o := Options{Named: app.Named, Shared: func(workspace.Place) []store.Kind { return code }}
	run := func() *Report {
		r, err := Run(t.Context(), qs, o)
		scrapetest.Must(t, err)
		return r
	}
	arm := func(arms []Arm, name string) Arm {
		for _, a := range arms {
			if a.Name == name {
				return a
			}
		}
		t.Fatalf("no %s", name)
		return Arm{}
	}
	before := run()
	if a := arm(before.Elsewhere, Routed); a.Asked.Mean != 0 || a.Visits != 0 || a.N != 1 {
		t.Errorf("without an edge: %+v", a)
	}
	if a := arm(before.Elsewhere, All); a.Asked.Mean != 1 || a.MRR.Mean == 0 || a.Change.Mean != a.MRR.Mean {
		t.Errorf("all asked: %+v", a)
	}
	if before.LeftOut != 1 || len(before.Missing) != 1 || before.Missing[0] != "gone" {
		t.Errorf("left out %d, missing %v", before.LeftOut, before.Missing)
	}
	all, err := registry.Projects(app.Home)
	scrapetest.Must(t, err)
	for _, p := range all {
		scrapetest.Must(t, mother.Put(t.Context(), app.Home, mother.Repository{ID: p.ID, Name: p.Name, Root: p.Root}))
	}
	scrapetest.Must(t, mother.Link(t.Context(), app.Home, mother.Edge{From: app.ID, To: lib.ID, Relation: mother.Uses, Weight: mother.StartWeight}))
	after := run()
	if a := arm(after.Elsewhere, Routed); a.Asked.Mean != 1 || a.File.Mean != 1 || a.Five.Mean != 1 {
		t.Errorf("with an edge: %+v", a)
	}
	if a := arm(after.Local, Routed); a.N != 1 || a.Change.Mean < -0.5 || arm(after.Local, AtHome).Change.Mean != 0 {
		t.Errorf("at home: %+v", a)
	}
	var b bytes.Buffer
	scrapetest.Must(t, after.Text(&b))
	for _, want := range []string{"answered elsewhere (n=1, 2 repositories)", "answered at home (n=1", "not registered: gone: 1 questions left out"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
	if _, err := Run(t.Context(), qs[2:], o); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("nothing registered: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o.OnProgress = func(int, int) { cancel() }
	if r, err := Run(ctx, qs, o); !errors.Is(err, context.Canceled) || !r.Partial || len(r.Rows) != 1 {
		t.Errorf("interrupted: %v, %+v", err, r)
	}
}
