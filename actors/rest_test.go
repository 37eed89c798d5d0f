package actors

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"patina/actors/api"
)

// opened returns the names of the projects whose index is open.
func (e *Engine) opened() (names []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.members {
		if m.host.index.isOpen() {
			names = append(names, m.from)
		}
	}
	slices.Sort(names)
	return names
}

// Indexes that were not used for long are closed, and those used least recently if there are too
// many. The next question opens them again.
func TestRest(t *testing.T) {
	a, b, c := newProject(t, "a"), newProject(t, "b"), newProject(t, "c")
	e := newEngine(t, Options{Lazy: true, Projects: []Project{a, b, c}})
	ask := func(project string) {
		t.Helper()
		r, err := e.Scry(t.Context(), api.Request{Text: "dial", Projects: []string{project}, Timeout: ample})
		if err != nil || r.Partial || len(r.Results) == 0 {
			t.Errorf("%s: %+v, %v", project, r, err)
		}
	}
	if n := e.Rest(0, 0); n != 0 {
		t.Errorf("%d of none were closed", n)
	}
	for _, p := range []string{"b", "c", "a"} {
		ask(p)
	}
	for _, test := range []struct {
		unused time.Duration
		most   int
		want   []string
	}{
		{ample, 3, []string{"a", "b", "c"}},
		{ample, 2, []string{"a", "c"}},
		{0, 2, nil},
	} {
		before := len(e.opened())
		if n := e.Rest(test.unused, test.most); n != before-len(test.want) || !slices.Equal(e.opened(), test.want) {
			t.Errorf("%v: %d closed, open are %v", test, n, e.opened())
		}
	}
	ask("b")
	if got := e.opened(); !slices.Equal(got, []string{"b"}) {
		t.Errorf("open are %v", got)
	}
}

// Closing indexes costs no question, at whatever moment it comes: neither one of the engine nor one
// of a Target that was taken before.
func TestRestCostsNoQuestion(t *testing.T) {
	e := newEngine(t, Options{Lazy: true, Slots: 8, Projects: []Project{newProject(t, "a"), newProject(t, "b")}})
	target, err := e.Target("b")
	if err != nil {
		t.Fatal(err)
	}
	outer := newEngine(t, Options{Lazy: true})
	if err := outer.AddTarget(target); err != nil {
		t.Fatal(err)
	}
	var ended atomic.Bool
	var askers sync.WaitGroup
	for _, x := range []struct {
		engine  *Engine
		project string
	}{{e, "a"}, {e, "b"}, {outer, "b"}, {outer, "b"}} {
		askers.Go(func() {
			for i := range 100 {
				r := api.Request{Text: "dial", Projects: []string{x.project}, Timeout: ample}
				if a, err := x.engine.Scry(context.Background(), r); err != nil || a.Partial || len(a.Results) == 0 {
					t.Errorf("question %d: %+v, %v", i, a, err)
					return
				}
			}
		})
	}
	closed := 0
	var closer sync.WaitGroup
	closer.Go(func() {
		for !ended.Load() {
			closed += e.Rest(0, 0)
		}
	})
	askers.Wait()
	ended.Store(true)
	closer.Wait()
	if closed < 10 {
		t.Errorf("%d indexes were closed", closed)
	}
	t.Logf("%d indexes were closed", closed)
}
