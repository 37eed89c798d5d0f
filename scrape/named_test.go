package scrape

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"patina/scrape/scrapetest"
	"patina/scrape/walk"
	"patina/store/build"
	"patina/store/doc"
)

// Named files must compare the same with their neighbours alone and with all indexed files.
func TestNeighboursTellAllThatNamedFilesNeed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	folders := []string{
		"", "a/", "a/v1/", "a/v2/", "a/v10/", "a/v1/b/", "a-b/", "a0/", "c/d/e/", "v3/", "v3/v1/", "c/v2x/",
	}
	bases := []string{
		"x.go", "x.h", "x.c", "x.hh", "y.m", "go.mod", "Cargo.toml", "z.gemspec", "package.json", "0", "é.md",
	}
	for round := range 12 {
		root, dir := t.TempDir(), t.TempDir()
		files := map[string]string{}
		for range 40 {
			name := folders[random.IntN(len(folders))] + bases[random.IntN(len(bases))]
			files[name] = "module m" + name + "\n"
		}
		scrapetest.Tree(t, root, files)
		scrape(t, Options{Root: root, StoreDir: dir})
		for name := range files {
			if random.IntN(8) == 0 {
				scrapetest.Must(t, os.Remove(filepath.Join(root, name)))
			}
		}
		scrapetest.Tree(t, root, map[string]string{"a/v11/new.go": "package b\n", "c/new.h": "", "c/new.c": ""})
		w, err := build.Update(context.Background(), dir, build.Options{Root: root, Extractor: extractor})
		scrapetest.Must(t, err)
		defer w.Abort()
		known, err := w.Files()
		scrapetest.Must(t, err)
		for range 20 {
			named := []string{
				folders[random.IntN(len(folders))] + bases[random.IntN(len(bases))], "a/v11", "c/new.h",
				[]string{"a/v1", "v3", "a", "."}[random.IntN(4)],
			}[random.IntN(3):]
			compareBothWays(t, w, root, known, named)
		}
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
}

func compareBothWays(t *testing.T, w *build.Writer, root string, known map[string]doc.FileState, named []string) {
	t.Helper()
	l, err := walk.Files(context.Background(), root, filepath.Join(root, ".patina"), named)
	scrapetest.Must(t, err)
	some, err := w.FilesAt(named)
	scrapetest.Must(t, err)
	below := maps.Clone(known)
	maps.DeleteFunc(below, func(p string, _ doc.FileState) bool { return !isNamed(p, named) })
	if !maps.Equal(some, below) {
		t.Errorf("%q: the index holds %v, want %v", named, some, below)
	}
	r := &run{o: Options{Files: named}, w: w}
	jobs, gone, err := compareNamed(scrapetest.Open(t, root), l, some, r.besides)
	scrapetest.Must(t, err)
	slowJobs, slowGone, err := compareNamed(scrapetest.Open(t, root), l, below, func(string) ([]string, error) {
		return slices.DeleteFunc(slices.Collect(maps.Keys(known)), func(p string) bool { return isNamed(p, named) }),
			nil
	})
	scrapetest.Must(t, err)
	slices.Sort(gone)
	slices.Sort(slowGone)
	if !reflect.DeepEqual(jobs, slowJobs) || !slices.Equal(gone, slowGone) {
		t.Errorf("%q: read %+v and forget %q, want %+v and %q", named, jobs, gone, slowJobs, slowGone)
	}
}
