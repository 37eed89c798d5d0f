package mother_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"patina/registry"
	"patina/registry/mother"
)

// A process must read the graph again after another process has changed it.
func TestChangesOfOthersAreSeen(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	ids := lay(t, home, "app", "lib")
	seen := func(when string, edges, repositories int) {
		t.Helper()
		for range 2 {
			g, err := mother.Known(ctx, home)
			check(t, err)
			e := slices.DeleteFunc(slices.Clone(g.Edges), func(e mother.Edge) bool { return e.From != ids[0] })
			all, err := registry.Listed(home)
			check(t, err)
			if len(e) != edges || len(all) != repositories {
				t.Errorf("%s: %d edges, %d repositories; want %d, %d", when, len(e), len(all), edges, repositories)
			}
			age(t, home) // from now on it may be kept
		}
	}
	seen("at first", 0, 2)
	out, err := child("each", home, t.TempDir(), ids).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	seen("another process has added and linked", rounds, 2+rounds)
	check(t, mother.Link(ctx, home, mother.Edge{From: ids[0], To: ids[1], Relation: mother.Uses}))
	seen("linked", rounds+1, 2+rounds)
	_, err = mother.Unlink(ctx, home, ids[0], ids[1], "")
	check(t, err)
	seen("unlinked", rounds, 2+rounds)
	check(t, os.WriteFile(filepath.Join(home, "mother.db"), []byte("no database"), 0o600))
	if g, err := mother.Known(ctx, home); err == nil {
		t.Errorf("a damaged registry: %v", g)
	}
}

// age makes the files of a home older, so that their contents may be kept.
func age(t *testing.T, home string) {
	t.Helper()
	old := time.Now().Add(-time.Minute) // another time at each call
	records, err := filepath.Glob(filepath.Join(home, "projects", "*", "project.json"))
	check(t, err)
	for _, file := range append(records, filepath.Join(home, "mother.db")) {
		if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) < 30*time.Second {
			check(t, os.Chtimes(file, old, old))
		}
	}
}
