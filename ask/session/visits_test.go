package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"patina/ask/project"
	"patina/belief"
	"patina/belief/knowledge"
	"patina/registry"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// homePlace returns a place with a folder of its own in a new home.
func homePlace(t *testing.T) project.Place {
	t.Helper()
	p := project.Place{Home: t.TempDir(), Project: registry.Project{ID: "0123456789abcdef", Root: t.TempDir()}}
	check(t, os.MkdirAll(filepath.Join(p.Home, "projects", p.ID), 0o700))
	return p
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func hour(n int) time.Time { return noon.Add(time.Duration(n) * time.Hour) }

func record(t *testing.T, p project.Place, id string, at time.Time, held map[string]string) (this, before visit) {
	t.Helper()
	this, before, err := recordVisit(t.Context(), p, id, at, held)
	check(t, err)
	return this, before
}

func TestVisits(t *testing.T) {
	p := homePlace(t)
	one, two := map[string]string{"x": "1", "y": "1"}, map[string]string{"x": "2", "z": "1"}
	if _, before := record(t, p, "", noon, one); before.Held != nil {
		t.Errorf("before any session there is %+v", before)
	}
	if _, before := record(t, p, "a", hour(0), one); before.Held != nil {
		t.Errorf("before the first session there is %+v", before)
	}
	record(t, p, "late", hour(1), nil) // its index could not be read
	this, before := record(t, p, "b", hour(2), two)
	if !this.Began.Equal(hour(2)) || !before.Began.Equal(hour(0)) || before.Held["y"] != "1" {
		t.Errorf("%+v after %+v", this, before)
	}
	// A session that begins again keeps its beginning, and so does one that is not named.
	for _, id := range []string{"b", ""} {
		if this, before := record(t, p, id, hour(9), one); !this.Began.Equal(hour(2)) || !before.Began.Equal(hour(0)) {
			t.Errorf("session %q: %+v after %+v", id, this, before)
		}
	}
	if this, before := record(t, p, "a", hour(9), two); !this.Began.Equal(hour(0)) || before.Held != nil {
		t.Errorf("the first session again: %+v after %+v", this, before)
	}
	got := fmt.Sprint(changesOf(one, two, map[string]string{"x": "X.", "z": "Z."}))
	if want := "[{new z Z.} {changed x X.} {gone y }]"; got != want {
		t.Errorf("changes %s, want %s", got, want)
	}
	data, err := os.ReadFile(visitsFile(p))
	check(t, err)
	if strings.Contains(string(data), "late") {
		t.Error("the file holds the id of a session")
	}
	check(t, os.WriteFile(visitsFile(p), []byte("{broken"), 0o600))
	if _, before := record(t, p, "c", hour(3), one); before.Held != nil {
		t.Errorf("after a broken file: %+v", before)
	}
}

// The file stays small, whatever the number of sessions and beliefs.
func TestVisitsAreBounded(t *testing.T) {
	p := homePlace(t)
	var all []knowledge.Held
	for i := range 3 * maxBeliefs {
		all = append(all, knowledge.Held{Belief: belief.Belief{ID: fmt.Sprintf("%s-%06d", strings.Repeat("x", 100), i), Statement: "s"}})
	}
	held, statements := fingerprints(all)
	if len(held) != maxBeliefs || len(statements) != maxBeliefs {
		t.Fatalf("%d fingerprints", len(held))
	}
	for i := range 2 * maxVisits {
		record(t, p, fmt.Sprint(i), hour(i), held)
	}
	visits, err := readVisits(visitsFile(p))
	check(t, err)
	info, err := os.Stat(visitsFile(p))
	check(t, err)
	if len(visits) != maxVisits || visits[maxVisits-1].Held == nil || visits[0].Held != nil || info.Size() > maxVisitFile/2 {
		t.Errorf("%d visits in %d bytes", len(visits), info.Size())
	}
}

// Sessions that begin at the same time lose none but those that would have to wait, and never break
// the file.
func TestVisitsAtOnce(t *testing.T) {
	p := homePlace(t)
	var group sync.WaitGroup
	for i := range 12 {
		group.Go(func() {
			for try := range 100 {
				if _, _, err := recordVisit(context.Background(), p, fmt.Sprint(i), hour(i), map[string]string{"x": "1"}); err == nil {
					return
				} else if try == 99 {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	visits, err := readVisits(visitsFile(p))
	check(t, err)
	if len(visits) != 12 {
		t.Errorf("%d of 12 sessions", len(visits))
	}
}
