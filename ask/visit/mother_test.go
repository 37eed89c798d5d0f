package visit

import (
	"context"
	"errors"
	"maps"
	"os/exec"
	"slices"
	"testing"

	"patina/actors"
	"patina/actors/api"
	"patina/ask/project"
	"patina/registry"
	"patina/registry/mother"
	"patina/registry/route"
	"patina/store/text"
)

// A told is a Mother that tells what the test says.
type told struct {
	sketches map[string]route.Sketch
	counts   text.Frequencies
	err      error
	without  []string // as last asked
}

func (m *told) Target(name string) api.Target { return absent(name) }

func (m *told) Sketches(_ context.Context, names []string) map[string]route.Sketch {
	out := maps.Clone(m.sketches)
	maps.DeleteFunc(out, func(name string, _ route.Sketch) bool { return !slices.Contains(names, name) })
	return out
}

func (m *told) Counts(_ context.Context, _, without []string) (text.Frequencies, error) {
	m.without = without
	return m.counts, m.err
}

// A hosting is a Host that notes who is added.
type hosting struct{ here, far []string }

func (h *hosting) Visit(p actors.Project) error {
	h.here = append(h.here, p.Name)
	return nil
}

func (h *hosting) VisitTarget(p actors.Project, t api.Target) error {
	h.far = append(h.far, p.Name+" "+t.Name())
	return nil
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// laid registers a project whose origin is an address, and returns its place.
func laid(t *testing.T, home, name, origin string) project.Place {
	t.Helper()
	root := t.TempDir() + "/" + name
	check(t, exec.Command("git", "init", "-q", root).Run())
	if origin != "" {
		check(t, exec.Command("git", "-C", root, "remote", "add", "origin", origin).Run())
	}
	x, err := registry.Register(home, root, root+"/.patina")
	check(t, err)
	return project.Place{Project: x, Home: home}
}

func sketchOf(terms map[string]int) route.Sketch {
	return route.New(route.Contents{Chunks: 100, Counted: 100, Terms: terms})
}

// Edges to far repositories are followed by their sketches. The words of other machines count once:
// as the front tells them, without the repositories that are here, too.
func TestRouteToFarRepositories(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	app := laid(t, home, "app", "https://git.example.com/team/app")
	check(t, registry.PutSketch(home, app.ID, sketchOf(map[string]int{"serv": 50, "page": 2}).Bytes()))
	const name = "git.example.com/team/wal"
	id, err := mother.AddFar(ctx, home, name)
	check(t, err)
	check(t, mother.Link(ctx, home, mother.Edge{From: app.ID, To: id, Relation: mother.Uses}))
	m := &told{
		sketches: map[string]route.Sketch{name: sketchOf(map[string]int{"page": 60, "log": 40})},
		counts:   text.Frequencies{Chunks: 1000, Terms: map[string]int{"page": 300}},
	}
	r, err := RouteByWords(ctx, app, m, "which page is in the log")
	check(t, err)
	if len(r.Visits) != 1 || r.Visits[0].Far != name || r.Visits[0].Name != "wal" || r.Visits[0].Relation != mother.Uses || !r.Visits[0].Alone {
		t.Fatalf("%+v", r)
	}
	ask := func() (api.Request, string, *hosting) {
		t.Helper()
		h := &hosting{}
		q, note, err := Widen(ctx, app, h, m, api.Request{Text: "which page is in the log"}, r)
		check(t, err)
		return q, note, h
	}
	q, note, h := ask()
	if note != "" || !slices.Equal(h.far, []string{"wal " + name}) || len(h.here) > 0 || !slices.Equal(q.Projects, []string{"app", "wal"}) {
		t.Errorf("%+v, %q, %+v", q, note, h)
	}
	if !slices.Equal(m.without, []string{"git.example.com/team/app"}) {
		t.Errorf("counted twice unless left out: %q", m.without)
	}
	if got := q.Counts.Chunks - backgroundChunks; got != 1100 {
		t.Errorf("%d chunks, want 1,000 of others and 100 of home", got)
	}
	m.err = errors.New("no answer within 50 ms")
	if q, note, _ = ask(); note == "" || q.Counts.Chunks-backgroundChunks != 200 {
		t.Errorf("late: %q, %d chunks", note, q.Counts.Chunks-backgroundChunks)
	}
	if r, err = RouteByWords(ctx, app, m, "how is it served"); err != nil || len(r.Visits) != 0 {
		t.Errorf("a question about home: %+v, %v", r.Visits, err)
	}
	if r, err = RouteByWords(ctx, app, nil, "which page is in the log"); err != nil || len(r.Visits) != 0 {
		t.Errorf("without a Mother: %+v, %v", r.Visits, err)
	}
	q, note, err = Widen(ctx, app, &hosting{}, nil, api.Request{Text: "page"}, Route{Visits: []Visit{{Place: project.Place{
		Project: registry.Project{ID: id, Name: "wal", Far: name},
	}, Name: "wal"}}})
	if err != nil || note != "" || len(q.Projects) != 2 {
		t.Errorf("without a Mother: %+v, %q, %v", q, note, err)
	}
}

// Edges to a far repository lead to its copy on this machine, and none leads home.
func TestCopiesOfFarRepositories(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	app := laid(t, home, "app", "https://git.example.com/team/app")
	library := laid(t, home, "library", "git@git.example.com:team/lib.git")
	for _, name := range []string{"git.example.com/team/lib", "git.example.com/team/app"} {
		id, err := mother.AddFar(ctx, home, name)
		check(t, err)
		check(t, mother.Link(ctx, home, mother.Edge{From: app.ID, To: id, Relation: mother.Uses}))
	}
	linked, err := RouteToLinked(ctx, app, &told{}, 5)
	check(t, err)
	if len(linked.Visits) != 1 || linked.Visits[0].Root != library.Root || linked.Visits[0].Relation != mother.Uses {
		t.Errorf("%+v", linked.Visits)
	}
	named, err := RouteToNamed(ctx, app, &told{}, []string{"git.example.com/team/lib", "library", "git.example.com/team/app"})
	check(t, err)
	if len(named.Visits) != 1 || named.Visits[0].Root != library.Root {
		t.Errorf("%+v", named.Visits)
	}
}

// A far repository is found by its name here, its name on all machines and its id. Of two with one
// name here, the other names tell.
func TestFarRepositoriesAreFound(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	app := laid(t, home, "app", "")
	laid(t, home, "lib", "")
	id, err := mother.AddFar(ctx, home, "git.example.com/team/lib")
	check(t, err)
	other, err := mother.AddFar(ctx, home, "git.example.com/team/wal")
	check(t, err)
	check(t, mother.Put(ctx, home, mother.Repository{ID: other, Name: "the-log"}))
	for name, want := range map[string]string{
		"git.example.com/team/lib": id, id: id, "the-log": other, "git.example.com/team/wal": other,
	} {
		if p, err := FindPlace(app, name); err != nil || p.ID != want || p.Far == "" || p.Root != "" {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
		if got, ok, err := Admit(ctx, app, name, []string{name}); err != nil || !ok || got != name {
			t.Errorf("admit %s: %q, %v, %v", name, got, ok, err)
		}
	}
	_, err = FindPlace(app, "lib")
	if e, ok := errors.AsType[*UnknownError](err); !ok || !e.Many || !slices.Contains(e.Roots, "git.example.com/team/lib") {
		t.Errorf("two are named so: %v", err)
	}
	if _, ok, err := Admit(ctx, app, "git.example.com/team/none", nil); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}
