package actors

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
)

func TestScry(t *testing.T) {
	p := newProject(t, "app")
	e := newEngine(t, Options{Projects: []Project{p}, Fresh: func(Project, doc.Generation) (int, string) { return 2, "a note" }})
	a, err := e.Scry(t.Context(), api.Request{Text: "where is the cache evicted", Timeout: ample})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Results) == 0 || a.Results[0].Path != "cache/cache.go" || a.Results[0].Symbol != "Evict" || a.Results[0].Rank != 1 {
		t.Errorf("results %+v", a.Results)
	}
	for _, c := range a.Channels {
		if c.Status != api.OK || c.Project != "app" {
			t.Errorf("%+v", c)
		}
	}
	if a.Partial || len(a.Channels) != 4 || a.Indexes[0].Behind != 2 || a.Indexes[0].Generation.Number == 0 || len(a.Notes) != 1 {
		t.Errorf("partial %v, channels %v, indexes %+v, notes %q", a.Partial, a.Channels, a.Indexes, a.Notes)
	}
}

func TestChangedFileIsMarked(t *testing.T) {
	p := newProject(t, "app")
	e := newEngine(t, Options{Projects: []Project{p}})
	if err := os.WriteFile(filepath.Join(p.Root, "cache/cache.go"), []byte("package cache // rewritten\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := e.Scry(t.Context(), api.Request{Text: "evict cache connection", Timeout: ample})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range a.Results {
		if r.Changed != (r.Path == "cache/cache.go") {
			t.Errorf("%s: changed %v", r.DocID, r.Changed)
		}
	}
	if a.Indexes[0].ChangedFiles != 1 {
		t.Errorf("%d changed files", a.Indexes[0].ChangedFiles)
	}
}

func TestExactSymbolIsShown(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	a, err := e.Scry(t.Context(), api.Request{Text: "net/dial.go::Dial", Timeout: ample})
	if err != nil {
		t.Fatal(err)
	}
	r := a.Results[0]
	if !r.Exact || r.DocID != "net/dial.go::Dial" || r.Key.ID != "net/dial.go" || r.Symbol != "Dial" {
		t.Errorf("%+v", r)
	}
	a, err = e.Scry(t.Context(), api.Request{Text: "net/dial.go::Dial", Filter: doc.Filter{Kinds: []doc.Kind{doc.Commit}}, Timeout: ample})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range a.Results {
		if r.Kind != doc.Commit {
			t.Errorf("filter let %s through", r.DocID)
		}
	}
}

// An oracle that sleeps, panics, is unavailable or is of another generation must not affect the
// last one.
func TestTroubleCostsOnlyItself(t *testing.T) {
	trouble := []oracles.Oracle{
		script{"late", sleeps},
		script{"broken", func(context.Context, oracles.Question) ([]oracles.List, error) { panic("index out of range") }},
		script{"absent", func(context.Context, oracles.Question) ([]oracles.List, error) {
			return nil, fmt.Errorf("no git history: %w", oracles.ErrUnavailable)
		}},
		script{"other", func(context.Context, oracles.Question) ([]oracles.List, error) {
			return []oracles.List{{Kind: doc.Code, Generation: 7, Hits: []doc.Ranked{{DocID: "x", Path: "x"}}}}, nil
		}},
		script{"empty", func(context.Context, oracles.Question) ([]oracles.List, error) { return nil, nil }},
		script{"lexical", finds("net/dial.go")},
	}
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Projects: []Project{p}, Oracles: trouble})
		for range 2 { // the mailboxes go on answering
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Results) != 1 || a.Results[0].Symbol != "Dial" || !a.Partial {
				t.Errorf("partial %v, results %+v", a.Partial, a.Results)
			}
			for channel, want := range map[string]struct {
				status api.Status
				detail string
			}{
				"late":    {api.Deadline, "deadline 540 ms"},
				"broken":  {api.Failed, "panic: index out of range"},
				"absent":  {api.Unavailable, "no git history"},
				"other":   {api.Failed, "list of generation 8, asked for 1"},
				"empty":   {api.Empty, ""},
				"lexical": {api.OK, ""},
			} {
				if got := stateOf(t, a, channel); got.Status != want.status || got.Detail != want.detail {
					t.Errorf("%s: %s %q, want %s %q", channel, got.Status, got.Detail, want.status, want.detail)
				}
			}
		}
	})
}

func TestRepeatedFailureRestsTheChannel(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		e := inBubble(t, Options{Projects: []Project{p}, Oracles: []oracles.Oracle{
			script{"broken", func(context.Context, oracles.Question) ([]oracles.List, error) {
				calls.Add(1)
				return nil, errors.New("disk on fire")
			}},
			script{"lexical", finds("net/dial.go")},
		}})
		ask := func(want api.Status) {
			t.Helper()
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
			if err != nil {
				t.Fatal(err)
			}
			if s := stateOf(t, a, "broken"); s.Status != want || !strings.Contains(s.Detail, "disk on fire") {
				t.Errorf("%+v, want %s", s, want)
			}
			if len(a.Results) != 1 {
				t.Errorf("the project did not go on: %+v", a.Results)
			}
		}
		rests(t, ask, api.Unavailable, &calls)
	})
}

func TestCloseWaitsForQueriesAndRefusesNew(t *testing.T) {
	p := newProject(t, "app")
	before := runtime.NumGoroutine()
	entered, release := make(chan struct{}), make(chan struct{})
	e, err := Open(Options{Projects: []Project{p}, Oracles: []oracles.Oracle{
		script{"slow", func(ctx context.Context, q oracles.Question) ([]oracles.List, error) {
			close(entered)
			<-release
			return finds("net/dial.go")(ctx, q)
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	answers, closed := make(chan *api.Answer, 1), make(chan error, 1)
	go func() {
		a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}()
	<-entered
	go func() { closed <- e.Close(t.Context()) }()
	for { // until Close has begun
		if _, err := e.Scry(t.Context(), api.Request{Text: "dial", Oracles: []string{"none"}}); err == nil {
			t.Fatal("no error")
		}
		e.queries.mu.Lock()
		begun := e.queries.closed
		e.queries.mu.Unlock()
		if begun {
			break
		}
		runtime.Gosched()
	}
	if _, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample}); !errors.Is(err, api.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := e.Detail(t.Context(), api.DetailRequest{DocID: "net/dial.go"}); !errors.Is(err, api.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	close(release)
	if a := <-answers; a == nil || len(a.Results) != 1 {
		t.Errorf("the query under way: %+v", a)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	awaitGoroutines(t, before)
}

func TestDetailAndWhy(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	d, err := e.Detail(t.Context(), api.DetailRequest{ReadOptions: patient, DocID: "net/dial.go::Dial"})
	if err != nil || d.Symbol != "Dial" || !strings.Contains(d.Body, "func Dial") {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := e.Detail(t.Context(), api.DetailRequest{ReadOptions: api.ReadOptions{Project: "id-app", Timeout: ample}, DocID: "net/none.go"}); !errors.Is(err, lookup.ErrNoDocument) {
		t.Error(err)
	}
	if _, err := e.Detail(t.Context(), api.DetailRequest{ReadOptions: api.ReadOptions{Project: "other"}, DocID: "net/dial.go"}); err == nil || !strings.Contains(err.Error(), `no project "other"; there are app`) {
		t.Error(err)
	}
	x, err := e.Why(t.Context(), api.WhyRequest{Request: api.Request{Text: "accepts a connection", Timeout: ample}, DocID: "net/dial.go::Dial"})
	if err != nil || len(x.Results) != 1 || x.Results[0].Rank != 2 || x.Ranked < 2 || len(x.Results[0].Contributions) == 0 {
		t.Errorf("%+v, %v", x, err)
	}
	if x, err = e.Why(t.Context(), api.WhyRequest{Request: api.Request{Text: "accepts a connection", Timeout: ample}, DocID: "cache/none.go"}); err != nil || len(x.Results) != 0 {
		t.Errorf("%+v, %v", x, err)
	}
}

func TestRequestsThatAreRefused(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	for _, test := range []struct {
		r    api.Request
		want string
	}{
		{api.Request{Text: " "}, "empty"},
		{api.Request{Text: "x", Oracles: []string{"lexikal"}}, `no oracle "lexikal"; there are lexical, semantic, temporal`},
		{api.Request{Text: "x", Limit: -1}, "negative"},
		{api.Request{Text: "x", Rule: "sum"}, `no rule "sum"`},
		{api.Request{Text: "x", Filter: doc.Filter{Paths: []string{"[a"}}}, `"[a"`},
	} {
		if _, err := e.Scry(t.Context(), test.r); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.r, err, test.want)
		}
	}
	a, err := e.Scry(t.Context(), api.Request{Text: "cache", Oracles: []string{"lexical", "lexical"}, Timeout: ample})
	if err != nil || len(a.Channels) != 1 || a.Channels[0].Channel != "lexical" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestProjectWithoutIndex(t *testing.T) {
	bare := Project{Name: "bare", Root: t.TempDir(), StoreDir: filepath.Join(t.TempDir(), "none")}
	if _, err := Open(Options{Projects: []Project{bare}}); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("alone: %v", err)
	}
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app"), bare}})
	a, err := e.Scry(t.Context(), api.Request{Text: "evict the cache", Timeout: ample})
	if err != nil || len(a.Results) == 0 || a.Partial {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, c := range a.Channels {
		if want := map[string]api.Status{"app": api.OK, "bare": api.Unavailable}[c.Project]; c.Status != want {
			t.Errorf("%+v, want %s", c, want)
		}
	}
	// A scrape while the engine runs must be seen.
	scraped := newProject(t, "bare")
	if err := os.Rename(scraped.StoreDir, bare.StoreDir); err != nil {
		t.Fatal(err)
	}
	if a, err = e.Scry(t.Context(), api.Request{Text: "evict the cache", Timeout: ample}); err != nil {
		t.Fatal(err)
	}
	for _, c := range a.Channels {
		if c.Status != api.OK {
			t.Errorf("after a scrape: %+v", c)
		}
	}
}

func TestSameNameTwiceIsRefused(t *testing.T) {
	p := newProject(t, "app")
	before := runtime.NumGoroutine()
	if _, err := Open(Options{Projects: []Project{p, p}}); err == nil || !strings.Contains(err.Error(), `start project "app"`) {
		t.Error(err)
	}
	awaitGoroutines(t, before)
}
