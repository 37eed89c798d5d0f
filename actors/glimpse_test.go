package actors

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"patina/actors/api"
	"patina/oracles"
)

// waitsFor returns a script that answers with files once a gate is open. It counts its calls.
func waitsFor(gate <-chan struct{}, calls *atomic.Int32, paths ...string) func(context.Context, oracles.Question) ([]oracles.List, error) {
	return func(ctx context.Context, q oracles.Question) ([]oracles.List, error) {
		calls.Add(1)
		select {
		case <-gate:
			return finds(paths...)(ctx, q)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// withoutTimes returns an answer without what differs between two equal questions.
func withoutTimes(a *api.Answer) api.Answer {
	out := *a
	out.QueryID, out.Took, out.Channels = "", 0, slices.Clone(a.Channels)
	for i := range out.Channels {
		out.Channels[i].Elapsed = 0
	}
	return out
}

// A caller who looks sees what home has found while another project is asked, and then the answer
// that it would have got otherwise. Everybody is asked once.
func TestGlimpseOfHome(t *testing.T) {
	home, other := newProject(t, "home"), newProject(t, "other")
	gate, calls := make(chan struct{}), new(atomic.Int32)
	other.Oracles = []oracles.Oracle{script{"slow", waitsFor(gate, calls, "cache/cache.go")}}
	asked := new(atomic.Int32)
	open := make(chan struct{})
	close(open)
	e := newEngine(t, Options{Projects: []Project{home}, Oracles: []oracles.Oracle{script{"lexical", waitsFor(open, asked, "net/dial.go")}}})
	if err := e.Visit(other); err != nil {
		t.Fatal(err)
	}
	q := api.Request{Text: "dial", Home: "home", Projects: []string{"home", "other"}, Timeout: ample}
	shown := 0
	a, err := e.Glimpse(t.Context(), q, func(g *api.Glimpse) {
		shown++
		if !slices.Equal(g.Awaited, []string{"other"}) || len(g.Results) == 0 || g.Results[0].Bare ||
			g.Results[0].Rank != 1 || len(g.Results[0].Lines) == 0 {
			t.Errorf("shown first: awaited %q, %+v", g.Awaited, g.Results)
		}
		for _, r := range g.Results {
			if r.Key.Project != "home" {
				t.Errorf("a result of %q, which has not answered", r.Key.Project)
			}
		}
		if shown == 1 {
			close(gate)
		}
	})
	if err != nil || shown != 1 {
		t.Fatalf("%d glimpses, %v", shown, err)
	}
	if asked.Load() != 2 || calls.Load() != 1 { // the words are a channel of both
		t.Errorf("words were asked %d times, want 2, and the slow channel %d times, want 1", asked.Load(), calls.Load())
	}
	want, err := e.Scry(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := withoutTimes(a), withoutTimes(want); !reflect.DeepEqual(got, want) {
		t.Errorf("after a glimpse %+v\nwithout %+v", got, want)
	}
	if _, err = e.Glimpse(t.Context(), api.Request{Timeout: ample}, func(*api.Glimpse) { t.Error("shown") }); err == nil {
		t.Error("an empty question is answered")
	}
}

// A channel that is late costs the glimpse only its own list.
func TestGlimpseWithoutLateChannel(t *testing.T) {
	gate, calls := make(chan struct{}), new(atomic.Int32)
	e := newEngine(t, Options{Projects: []Project{newProject(t, "home")}, Oracles: []oracles.Oracle{
		script{"lexical", finds("net/dial.go")}, script{"slow", waitsFor(gate, calls, "cache/cache.go")},
	}})
	q, shown := api.Request{Text: "dial", Timeout: ample}, 0
	a, err := e.Glimpse(t.Context(), q, func(g *api.Glimpse) {
		if shown++; shown > 1 {
			t.Errorf("shown again, while nothing more has come: %+v", g)
		}
		if !slices.Equal(g.Awaited, []string{"slow"}) || len(g.Results) == 0 || g.Results[0].Path != "net/dial.go" {
			t.Errorf("awaited %q, %+v", g.Awaited, g.Results)
		}
		close(gate)
	})
	if err != nil || shown != 1 || calls.Load() != 1 {
		t.Fatalf("%d glimpses, %d calls, %v", shown, calls.Load(), err)
	}
	want, err := e.Scry(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := withoutTimes(a), withoutTimes(want); !reflect.DeepEqual(got, want) {
		t.Errorf("after a glimpse %+v\nwithout %+v", got, want)
	}
}

// Those that are still asked end when the caller leaves.
func TestGlimpseEndsWithItsCaller(t *testing.T) {
	home, other := newProject(t, "home"), newProject(t, "other")
	ended := make(chan struct{})
	other.Oracles = []oracles.Oracle{script{"slow", func(ctx context.Context, _ oracles.Question) ([]oracles.List, error) {
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}}}
	e := newEngine(t, Options{Projects: []Project{home}, Oracles: []oracles.Oracle{script{"lexical", finds("net/dial.go")}}})
	if err := e.Visit(other); err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	_, err := e.Glimpse(ctx, api.Request{Text: "dial", Home: "home", Projects: []string{"home", "other"}, Timeout: ample}, func(*api.Glimpse) { leave() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the other project is still asked")
	}
}
