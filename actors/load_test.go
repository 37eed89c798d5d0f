package actors

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/api"
	"patina/oracles"
)

// Calls that ignore their context hold their slots and readers. The channel must be named, and the
// others must still get readers.
func TestCallsThatNeverReturn(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		e := inBubble(t, Options{Projects: []Project{p}, Slots: 3, Oracles: []oracles.Oracle{
			script{"stuck", func(context.Context, oracles.Question) ([]oracles.List, error) {
				<-release
				return nil, nil
			}},
			script{"lexical", finds("net/dial.go")},
		}})
		// The channel has two slots, one less than there are. Calls are given up once they are long
		// overdue.
		for i, want := range []api.Status{api.Deadline, api.Deadline, api.Deadline, api.Deadline, api.Unavailable} {
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if s := stateOf(t, a, "stuck"); s.Status != want {
				t.Errorf("question %d: %+v, want %s", i, s, want)
			}
			if s := stateOf(t, a, "lexical"); s.Status != api.OK || len(a.Results) != 1 {
				t.Errorf("question %d: %+v, %d results", i, s, len(a.Results))
			}
		}
		close(release)
	})
}

func TestOverload(t *testing.T) {
	entered, release := make(chan struct{}, 1000), make(chan struct{})
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}, Slots: 2, Oracles: []oracles.Oracle{
		script{"slow", func(ctx context.Context, _ oracles.Question) ([]oracles.List, error) {
			entered <- struct{}{}
			<-release
			return nil, nil
		}},
	}})
	answers := make(chan *api.Answer, waiting+3)
	scry := func() {
		a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}
	for range waiting + 3 { // 2 slots, the queue, and one too many
		go scry()
	}
	a := <-answers // only the one that was turned away can answer before the release
	if s := stateOf(t, a, "slow"); s.Status != api.Overloaded || !a.Partial {
		t.Errorf("%+v", s)
	}
	<-entered
	close(release)
	for range waiting + 2 {
		if s := stateOf(t, <-answers, "slow"); s.Status != api.Empty {
			t.Errorf("%+v", s)
		}
	}
}

func TestThousandAtOnce(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "a"), newProject(t, "b")}})
	var answered, shed atomic.Int32
	ids := sync.Map{}
	var all sync.WaitGroup
	for range 1000 {
		all.Go(func() {
			a, err := e.Scry(t.Context(), api.Request{Text: "evict the cache", Timeout: ample})
			if err != nil {
				t.Error(err)
				return
			}
			if _, twice := ids.LoadOrStore(a.QueryID, true); twice {
				t.Errorf("id %s given twice", a.QueryID)
			}
			if len(a.Channels) != 8 {
				t.Errorf("channels %+v", a.Channels)
			}
			for _, c := range a.Channels {
				switch c.Status {
				case api.OK:
					answered.Add(1)
				case api.Overloaded:
					shed.Add(1)
				default:
					t.Errorf("%+v", c)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d channels answered, %d overloaded", answered.Load(), shed.Load())
	if answered.Load() < 2*waiting {
		t.Errorf("only %d channels answered", answered.Load())
	}
}

func TestCancelledCallerFreesEverything(t *testing.T) {
	entered := make(chan struct{}, 1)
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}, Oracles: []oracles.Oracle{
		script{"lexical", func(ctx context.Context, q oracles.Question) ([]oracles.List, error) {
			if q.Text == "quick" {
				return finds("net/dial.go")(ctx, q)
			}
			entered <- struct{}{}
			return sleeps(ctx, q)
		}},
	}})
	for range 2 * defaultSlots { // more than there are slots: each must come back
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := e.Scry(ctx, api.Request{Text: "dial", Timeout: ample})
			done <- err
		}()
		<-entered
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if a, err := e.Scry(t.Context(), api.Request{Text: "quick", Timeout: ample}); err != nil || len(a.Results) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

// BenchmarkScatter measures a query without its oracles: actors, the pin, evidence about nothing,
// fusion.
func BenchmarkScatter(b *testing.B) {
	p := newProject(b, "app")
	nothing := func(context.Context, oracles.Question) ([]oracles.List, error) { return nil, nil }
	var os []oracles.Oracle
	for i := range 6 {
		os = append(os, script{fmt.Sprint("oracle", i), nothing})
	}
	e := newEngine(b, Options{Projects: []Project{p}, Oracles: os, Slots: 2})
	b.Run("scry", func(b *testing.B) {
		for b.Loop() {
			if _, err := e.Scry(b.Context(), api.Request{Text: "nothing"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("pin", func(b *testing.B) { // the store's part
		for b.Loop() {
			pin, err := e.members[0].host.index.pin(b.Context(), len(os))
			if err != nil {
				b.Fatal(err)
			}
			pin.Close()
		}
	})
}
