package serve

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/project"
	"patina/code/assay"
	"patina/registry"
	"patina/scrape"
)

// once opens an engine for one call, as a command does. It makes no index.
type once struct{}

func (once) Open(ctx context.Context, p project.Place, within time.Duration) (api.Service, func(), error) {
	e, err := project.Open(ctx, p, within)
	if err != nil {
		return nil, nil, err
	}
	return e, func() { closeEngine(e) }, nil
}

func (once) Mend(context.Context, project.Place, ask.Missing) (bool, error) { return false, nil }
func (once) Turn(context.Context, project.Place) func()                     { return func() {} }
func (once) Follow(project.Place, api.Service) ask.Follower                 { return nil }

// Every caller of a request must get the same answer.
func TestCallersGetOneAnswer(t *testing.T) {
	p := indexedPlaces(t, 1)[0]
	w := NewPool(t.Context(), slog.New(slog.DiscardHandler), registry.Settings{Open: 2, Idle: time.Hour})
	defer w.Close()
	warn := func(format string, args ...any) { t.Errorf(format, args...) }
	for _, r := range []ask.Request{
		{Form: ask.Find, Text: "what heats water"},
		{Form: ask.Find, Text: "Boil0", Symbols: true, Starts: true, Listing: true},
		{Form: ask.Lines, Literal: "heats", Text: "--literal heats"},
		{Form: ask.Detail, Name: "boil.go"},
		{Form: ask.Detail, Name: "boil.gone"},
		{Form: ask.Why, Name: "boil.go", Text: "water"},
		{Form: ask.Neighbours, Name: "boil.go"},
		{Form: ask.Recent, Days: 3},
		{Form: ask.Recent, Days: -3},
		{Form: ask.Orient},
		{Form: ask.Beliefs},
		{Form: ask.Belief, Name: "none"},
		{Form: ask.Facts, Query: assay.Query{Type: "functions", Pattern: "*"}},
		{Form: ask.Context, Text: "water"},
		{Form: "no form"},
	} {
		var answers []*ask.Answer
		var errs []error
		for _, engines := range []ask.Engines{once{}, Client{Pool: w}} {
			c, err := ask.Begin(ask.Options{
				Place: p, Engines: engines, Warn: warn,
				Given: map[string]string{"timeout": "5m"}, NoRefresh: true,
			})
			check(t, err)
			a, err := c.Ask(t.Context(), r)
			answers, errs = append(answers, timeless(a)), append(errs, err)
		}
		if !reflect.DeepEqual(errs[0], errs[1]) {
			t.Errorf("%s %s%s: %v and %v", r.Form, r.Name, r.Text, errs[0], errs[1])
		}
		if !reflect.DeepEqual(answers[0], answers[1]) {
			t.Errorf("%s %s%s:\n%+v\n%+v", r.Form, r.Name, r.Text, answers[0], answers[1])
		}
	}
}

// timeless returns an answer without its id and its times. A nil answer stays nil.
func timeless(a *ask.Answer) *ask.Answer {
	if a == nil {
		return nil
	}
	times := func(x *api.Answer) {
		x.QueryID, x.Took = "", 0
		for i := range x.Channels {
			x.Channels[i].Elapsed = 0
		}
	}
	if a.Found != nil {
		times(a.Found.Answer)
	}
	if a.Ranked != nil {
		times(&a.Ranked.Explanation.Answer)
	}
	if a.Recent != nil {
		a.Recent.Since = time.Time{}
	}
	if a.Context != nil {
		a.Context.Now, a.Context.Recent.Until = time.Time{}, time.Time{}
	}
	return a
}

// A server makes a missing index. A command without consent reports that it is missing.
func TestMissingIndex(t *testing.T) {
	t.Setenv("PATINA_HOME", t.TempDir())
	p, err := project.At(t.TempDir(), "")
	check(t, err)
	w := NewPool(t.Context(), slog.New(slog.DiscardHandler), registry.Settings{Open: 2, Idle: time.Hour})
	defer w.Close()
	asked := func(engines ask.Engines) error {
		c, err := ask.Begin(ask.Options{
			Place: p, Engines: engines, Warn: t.Errorf,
			Given: map[string]string{"timeout": "5m"},
		})
		check(t, err)
		_, err = c.Ask(t.Context(), ask.Request{Form: ask.Orient})
		return err
	}
	if err := asked(once{}); err == nil || errors.As(err, new(*ask.MendError)) {
		t.Errorf("without an index: %v", err)
	}
	if err := asked(Client{Pool: w, Tell: func(scrape.Progress) {}}); err != nil {
		t.Errorf("of a server: %v", err)
	}
	if err := asked(once{}); err != nil {
		t.Errorf("with an index: %v", err)
	}
	for completing := true; completing; time.Sleep(10 * time.Millisecond) { // it writes into the tree
		w.mu.Lock()
		completing = len(w.completing) > 0
		w.mu.Unlock()
	}
}
