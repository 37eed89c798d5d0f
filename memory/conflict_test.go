package memory

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"patina/memory/recall"
)

func TestAddInstead(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	old := added(t, s, Memory{Content: "The pool size is 8"}).ID
	a, err := s.AddInstead(t.Context(), Memory{Content: "The pool size is 16"}, false, old[:6])
	if err != nil || a.Superseded != old || a.Merged {
		t.Fatalf("%+v, %v", a, err)
	}
	m, err := s.Get(t.Context(), old)
	if err != nil || m.Current() || m.SupersededBy != a.ID || m.Log[len(m.Log)-1].Action != "superseded" {
		t.Errorf("%+v, %v", m, err)
	}
	for _, c := range []struct{ text, old string }{
		{"the pool size is 16", a.ID}, // says the same
		{"The pool size is 32", old},  // it no longer holds
		{"The pool size is 32", "m-none"},
		{"", a.ID},
	} {
		if _, err := s.AddInstead(t.Context(), Memory{Content: c.text}, false, c.old); err == nil {
			t.Errorf("%q superseded %q", c.text, c.old)
		}
	}
	all, err := s.List(t.Context(), Filter{All: true})
	if err != nil || len(all) != 2 {
		t.Errorf("%d memories after errors (%v)", len(all), err)
	}
	if _, err := s.AddInstead(t.Context(), Memory{Content: "x"}, false, "m-none"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

func TestConflicting(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	added(t, s, Memory{Content: "The pool size is 8", Path: "a.go"})
	added(t, s, Memory{Content: "The queue is made of tables"})
	word := added(t, s, Memory{Content: "The pool size is tiny"}).ID
	number := added(t, s, Memory{Content: "The pool size is 4"}).ID
	m := Memory{Content: "The pool size is 16", Path: "b.go"}
	m.ID = added(t, s, m).ID
	found, err := s.Conflicting(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || found[0].ID != number || !found[0].Certain || found[1].ID != word || found[1].Certain {
		t.Errorf("%+v", found)
	}
}

// The newest of the rules on one subject comes first, however many words it replaces, unless it has
// less of the question.
func TestRecallPrefersNewest(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, text := range []string{
		"always go to the IT room to work", "always end method names with '_b'",
		"always go to the common area to work", "always end function names with '_b'",
		"use Zoom for video calls", "use Google Meet for video calls",
	} {
		added(t, s, Memory{Content: text, Created: day.AddDate(0, 0, i)})
	}
	for question, want := range map[string]string{
		"where to go to work":             "always go to the common area to work",
		"always go to work":               "always go to the common area to work",
		"how do method names end":         "always end method names with '_b'",
		"what is used for video calls":    "use Google Meet for video calls",
		"is Zoom to be used for my calls": "use Zoom for video calls",
	} {
		found, err := s.Recall(t.Context(), Query{Text: question, Scoring: recall.Measured})
		if err != nil || len(found) == 0 || found[0].Content != want {
			t.Errorf("%q: %+v, %v; want %q", question, found, err, want)
		}
	}
}
