package actors

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"patina/actors/api"
	"patina/code/lookup"
	"patina/memory"
	"patina/memory/persona"
	"patina/oracles"
)

// atHome returns two projects, the first of which is the user's, and a home with one note.
func atHome(t *testing.T) (home string, docID string, projects []Project) {
	t.Helper()
	home = t.TempDir()
	id, err := persona.LogIn(home).Append(t.Context(), persona.Event{Content: "Dial with retries, and never twice at once", Time: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	first := newProject(t, "first")
	first.Oracles = oracles.AtHome(home, "", "", nil)
	return home, "persona:" + id, []Project{first, newProject(t, "second")}
}

func statesOf(a *api.Answer, channel string) (states []api.ChannelState) {
	for _, c := range a.Channels {
		if c.Channel == channel {
			states = append(states, c)
		}
	}
	return states
}

// Notes are asked only in the user's project, and are found, described and explained like any
// document.
func TestNotesAreAskedOnce(t *testing.T) {
	_, id, projects := atHome(t)
	e := newEngine(t, Options{Projects: projects})
	a, err := e.Scry(t.Context(), api.Request{Text: "dial with retries", Timeout: ample})
	if err != nil || a.Partial {
		t.Fatalf("%v, %+v", err, a)
	}
	if got := statesOf(a, "persona"); len(got) != 1 || got[0].Project != "first" || got[0].Status != api.OK {
		t.Errorf("states %+v", got)
	}
	at := slices.IndexFunc(a.Results, func(r api.Result) bool { return r.DocID == id })
	if at < 1 || a.Results[at].Outside == nil || a.Results[at].Outside.Of != "persona:default" {
		t.Fatalf("at %d of %+v", at, a.Results)
	}
	d, err := e.Detail(t.Context(), api.DetailRequest{ReadOptions: api.ReadOptions{Project: "first", Timeout: ample}, DocID: id})
	if err != nil || d.Body != "Dial with retries, and never twice at once" {
		t.Errorf("%+v, %v", d, err)
	}
	x, err := e.Why(t.Context(), api.WhyRequest{Request: api.Request{Text: "dial with retries", Timeout: ample}, DocID: id})
	if err != nil || len(x.Results) != 1 || x.Results[0].Share < 0.25 {
		t.Errorf("%+v, %v", x, err)
	}
	for _, r := range []api.DetailRequest{
		{ReadOptions: api.ReadOptions{Project: "second", Timeout: ample}, DocID: id},
		{ReadOptions: api.ReadOptions{Project: "first", Timeout: ample}, DocID: "persona:nobody"},
	} {
		if _, err := e.Detail(t.Context(), r); !errors.Is(err, lookup.ErrNoDocument) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// Notes that cannot be read must be named with the reason and must not affect other channels. If
// there are no notes, they are not asked.
func TestNotesThatCannotBeRead(t *testing.T) {
	home, _, projects := atHome(t)
	derived := filepath.Dir(memory.UserNotesIn(home).Database())
	if err := os.WriteFile(derived, nil, 0o600); err != nil { // no folder
		t.Fatal(err)
	}
	e := newEngine(t, Options{Projects: projects[:1]})
	ask := func() *api.Answer {
		a, err := e.Scry(t.Context(), api.Request{Text: "dial with retries", Timeout: ample})
		if err != nil || len(a.Results) == 0 {
			t.Fatalf("%v, %+v", err, a)
		}
		return a
	}
	if a := ask(); !a.Partial || len(statesOf(a, "persona")) != 1 || statesOf(a, "persona")[0].Status != api.Failed || statesOf(a, "persona")[0].Detail == "" {
		t.Errorf("%+v", a.Channels)
	}
	if err := os.RemoveAll(filepath.Join(home, "personas")); err != nil {
		t.Fatal(err)
	}
	if a := ask(); a.Partial || len(statesOf(a, "persona")) != 0 {
		t.Errorf("%+v", a.Channels)
	}
}
