package actors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/api"
	"patina/fusion"
	"patina/store/doc"
)

// timeless returns an answer without the parts that differ between two calls.
func timeless(a *api.Answer) *api.Answer {
	out := *a
	out.Took, out.QueryID = 0, ""
	out.Channels = slices.Clone(a.Channels)
	for i := range out.Channels {
		out.Channels[i].Elapsed = 0
	}
	out.Indexes = slices.Clone(a.Indexes)
	for i, x := range out.Indexes {
		out.Indexes[i].Generation.ScrapedAt = x.Generation.ScrapedAt.Round(0).UTC()
	}
	out.Results = slices.Clone(a.Results)
	for i, r := range out.Results {
		out.Results[i].Time = r.Time.UTC()
	}
	return &out
}

func rankingOf(a *api.Answer) []fusion.Result {
	var out []fusion.Result
	for _, r := range a.Results {
		out = append(out, r.Result)
	}
	return out
}

// A project at the other end of a connection must answer as at home.
func TestRemoteAnswersAsAtHome(t *testing.T) {
	home := newEngine(t, Options{
		Projects: []Project{newProject(t, "app")},
		Fresh:    func(Project, doc.Generation) (int, string) { return 3, "a note" },
	})
	app, err := home.Target("id-app")
	if err != nil {
		t.Fatal(err)
	}
	far := newEngine(t, Options{Lazy: true})
	if err := far.AddTarget(pipe(t, app.Name(), app.Channels(), func(c net.Conn) { serve(c, app) })); err != nil {
		t.Fatal(err)
	}
	for _, r := range []api.Request{
		{Text: "where is the cache evicted"},
		{Text: "net/dial.go::Dial"},
		{Text: "why are entries evicted", Limit: 2},
		{Text: "what changed recently in the cache"},
		{Text: "connection", Oracles: []string{"semantic", "lexical"}, Rule: "rrf"},
		{Text: "connection", Filter: doc.Filter{Paths: []string{"net/**"}, Languages: []string{"go"}}},
		{Text: "Evict fails\n\n```\npanic: evict\n\tcache/cache.go:4\n```\nThe cache evicts entries when it should not.\n"},
		{Text: "zyzzyva quux"},
	} {
		r.Timeout = ample
		want, err := home.Scry(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := far.Scry(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(timeless(got), timeless(want)) {
			t.Errorf("%q: from far\n%+v\nat home\n%+v", r.Text, timeless(got), timeless(want))
		}
		if want.Partial || len(want.Channels) == 0 {
			t.Errorf("%q: %+v", r.Text, want.Channels)
		}
	}
	x, err := far.Why(t.Context(), api.WhyRequest{Request: api.Request{Text: "accepts a connection", Timeout: ample}, DocID: "net/dial.go::Dial"})
	if err != nil || len(x.Results) != 1 || x.Results[0].Rank != 2 {
		t.Errorf("%+v, %v", x, err)
	}
}

// If many ask over one connection and some cancel, each must get its own answer.
func TestRemoteUnderLoad(t *testing.T) {
	home := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	app, err := home.Target("app")
	if err != nil {
		t.Fatal(err)
	}
	far := newEngine(t, Options{Lazy: true})
	if err := far.AddTarget(pipe(t, "app", app.Channels(), func(c net.Conn) { serve(c, app) })); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%5 == 0 {
				cancel()
			}
			symbol := []string{"cache/cache.go::Evict", "net/dial.go::Dial", "net/listen.go::Listen"}[i%3]
			a, err := far.Scry(ctx, api.Request{ID: "same", Text: symbol, Timeout: ample})
			if i%5 == 0 && errors.Is(err, context.Canceled) {
				return
			}
			if err != nil || a.Partial || len(a.Results) == 0 || a.Results[0].DocID != symbol {
				t.Errorf("%s: %.300s, %v", symbol, fmt.Sprintf("%+v", a), err)
			}
		})
	}
	all.Wait()
}

// fullAsk returns an Ask for a target.
func fullAsk(query, text string) *api.Ask {
	return &api.Ask{Query: query, Text: text, Limit: 10, Budget: ample}
}

// Messages from other machines must be checked before a project sees them.
func TestTargetRefuses(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	app, err := e.Target("app")
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*api.Ask){
		"no name":               func(m *api.Ask) { m.Query = "" },
		"empty":                 func(m *api.Ask) { m.Text = " \n" },
		"budget 0s":             func(m *api.Ask) { m.Budget = 0 },
		"limit -1":              func(m *api.Ask) { m.Limit = -1 },
		`no oracle "lexikal"`:   func(m *api.Ask) { m.Oracles = []string{"lexikal"} },
		`"[a"`:                  func(m *api.Ask) { m.Filter.Paths = []string{"[a"} },
		`"first" is under way`:  func(m *api.Ask) { m.Query = "first" },
		"context deadline exce": func(*api.Ask) {},
	} {
		if want == `"first" is under way` {
			if _, err := app.Ask(t.Context(), fullAsk("first", "dial")); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := t.Context(), func() {}
		if strings.HasPrefix(want, "context") {
			ctx, cancel = context.WithTimeout(ctx, 0)
		}
		m := fullAsk("q", "dial")
		change(m)
		if _, err := app.Ask(ctx, m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		cancel()
	}
	if d, err := app.Describe(t.Context(), &api.Describe{Query: "first", Wants: []api.Want{{DocID: "net/dial.go", Kind: doc.Code}}, Budget: ample}); err != nil || len(d.Found) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := app.Describe(t.Context(), &api.Describe{Query: "first"}); err == nil || !strings.Contains(err.Error(), "no query") {
		t.Errorf("a query that is over: %v", err)
	}
	if _, err := e.Target("other"); err == nil || !strings.Contains(err.Error(), "there are app") {
		t.Error(err)
	}
}

// targetOf opens an engine in a bubble, and returns its project for others to ask.
func targetOf(t *testing.T, p Project) api.Target {
	t.Helper()
	app, err := inBubble(t, Options{Projects: []Project{p}}).Target(p.Name)
	if err != nil {
		t.Fatal(err)
	}
	return app
}

// bubble runs a subtest in a bubble of its own.
func bubble(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// changing is a target that behaves like another one, except for changes by a test.
type changing struct {
	api.Target
	ask      func(context.Context, *api.Ask) (*api.Lists, error)
	describe func(context.Context, *api.Describe) (*api.Descriptions, error)
	read     func(context.Context, api.Lookup) (any, error)
}

func (x changing) Name() string { return "far" }

func (x changing) Read(ctx context.Context, r api.Lookup) (any, error) {
	if x.read != nil {
		return x.read(ctx, r)
	}
	return x.Target.Read(ctx, r)
}

func (x changing) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	if x.ask != nil {
		return x.ask(ctx, m)
	}
	return x.Target.Ask(ctx, m)
}

func (x changing) Describe(ctx context.Context, m *api.Describe) (*api.Descriptions, error) {
	if x.describe != nil && len(m.Wants) > 0 {
		return x.describe(ctx, m)
	}
	return x.Target.Describe(ctx, m)
}

// Whatever the other end does, the project at home must answer as if alone, and every channel at
// the other end must say why it failed.
func TestTroubleFarAwayCostsOnlyItself(t *testing.T) {
	lexical, at, far := []string{"lexical"}, newProject(t, "home"), newProject(t, "app")
	overPipe := func(end func(net.Conn)) func(*testing.T) api.Target {
		return func(t *testing.T) api.Target { return pipe(t, "far", lexical, end) }
	}
	direct := func(ask func(app api.Target, ctx context.Context, m *api.Ask) (*api.Lists, error)) func(*testing.T) api.Target {
		return func(t *testing.T) api.Target {
			app := targetOf(t, far)
			return changing{Target: app, ask: func(ctx context.Context, m *api.Ask) (*api.Lists, error) { return ask(app, ctx, m) }}
		}
	}
	changed := func(change func(*api.Lists)) func(*testing.T) api.Target {
		return direct(func(app api.Target, ctx context.Context, m *api.Ask) (*api.Lists, error) {
			l, err := app.Ask(ctx, m)
			if err == nil {
				change(l)
			}
			return l, err
		})
	}
	first := func(c net.Conn) *frame { f, _ := readFrame(c); return f }
	for name, test := range map[string]struct {
		target func(*testing.T) api.Target
		status api.Status
		detail string
	}{
		"closes midway": {overPipe(func(c net.Conn) { first(c); _, _ = c.Write([]byte{0, 0}); _ = c.Close() }), api.Failed, "EOF"},
		"closed before": {overPipe(func(c net.Conn) { _ = c.Close() }), api.Failed, ""},
		"sends garbage": {overPipe(func(c net.Conn) { first(c); _, _ = c.Write([]byte("\x00\x00\x00\x10garbage, garbage")) }), api.Failed, ""},
		"huge frame":    {overPipe(func(c net.Conn) { first(c); _, _ = c.Write([]byte{0xff, 0xff, 0xff, 0xff}) }), api.Failed, "frame of 4294967295 bytes"},
		"never answers": {overPipe(func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }), api.Deadline, "deadline"},
		"never reads":   {overPipe(func(net.Conn) {}), api.Deadline, ""},
		"another answer": {overPipe(func(c net.Conn) {
			_ = writeFrame(c, &frame{ID: first(c).ID, Lists: &api.Lists{Query: "other", From: "far"}})
			_, _ = io.Copy(io.Discard, c)
		}), api.Failed, `answer to query "other"`},
		"empty frame": {overPipe(func(c net.Conn) {
			_ = writeFrame(c, &frame{ID: first(c).ID})
			_, _ = io.Copy(io.Discard, c)
		}), api.Failed, "no answer"},
		"an error": {overPipe(func(c net.Conn) {
			_ = writeFrame(c, &frame{ID: first(c).ID, Error: "disk on fire"})
			_, _ = io.Copy(io.Discard, c)
		}), api.Failed, "disk on fire"},
		"panics":             {direct(func(api.Target, context.Context, *api.Ask) (*api.Lists, error) { panic("broken") }), api.Failed, "panic: broken"},
		"another generation": {changed(func(l *api.Lists) { l.Lists[0].Generation += 6 }), api.Failed, "list of generation 7, asked for 1"},
		"ignores its context": {func(t *testing.T) api.Target {
			app, release := targetOf(t, far), make(chan struct{})
			t.Cleanup(func() { close(release) })
			return changing{Target: app, ask: func(ctx context.Context, m *api.Ask) (*api.Lists, error) {
				<-release
				return app.Ask(context.WithoutCancel(ctx), m)
			}}
		}, api.Deadline, "deadline"},
	} {
		bubble(t, name, func(t *testing.T) {
			e := inBubble(t, Options{Projects: []Project{at}})
			r := api.Request{Text: "evict the cache", Timeout: 2 * time.Second, Projects: []string{"home"}}
			want, err := e.Scry(t.Context(), r)
			if err != nil || want.Partial {
				t.Fatal(want, err)
			}
			if err := e.AddTarget(test.target(t)); err != nil {
				t.Fatal(err)
			}
			r.Projects = nil
			got, err := e.Scry(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Results, want.Results) || !got.Partial {
				t.Errorf("partial %v, results %+v\nwant %+v", got.Partial, got.Results, want.Results)
			}
			seen := 0
			for _, c := range got.Channels {
				if c.Project == "home" {
					continue
				}
				seen++
				if c.Project != "far" || c.Status != test.status || !strings.Contains(c.Detail, test.detail) {
					t.Errorf("%+v, want %s %q", c, test.status, test.detail)
				}
			}
			if seen == 0 {
				t.Errorf("the project is not named: %+v", got.Channels)
			}
		})
	}
}

// If descriptions do not come, results stay bare and the failure is named.
func TestTroubleWithDescriptionsFarAway(t *testing.T) {
	p := newProject(t, "app")
	for name, describe := range map[string]func(context.Context, *api.Describe) (*api.Descriptions, error){
		"an error": func(context.Context, *api.Describe) (*api.Descriptions, error) { return nil, errors.New("gone") },
		"panics":   func(context.Context, *api.Describe) (*api.Descriptions, error) { panic("gone") },
		"late": func(ctx context.Context, _ *api.Describe) (*api.Descriptions, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		"of others": func(ctx context.Context, m *api.Describe) (*api.Descriptions, error) {
			return &api.Descriptions{
				Query: m.Query, From: "home", Found: []api.Described{{Description: doc.Description{DocID: "x", Summary: "intruder"}}},
				Problem: api.ChannelState{Project: "home", Channel: "description", Status: api.Failed, Detail: "some"},
			}, nil
		},
	} {
		bubble(t, name, func(t *testing.T) {
			e := inBubble(t, Options{Lazy: true})
			if err := e.AddTarget(changing{Target: targetOf(t, p), describe: describe}); err != nil {
				t.Fatal(err)
			}
			a, err := e.Scry(t.Context(), api.Request{Text: "evict the cache", Timeout: 2 * time.Second})
			if err != nil || !a.Partial || len(a.Results) == 0 || a.Results[0].Path != "cache/cache.go" || a.Results[0].Summary != "" {
				t.Fatalf("%+v, %v", a, err)
			}
			if s := stateOf(t, a, "description"); s.Project != "far" || s.Status == api.OK {
				t.Errorf("%+v", s)
			}
		})
	}
}

// A project that fails several times in a row is not asked for a while, and no answer without it
// may look complete.
func TestFailingTargetRests(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		e := inBubble(t, Options{Lazy: true})
		if err := e.AddTarget(changing{Target: targetOf(t, p), ask: func(context.Context, *api.Ask) (*api.Lists, error) {
			calls.Add(1)
			return nil, errors.New("connection refused")
		}}); err != nil {
			t.Fatal(err)
		}
		ask := func(want api.Status) {
			t.Helper()
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
			if err != nil || stateOf(t, a, "lexical").Status != want || !a.Partial {
				t.Errorf("%+v, %v, want %s", a, err, want)
			}
		}
		rests(t, ask, api.Unreachable, &calls)
		_, err := e.Packages(t.Context(), api.PackagesRequest{ReadOptions: patient})
		if f := failureOf(t, "packages", err); f.Status != api.Unreachable || !strings.Contains(f.Detail, "no answer since ") ||
			!strings.HasSuffix(f.Detail, "connection refused") {
			t.Errorf("%+v", f)
		}
	})
}

// returner is a target that says when it came back.
type returner struct {
	changing
	at *atomic.Pointer[time.Time]
}

func (x returner) Returned() time.Time { return *x.at.Load() }

// A target that has returned must be asked again at once. If it fails again, it rests again.
func TestReturningTargetIsAskedAtOnce(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		var at atomic.Pointer[time.Time]
		at.Store(&time.Time{})
		e, broken := inBubble(t, Options{Lazy: true}), true
		app := targetOf(t, p)
		if err := e.AddTarget(returner{changing{Target: app, ask: func(ctx context.Context, m *api.Ask) (*api.Lists, error) {
			if broken {
				return nil, errors.New("connection refused")
			}
			return app.Ask(ctx, m)
		}}, &at}); err != nil {
			t.Fatal(err)
		}
		ask := func(want api.Status) {
			t.Helper()
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
			if err != nil || stateOf(t, a, "lexical").Status != want {
				t.Errorf("%+v, %v, want %s", a, err, want)
			}
		}
		for range failuresInARow {
			ask(api.Failed)
		}
		ask(api.Unreachable)
		back := time.Now()
		time.Sleep(time.Millisecond) // of the bubble's clock
		for range failuresInARow {   // it rests, and is back: then it fails again
			at.Store(&back)
			ask(api.Failed)
		}
		ask(api.Unreachable)
		broken = false
		ask(api.Unreachable)
		back = time.Now()
		ask(api.OK)
	})
}

// A target that knows that nobody answers says so itself, and must be asked each time.
func TestUnreachableTarget(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		down := &api.Failure{Status: api.Unreachable, Detail: "a, b down since 10:00:00"}
		e := inBubble(t, Options{Lazy: true})
		if err := e.AddTarget(changing{
			Target: targetOf(t, p),
			ask:    func(context.Context, *api.Ask) (*api.Lists, error) { calls.Add(1); return nil, down },
			read:   func(context.Context, api.Lookup) (any, error) { calls.Add(1); return nil, down },
		}); err != nil {
			t.Fatal(err)
		}
		for range 2 * failuresInARow {
			a, err := e.Scry(t.Context(), api.Request{Text: "dial", Timeout: ample})
			if err != nil || !a.Partial {
				t.Fatal(a, err)
			}
			if s := stateOf(t, a, "lexical"); s.Status != api.Unreachable || s.Detail != down.Detail {
				t.Errorf("%+v", s)
			}
			_, err = e.Packages(t.Context(), api.PackagesRequest{ReadOptions: patient})
			if f := failureOf(t, "packages", err); f.Status != api.Unreachable || f.Error() != `packages of "far": `+down.Detail {
				t.Errorf("%v", f)
			}
		}
		if n := calls.Load(); n != 4*failuresInARow {
			t.Errorf("asked %d times", n)
		}
	})
}
