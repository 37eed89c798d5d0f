package actors

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/api"
	"patina/store"
)

// A disk that hangs while an index is opened must cost a question only its time. When the disk
// answers, questions do.
func TestDeadlineCoversOpening(t *testing.T) {
	p := newProject(t, "p")
	synctest.Test(t, func(t *testing.T) {
		hangs := make(chan struct{})
		e := inBubble(t, Options{
			Projects: []Project{p}, Within: time.Millisecond,
			load: loadAfter(hangs),
		})
		ask := api.Request{Text: "evict cache", Timeout: 100 * time.Millisecond}
		a, err := e.Scry(t.Context(), ask)
		if err != nil || !a.Partial || len(a.Results) > 0 || len(a.Channels) != len(e.members[0].channels) {
			t.Fatalf("%+v, %v", a, err)
		}
		if a.Took > ask.Timeout {
			t.Errorf("the answer took %s", a.Took)
		}
		for _, c := range a.Channels {
			if c.Status != api.Deadline || c.Detail != api.ErrNotOpen.Error() {
				t.Errorf("%+v", c)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := e.Detail(ctx, api.DetailRequest{DocID: "GUIDE.md"}); !errors.Is(err, context.Canceled) {
			t.Errorf("detail: %v", err)
		}
		close(hangs)
		ask.Timeout = ample
		if a, err := e.Scry(t.Context(), ask); err != nil || a.Partial || len(a.Results) == 0 {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// An index that opens after the engine was closed must be closed.
func TestCloseWhileOpening(t *testing.T) {
	hangs := make(chan struct{})
	e := newEngine(t, Options{
		Projects: []Project{newProject(t, "p")}, Within: time.Millisecond,
		load: loadAfter(hangs),
	})
	index := e.members[0].host.index
	if err := e.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	index.mu.Lock()
	o := index.opening
	index.mu.Unlock()
	close(hangs)
	if <-o.done; o.s != nil || !errors.Is(o.err, api.ErrClosed) {
		t.Errorf("%v, %v", o.s, o.err)
	}
} // newEngine looks for the goroutines of a store that is open

// An opening that panics must fail the question, not the process.
func TestPanicWhileOpening(t *testing.T) {
	_, err := Open(Options{
		Projects: []Project{{Name: "p"}},
		load:     func(Project) (*store.Store, error) { panic("torn page") },
	})
	if err == nil || !strings.Contains(err.Error(), "torn page") {
		t.Errorf("%v", err)
	}
}
