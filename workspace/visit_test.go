package workspace

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"patina/registry"
	"patina/route"
)

// A sketch is read once, and again after a sync has made another.
func TestSketchesAreReadAgainAfterAChange(t *testing.T) {
	home, id := t.TempDir(), "0123456789abcdef"
	p, all := Place{Home: home}, []registry.Project{{ID: id}}
	file := filepath.Join(home, "projects", id, "sketch")
	chunks := func() int { return p.sketches(all)[id].Chunks }
	for _, n := range []int{10, 20} {
		s := route.New(n, n, maps.All(map[string]int{"lock": 3}))
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
	if _, ok := p.sketches(all)[id]; ok {
		t.Error("a sketch that is gone is still known")
	}
}
