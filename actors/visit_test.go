package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/api"
	"patina/actors/ranking"
	"patina/oracles"
	"patina/store/doc"
)

// Visited projects are asked only if they are named, and few stay open.
func TestVisitsAreBounded(t *testing.T) {
	e, err := Open(Options{Lazy: true, Projects: []Project{{ID: "0", Name: "home", StoreDir: t.TempDir()}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(context.Background()) }()
	for i := range 3 * mostVisited {
		if err := e.Visit(Project{ID: fmt.Sprint(i + 1), Name: fmt.Sprint("p", i), StoreDir: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
	}
	e.mu.Lock()
	var names []string
	for _, m := range e.members {
		names = append(names, m.from)
	}
	e.mu.Unlock()
	if len(names) != 1+mostVisited || names[0] != "home" || !slices.Contains(names, fmt.Sprint("p", 3*mostVisited-1)) {
		t.Errorf("open are %v", names)
	}
	a, err := e.Scry(context.Background(), api.Request{Text: "how are rows locked", Timeout: ample})
	if err != nil || len(a.Indexes) != 1 || a.Indexes[0].Project != "home" {
		t.Errorf("home alone: %v, %+v", err, a)
	}
	last := names[len(names)-1]
	a, err = e.Scry(context.Background(), api.Request{Text: "how are rows locked", Home: "home", Projects: []string{"home", last}, Timeout: ample})
	if err != nil || len(a.Indexes) != 2 {
		t.Errorf("home and %s: %v, %+v", last, err, a)
	}
}

// A project shows the kinds that it shares, and nothing if a question wants only others.
func TestProjectsShowWhatTheyShare(t *testing.T) {
	h := &host{project: Project{Kinds: []doc.Kind{doc.Code, doc.Commit}}}
	for _, test := range []struct{ asked, want []doc.Kind }{
		{nil, []doc.Kind{doc.Code, doc.Commit}},
		{[]doc.Kind{doc.Commit, doc.Session}, []doc.Kind{doc.Commit}},
		{[]doc.Kind{doc.Session}, []doc.Kind{noKind}},
	} {
		if got := h.limited(&api.Ask{Filter: doc.Filter{Kinds: test.asked}}).Filter.Kinds; !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.asked, got, test.want)
		}
	}
}

// If oracles of a visited project sleep and panic, home must answer completely within the time, and
// the failures must be named.
func TestTroubleElsewhereCostsHomeNothing(t *testing.T) {
	home, other := newProject(t, "home"), newProject(t, "other")
	other.Oracles = []oracles.Oracle{
		script{"late", sleeps},
		script{"broken", func(context.Context, oracles.Question) ([]oracles.List, error) { panic("torn page") }},
	}
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Projects: []Project{home}, Oracles: []oracles.Oracle{script{"lexical", finds("net/dial.go")}}})
		if err := e.Visit(other); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Home: "home", Projects: []string{"home", "other"}, Timeout: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			from, states := map[string]bool{}, map[string]api.Status{}
			for _, r := range a.Results {
				from[r.Key.Project] = true
			}
			for _, c := range a.Channels {
				states[c.Project+" "+c.Channel] = c.Status
			}
			if !from["home"] || !from["other"] || !a.Partial {
				t.Errorf("partial %v, results of %v", a.Partial, from)
			}
			for channel, want := range map[string]api.Status{"home lexical": api.OK, "other lexical": api.OK, "other late": api.Deadline, "other broken": api.Failed} {
				if states[channel] != want {
					t.Errorf("%s: %s, want %s", channel, states[channel], want)
				}
			}
		}
	})
}

// Home must be asked for all hits and a visited project for fewer. A question about one project
// visits no other.
func TestVisitedProjectsAreAskedForLess(t *testing.T) {
	var read ranking.Readings
	for _, test := range []struct {
		home, project string
		limit         int
		visit         bool
		hits          int
	}{
		{"", "a", 10, false, 100},
		{"a", "a", 10, false, 100},
		{"a", "b", 10, true, 30},
		{"a", "b", 50, true, 150},
	} {
		f := &fusionActor{scry: &scry{question: ranking.Question{Request: api.Request{Text: "rows", Home: test.home, Limit: test.limit, Timeout: ample}}}}
		ask := f.ask(test.project)
		if got := read.QuestionOf(ask); got.Visit != test.visit || got.Limit != test.hits {
			t.Errorf("%q asked from %q: visit %v, %d hits", test.project, test.home, got.Visit, got.Limit)
		}
	}
}

// If several visit a project at once, each must find it.
func TestVisitsAtOnce(t *testing.T) {
	e := newEngine(t, Options{Lazy: true})
	var all sync.WaitGroup
	for i := range 4 * mostVisited {
		all.Go(func() {
			if err := e.Visit(Project{Name: fmt.Sprint("p", i%2), StoreDir: t.TempDir()}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := e.Open(); n != 2 {
		t.Errorf("%d projects are open", n)
	}
}

// A look-up in a visited project counts as a use.
func TestLookUpsAreVisits(t *testing.T) {
	first, second := newProject(t, "first"), newProject(t, "second")
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Lazy: true})
		for _, p := range []Project{first, second} {
			if err := e.Visit(p); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second) // of the bubble's clock
		}
		if _, err := e.Packages(t.Context(), api.PackagesRequest{ReadOptions: api.ReadOptions{Project: "first"}}); err != nil {
			t.Fatal(err)
		}
		if p, _ := e.LeastVisited(); p != "second" {
			t.Errorf("unused for longest is %s", p)
		}
	})
}

// A project without kinds shows nothing, and one with nil kinds shows all.
func TestNothingIsShown(t *testing.T) {
	ask := &api.Ask{Filter: doc.Filter{Kinds: []doc.Kind{doc.Code}}}
	closed := &host{project: Project{Kinds: []doc.Kind{}}}
	for _, a := range []*api.Ask{ask, {}} {
		if got := closed.limited(a).Filter.Kinds; !slices.Equal(got, []doc.Kind{noKind}) {
			t.Errorf("asked for %v, limited to %v", a.Filter.Kinds, got)
		}
	}
	if got := (&host{}).limited(ask); got != ask {
		t.Errorf("home is limited to %v", got.Filter.Kinds)
	}
}

// A visit must not use an open index if the kinds of the project have changed.
func TestSameVisit(t *testing.T) {
	before := Project{StoreDir: "/lib", Kinds: []doc.Kind{doc.Code}}
	for _, test := range []struct {
		kinds []doc.Kind
		same  bool
	}{{[]doc.Kind{doc.Code}, true}, {[]doc.Kind{}, false}, {nil, false}, {[]doc.Kind{doc.Commit}, false}} {
		if got := before.sameVisit(Project{StoreDir: "/lib", Kinds: test.kinds}); got != test.same {
			t.Errorf("%v: %v", test.kinds, got)
		}
	}
}

// A visit to another machine is one member of the engine under its own name, as long as target and
// kinds are the same, and shows the wanted kinds only. A copy of home is refused.
func TestVisitsToOtherMachines(t *testing.T) {
	p := newProject(t, "home")
	p.Repository = "git.example.com/team/home"
	e := newEngine(t, Options{Projects: []Project{p}})
	far := newEngine(t, Options{Projects: []Project{newProject(t, "git.example.com/team/lib")}})
	lib, err := far.Target("git.example.com/team/lib")
	if err != nil {
		t.Fatal(err)
	}
	x := Project{ID: "0123456789abcdef", Name: "lib"}
	ask := func(kinds ...doc.Kind) *api.Answer {
		t.Helper()
		x.Kinds = kinds
		for range 3 {
			if err := e.VisitTarget(x, lib); err != nil {
				t.Fatal(err)
			}
		}
		q := api.Request{Text: "dial a connection with retries", Projects: []string{"home", "lib"}, Timeout: ample}
		a, err := e.Scry(t.Context(), q)
		if err != nil || len(a.Indexes) != 2 || e.Open() != 2 {
			t.Fatalf("%v, %+v, %d open", err, a, e.Open())
		}
		return a
	}
	theirs := func(a *api.Answer) (n int) {
		for _, r := range a.Results {
			if r.Key.Project == "lib" {
				n++
			}
		}
		return n
	}
	if a := ask(doc.Code); theirs(a) == 0 || a.Partial {
		t.Errorf("code: %+v", a)
	}
	if a := ask(); theirs(a) == 0 {
		t.Errorf("all kinds: %+v", a.Results)
	}
	if a := ask(doc.Session); theirs(a) != 0 {
		t.Errorf("sessions alone: %+v", a.Results)
	}
	if a, err := e.Packages(t.Context(), api.PackagesRequest{ReadOptions: api.ReadOptions{Project: "0123456789abcdef"}}); err != nil || a.Index.Project != "lib" {
		t.Errorf("by its id: %+v, %v", a, err)
	}
	if a, err := e.Packages(t.Context(), api.PackagesRequest{}); err != nil || a.Index.Project != "home" {
		t.Errorf("without a name: %+v, %v", a, err)
	}
	e.Leave("lib")
	if e.Has("lib") {
		t.Error("it has not left")
	}
	own := newEngine(t, Options{Projects: []Project{newProject(t, p.Repository)}})
	copied, err := own.Target(p.Repository)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.VisitTarget(Project{Name: "other"}, copied); !errors.Is(err, api.ErrOwn) {
		t.Errorf("home itself: %v", err)
	}
}
