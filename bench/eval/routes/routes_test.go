package routes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/ask/project"
	"patina/ask/visit"
	"patina/registry"
	"patina/registry/mother"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store/doc"
)

// A malformed set is an error with its line.
func TestLoadRefuses(t *testing.T) {
	const good = `{"id": "a", "home": "x", "query": "q", "repo": "y", "expect": ["f"]}`
	for set, want := range map[string]string{
		``:                      `line 1: not a JSON object`,
		`[]`:                    `line 1: not a JSON object`,
		`{}`:                    `no questions`,
		"{\"questions\":\n\n3}": `line 3: field "questions" is no list`,
		"{\"questions\": [\n" + good + ",\n{\"id\": 7}": `line 3: field "id": number where text belongs`,
		"{\"questions\": [\n" + good + ",\n" + good +
			"]}": `line 3: field "id": "a" stands there twice`,
		"{\"edges\": {},\n\"questions\": [\n{\"id\": \"a\"}]}":                                 `line 3: field "home" is missing`,
		`{"questions": [{"id": "a", "home": "x", "query": "q", "repo": "y", "expect": [""]}]}`: `field "expect"`,
		"{\"questions\": [\n" + good + "\n":                                                    `line 3: the text ends in the middle`,
		"{\"questions\": [\n" + good + "\n]}\n{":                                               `line 4: text after the end`,
		"{\"questions\": [" + good + "],\n\"questions\": []}":                                  `line 2: field "questions" stands there twice`,
		"{\"questions\":\n[ ,":                                                                 `line 2: `,
	} {
		name := filepath.Join(t.TempDir(), "set.json")
		scrapetest.Must(t, os.WriteFile(name, []byte(set), 0o600))
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want %s", set, err, want)
		}
	}
}

// lay scrapes a folder with one file and two more that use its words, and registers it.
func lay(t *testing.T, name, file, body string) project.Place {
	t.Helper()
	return layTree(t, name, map[string]string{
		file: body, "one.go": strings.ReplaceAll(body, "func ", "func One"),
		"two.go": strings.ReplaceAll(body, "func ", "func Two"),
	})
}

// layTree scrapes a folder with the given files, and registers it.
func layTree(t *testing.T, name string, files map[string]string) project.Place {
	t.Helper()
	root := filepath.Join(t.TempDir(), name)
	scrapetest.Tree(t, root, files)
	p, err := project.At(root, "")
	scrapetest.Must(t, err)
	_, err = project.Scrape(t.Context(), p, scrape.Options{}, func(err error) { t.Error(err) })
	scrapetest.Must(t, err)
	p, err = project.At(root, "")
	scrapetest.Must(t, err)
	return p
}

// With an edge the right repository is asked, without one only home. Repositories that are not
// registered are named.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("fits a model")
	}
	t.Setenv("PATINA_HOME", t.TempDir())
	app := lay(t, "app", "brew.go", "package app\n\n// Brew asks the kettle for hot water.\nfunc Brew() {}\n")
	lib := lay(t, "lib", "kettle.go", "package lib\n\n// Descale removes limescale from the element.\nfunc Descale() {}\n")
	qs := []Question{
		{
			ID: "there", Home: "app", Query: "how is limescale removed from the element", Repo: "lib",
			Expect: []string{"kettle.go", "one.go", "two.go"},
		},
		{
			ID: "here", Home: "app", Query: "who asks for hot water", Repo: "app",
			Expect: []string{"brew.go", "one.go", "two.go"},
		},
		{ID: "nowhere", Home: "app", Query: "x", Repo: "gone", Expect: []string{"y"}},
	}
	code := []doc.Kind{doc.Code}
	o := Options{Named: func(name string) (project.Place, error) {
		return visit.FindPlace(app, name)
	}, Shared: func(project.Place) []doc.Kind { return code }}
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
	scrapetest.Must(t, mother.Link(t.Context(), app.Home,
		mother.Edge{From: app.ID, To: lib.ID, Relation: mother.Uses, Weight: mother.StartWeight}))
	after := run()
	if a := arm(after.Elsewhere, Routed); a.Asked.Mean != 1 || a.File.Mean != 1 || a.Five.Mean != 1 {
		t.Errorf("with an edge: %+v", a)
	}
	if a := arm(after.Local, Routed); a.N != 1 || a.Change.Mean < -0.5 || arm(after.Local, AtHome).Change.Mean != 0 {
		t.Errorf("at home: %+v", a)
	}
	var b bytes.Buffer
	scrapetest.Must(t, after.Text(&b))
	for _, want := range []string{
		"answered elsewhere (n=1, 2 repositories)", "answered at home (n=1",
		"not registered: gone: 1 questions left out",
	} {
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

// hubWords are the subjects of a hub's nineteen libraries: the name of each, and the name of a
// function in it.
var hubWords = [][2]string{
	{"almanac", "sunrise"},
	{"bellows", "pump"},
	{"cistern", "drain"},
	{"dovetail", "joint"},
	{"ember", "glow"},
	{"falcon", "swoop"},
	{"gasket", "seal"},
	{"hammock", "sway"},
	{"icicle", "melt"},
	{"jigsaw", "carve"},
	{"kiln", "glaze"},
	{"lantern", "flicker"},
	{"mortar", "grind"},
	{"nettle", "sting"},
	{"orchard", "prune"},
	{"pebble", "skip"},
	{"quarry", "hew"},
	{"rudder", "steer"},
	{"sundial", "shade"},
}

// A hub asks, among nineteen libraries of two files, the one that has the rare word of a question,
// and the one that defines a name which no words describe. A library asks its user and, through it,
// another library.
func TestAHubAsksTheLibraryThatKnows(t *testing.T) {
	t.Setenv("PATINA_HOME", t.TempDir())
	hub := layTree(t, "hub", map[string]string{
		"main.go": "package main\n\n// main starts the server and waits for requests of the gateway.\nfunc main() { serve() }\n",
	})
	libraries := make([]project.Place, len(hubWords))
	for i, w := range hubWords {
		libraries[i] = layTree(t, w[0], map[string]string{
			w[0] + ".go":                           fmt.Sprintf("package %s\n\n// Open makes the %s ready.\nfunc Open() { zq%dx() }\n", w[0], w[0], i),
			w[1] + ".go":                           fmt.Sprintf("package %s\n\nfunc zq%dx() { %s() }\n\n// %s is done slowly.\nfunc %s() {}\n", w[0], i, w[1], w[1], w[1]),
			"layer/surface/epistemic/beliefs/b.md": fmt.Sprintf("---\nid: b\ntype: belief\nentrenchment: 0.9\nstatus: active\n---\n\n# b\n\nSevastopol%d is the reason for all of it.\n\n## Evidence\n\n- [[%s.go]] - so it says\n", i, w[0]),
		})
	}
	all, err := registry.Projects(hub.Home)
	scrapetest.Must(t, err)
	for _, p := range all {
		scrapetest.Must(t, mother.Put(t.Context(), hub.Home, mother.Repository{ID: p.ID, Name: p.Name, Root: p.Root}))
	}
	for _, l := range libraries {
		scrapetest.Must(t, mother.Link(t.Context(), hub.Home,
			mother.Edge{From: hub.ID, To: l.ID, Relation: mother.Uses, Weight: mother.StartWeight}))
	}
	asks := func(from project.Place, question string, want project.Place) {
		t.Helper()
		r, err := visit.RouteByWords(t.Context(), from, nil, question)
		scrapetest.Must(t, err)
		for _, v := range r.Visits {
			if v.ID == want.ID {
				return
			}
		}
		t.Errorf("%s, asked %q, does not ask %s: %+v", from.Name, question, want.Name, r.Choices)
	}
	for i, w := range hubWords {
		asks(hub, "how is the "+w[0]+" made ready", libraries[i])
		asks(hub, "where does it "+w[1]+" slowly", libraries[i])
		asks(hub, fmt.Sprintf("what is zq%dx()", i), libraries[i])
		asks(hub, fmt.Sprintf("why sevastopol%d", i), libraries[i])
	}
	asks(libraries[0], "who waits for requests of the gateway", hub)
	asks(libraries[0], "how is the "+hubWords[5][0]+" made ready", libraries[5])
}

// A project whose code lacks the words of a question is asked because a belief of it states
// them, unless it does not show its beliefs.
func TestABeliefDecidesAVisit(t *testing.T) {
	t.Setenv("PATINA_HOME", t.TempDir())
	code := func(pkg, about string) map[string]string {
		files := map[string]string{}
		for i := range 40 {
			files[fmt.Sprintf("f%02d.go", i)] = fmt.Sprintf("package %s\n\n// Step%d %s.\nfunc Step%d() {}\n", pkg, i, about, i)
		}
		return files
	}
	believer := code("lib", "puts a page on the freelist")
	believer["layer/surface/epistemic/beliefs/wrap.md"] = "---\nid: wrap\ntype: belief\nentrenchment: 0.9\nstatus: active\n---\n\n# wrap\n\n" +
		"Errors are wrapped with their cause, once.\n"
	app := layTree(t, "app", code("app", "returns the error of a handler"))
	lib, other := layTree(t, "lib", believer), layTree(t, "other", code("other", "draws a line of pixels"))
	all, err := registry.Projects(app.Home)
	scrapetest.Must(t, err)
	for _, p := range all {
		scrapetest.Must(t, mother.Put(t.Context(), app.Home, mother.Repository{ID: p.ID, Name: p.Name, Root: p.Root}))
	}
	for _, p := range []project.Place{lib, other} {
		scrapetest.Must(t, mother.Link(t.Context(), app.Home,
			mother.Edge{From: app.ID, To: p.ID, Relation: mother.LearnsFrom, Weight: mother.StartWeight}))
	}
	asked := func(question string) (names string) {
		t.Helper()
		r, err := visit.RouteByWords(t.Context(), app, nil, question)
		scrapetest.Must(t, err)
		for _, v := range r.Visits {
			names += v.Name
		}
		return names
	}
	for question, want := range map[string]string{
		"how should I handle errors":   "lib",
		"where is the error of a step": "", // home's words
		"errors":                       "", // a name
	} {
		if got := asked(question); got != want {
			t.Errorf("%s asks %q, want %q", question, got, want)
		}
	}
	scrapetest.Must(t, os.WriteFile(filepath.Join(lib.Root, ".patina.toml"), []byte("share = [\"code\"]\n"), 0o600))
	if got := asked("how should I handle errors"); got != "" {
		t.Errorf("asks %q, which does not show its beliefs", got)
	}
}
