package actors

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
)

// A beat comes from the actors of the projects, each in its turn, and does not come from one that
// hangs.
func TestBeat(t *testing.T) {
	p, q := newProject(t, "app"), newProject(t, "web")
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Projects: []Project{p, q}})
		for range 4 {
			if err := e.Beat(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		healthy := e.members[0].pid
		e.members[0].pid = actor.Func(func(any, *actor.PID) {}) // as an actor that hangs
		failed := 0
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
			if err := e.Beat(ctx); errors.Is(err, context.DeadlineExceeded) {
				failed++
			} else if err != nil {
				t.Error(err)
			}
			cancel()
		}
		if failed != 1 {
			t.Errorf("%d of 2 beats missed", failed)
		}
		e.members[0].pid = healthy
		if err := e.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := e.Beat(t.Context()); !errors.Is(err, api.ErrClosed) {
			t.Error(err)
		}
	})
	empty := newEngine(t, Options{Lazy: true})
	if err := empty.Beat(t.Context()); err != nil {
		t.Error(err)
	}
}
