package actors

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/store/doc"
)

// sameJSON reports whether values are equal, where an empty list equals nil, because not every
// encoding keeps the difference.
func sameJSON(t *testing.T, a, b any) bool {
	t.Helper()
	text := func(x any) string {
		raw, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		s := string(raw)
		for _, empty := range []string{"null", "[]", "{}"} {
			s = strings.ReplaceAll(s, ":"+empty, ":0")
		}
		return s
	}
	return text(a) == text(b)
}

// Every look-up over a connection must be answered as at home, or refused with a reason.
func TestRemoteReadsAsAtHome(t *testing.T) {
	home := newEngine(t, Options{
		Projects: []Project{newProject(t, "app")},
		Fresh:    func(Project, doc.Generation) (int, string) { return 3, "a note" },
	})
	app, err := home.Target("app")
	if err != nil {
		t.Fatal(err)
	}
	far := newEngine(t, Options{Lazy: true})
	if err := far.AddTarget(pipe(t, app.Name(), app.Channels(), func(c net.Conn) { serve(c, app) })); err != nil {
		t.Fatal(err)
	}
	refused := map[string]string{"Verify": `verify of "app": checks of beliefs are run only on the machine of the project`}
	for _, r := range reads() {
		got, err := r.ask(far, t.Context(), patient)
		if why := refused[r.name]; why != "" {
			if f := failureOf(t, r.name, err); f.Error() != why || f.Status != api.Unavailable {
				t.Errorf("%s: %v", r.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		want, err := r.ask(home, t.Context(), patient)
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(t, got, want) {
			t.Errorf("%s: from far\n%+v\nat home\n%+v", r.name, got, want)
		}
	}
	_, err = far.Detail(t.Context(), api.DetailRequest{ReadOptions: patient, DocID: "none.go"})
	if f := failureOf(t, "detail", err); !errors.Is(err, lookup.ErrNoDocument) || f.Project != "app" || f.Read != "detail" {
		t.Errorf("%+v", f)
	}
}

// A look-up that is read by its type is answered by the method that is for it.
func TestReadByType(t *testing.T) {
	home := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	app, err := home.Target("app")
	if err != nil {
		t.Fatal(err)
	}
	far := newEngine(t, Options{Lazy: true})
	byType := func(ctx context.Context, r api.Lookup) (any, error) { return api.Read(ctx, home, r) }
	if err := far.AddTarget(changing{Target: app, read: byType}); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range reads() {
		want, err := r.ask(home, t.Context(), patient)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.ask(far, t.Context(), patient)
		if r.name == "Verify" {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		api.IndexOf(got).Project = "app" // its own name for the project
		if n++; !sameJSON(t, got, want) {
			t.Errorf("%s: by type\n%+v\nby method\n%+v", r.name, got, want)
		}
	}
	if n < 20 {
		t.Errorf("%d look-ups were compared", n)
	}
	if _, err := api.Read(t.Context(), home, &api.PackagesRequest{}); err == nil {
		t.Error("a pointer is a request")
	}
}

// A project must refuse a request that stays at home, because anybody may ask.
func TestTargetRefusesToVerify(t *testing.T) {
	e := newEngine(t, Options{Projects: []Project{newProject(t, "app")}})
	app, err := e.Target("app")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []api.Lookup{api.VerifyRequest{}, &api.VerifyRequest{ReadOptions: patient}} {
		_, err := app.Read(t.Context(), r)
		if f := failureOf(t, "verify", err); f.Status != api.Unavailable {
			t.Errorf("%+v", f)
		}
	}
	_, err = app.Read(t.Context(), api.PackagesRequest{ReadOptions: api.ReadOptions{Timeout: -1}})
	if f := failureOf(t, "packages", err); !strings.Contains(f.Detail, "negative") {
		t.Errorf("%+v", f)
	}
	if err := e.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err = app.Read(t.Context(), api.PackagesRequest{}); !errors.Is(err, api.ErrClosed) {
		t.Error(err)
	}
	failureOf(t, "packages", err)
}

// Whatever the other end does with a look-up, its asker must learn it within the budget.
func TestTroubleWithReadsFarAway(t *testing.T) {
	p := newProject(t, "app")
	for name, test := range map[string]struct {
		read   func(context.Context, api.Lookup) (any, error)
		status api.Status
		detail string
	}{
		"an error":       {func(context.Context, api.Lookup) (any, error) { return nil, errors.New("gone") }, api.Failed, "gone"},
		"panics":         {func(context.Context, api.Lookup) (any, error) { panic("gone") }, api.Failed, "panic: gone"},
		"nothing":        {func(context.Context, api.Lookup) (any, error) { return nil, nil }, api.Failed, "no answer"},
		"a nil answer":   {func(context.Context, api.Lookup) (any, error) { return (*api.PackagesAnswer)(nil), nil }, api.Failed, "no answer"},
		"another answer": {func(context.Context, api.Lookup) (any, error) { return &api.DetailAnswer{}, nil }, api.Failed, "answered by a *api.DetailAnswer"},
		"no status":      {func(context.Context, api.Lookup) (any, error) { return nil, &api.Failure{Status: "FINE", Detail: "x"} }, api.Failed, "x"},
		"full": {func(context.Context, api.Lookup) (any, error) {
			return nil, &api.Failure{Status: api.Overloaded, Detail: "full"}
		}, api.Overloaded, "full"},
		"late": {func(ctx context.Context, _ api.Lookup) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, api.Deadline, "deadline"},
		"ignores its context": {func(context.Context, api.Lookup) (any, error) {
			time.Sleep(time.Minute)
			return &api.PackagesAnswer{}, nil
		}, api.Deadline, "deadline 2000 ms"},
	} {
		bubble(t, name, func(t *testing.T) {
			e := inBubble(t, Options{Lazy: true})
			if err := e.AddTarget(changing{Target: targetOf(t, p), read: test.read}); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			_, err := e.Packages(t.Context(), api.PackagesRequest{ReadOptions: api.ReadOptions{Timeout: 2 * time.Second}})
			f := failureOf(t, name, err)
			if f.Status != test.status || !strings.Contains(f.Detail, test.detail) || f.Read != "packages" || f.Project != "far" {
				t.Errorf("%+v, want %s %q", f, test.status, test.detail)
			}
			if d := time.Since(began); d > 2*time.Second {
				t.Errorf("took %s", d)
			}
		})
	}
}

// The budget of a look-up must be the rest of it, and the far end must learn that its asker has
// gone.
func TestReadFarAwayIsCancelled(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Int64
		entered, ended := make(chan struct{}), make(chan struct{})
		e := inBubble(t, Options{Lazy: true})
		if err := e.AddTarget(changing{Target: targetOf(t, p), read: func(ctx context.Context, r api.Lookup) (any, error) {
			left.Store(int64(r.Options().Timeout))
			close(entered)
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		}}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := e.Packages(ctx, api.PackagesRequest{ReadOptions: api.ReadOptions{Project: "far", Timeout: time.Second}})
			failed <- err
		}()
		<-entered
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		began := time.Now()
		<-ended
		if d := time.Since(began); d > 0 || time.Duration(left.Load()) != time.Second {
			t.Errorf("ended after %s; the budget was %s", d, time.Duration(left.Load()))
		}
	})
}

// Look-ups that the far end refuses must not make it rest, because it answers.
func TestRefusedReadsAreAnswers(t *testing.T) {
	p := newProject(t, "app")
	synctest.Test(t, func(t *testing.T) {
		e := inBubble(t, Options{Lazy: true})
		if err := e.AddTarget(changing{Target: targetOf(t, p)}); err != nil {
			t.Fatal(err)
		}
		for range 2 * failuresInARow {
			if _, err := e.Detail(t.Context(), api.DetailRequest{ReadOptions: patient, DocID: "none.go"}); !errors.Is(err, lookup.ErrNoDocument) {
				t.Fatal(err)
			}
		}
		if _, err := e.Detail(t.Context(), api.DetailRequest{ReadOptions: patient, DocID: "net/dial.go"}); err != nil {
			t.Error(err)
		}
	})
}

// A copy of a project at home is not asked beside it, whatever the project is called there.
func TestHomeIsNotAskedElsewhere(t *testing.T) {
	p := newProject(t, "app")
	p.Repository = "h/org/app"
	e := newEngine(t, Options{Projects: []Project{p}})
	app, err := e.Target("app")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.AddTarget(calledOtherwise{app, "h/org/app"}); !errors.Is(err, api.ErrOwn) {
		t.Errorf("%v", err)
	}
	if err := e.AddTarget(calledOtherwise{app, "h/org/other"}); err != nil {
		t.Error(err)
	}
	clone := newProject(t, "other")
	clone.Repository = "h/org/app"
	if err := e.Add(clone); err != nil {
		t.Errorf("a second clone: %v", err)
	}
	clone.Name, clone.Repository = "third", "h/org/other"
	if err := e.Add(clone); !errors.Is(err, api.ErrOwn) {
		t.Errorf("%v", err)
	}
}

// calledOtherwise is a target of another name.
type calledOtherwise struct {
	api.Target
	name string
}

func (x calledOtherwise) Name() string { return x.name }
