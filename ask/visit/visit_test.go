package visit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/ask/project"
	"patina/registry"
	"patina/registry/route"
)

// A sketch is read once, and again after a sync has made another one.
func TestSketchesAreReadAgainAfterAChange(t *testing.T) {
	home, id := t.TempDir(), "0123456789abcdef"
	p, all := project.Place{Home: home}, []registry.Project{{ID: id}}
	file := filepath.Join(home, "projects", id, "sketch")
	chunks := func() int { return sketches(p, all)[id].Chunks }
	for _, n := range []int{10, 20} {
		s := route.New(route.Contents{Chunks: n, Counted: n, Terms: map[string]int{"lock": 3}})
		if err := registry.PutSketch(home, id, s.Bytes()); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := chunks(); got != n {
				t.Errorf("%d chunks, want %d", got, n)
			}
			old := time.Now().Add(-time.Minute) // from now on it may be kept
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if got := chunks(); got != n {
				t.Errorf("kept: %d chunks, want %d", got, n)
			}
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, ok := sketches(p, all)[id]; ok {
		t.Error("a sketch that is gone is still known")
	}
}

func TestNamesWrittenInAQuestion(t *testing.T) {
	for question, want := range map[string]string{
		"frobnicate":                            "frobnicate",
		"where is the lock taken":               "",
		"where is parseWal called?":             "parseWal",
		"what does `drain` do":                  "drain",
		"who calls drain() and Wal::checkpoint": "drain checkpoint",
		"max_wal_size of db.go":                 "max_wal_size",
		"The README says why, e.g. in v2":       "README",
	} {
		if got := writtenNames(question); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}
