package scrape

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/store/scrape/scrapetest"
)

func TestMissingSubmodulesAreNamed(t *testing.T) {
	root, dir := scrapetest.WithSubmodules(t), t.TempDir()
	s := scrape(t, Options{Root: root, StoreDir: dir})
	if len(s.Notes) != 0 || s.Generation.Files != 11 {
		t.Errorf("all checked out: %d files, notes %q", s.Generation.Files, s.Notes)
	}
	scrapetest.Git(t, filepath.Join(root, "libs/mod"), "submodule", "--quiet", "deinit", "-f", "deep")
	s = scrape(t, Options{Root: root, StoreDir: dir})
	want := "1 submodule is not checked out, and left out: libs/mod/deep (git submodule update --init --recursive)"
	if s.Removed != 1 || !slices.Contains(s.Notes, want) {
		t.Errorf("one missing: %+v", s)
	}
	scrapetest.Git(t, root, "submodule", "--quiet", "deinit", "-f", "--all")
	s = scrape(t, Options{Root: root, StoreDir: dir})
	if s.Removed != 5 || s.Generation.Files != 5 || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "left out: libs/mod (") {
		t.Errorf("all missing: %+v", s)
	}
}

// A submodule whose repository is broken is named; the rest is indexed.
func TestBrokenSubmodule(t *testing.T) {
	root := scrapetest.WithSubmodules(t)
	if err := os.WriteFile(filepath.Join(root, "libs/mod/.git"), []byte("gitdir: /nowhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := scrape(t, Options{Root: root, StoreDir: t.TempDir()})
	if s.Generation.Files != 5 || len(s.Notes) != 1 || !strings.HasPrefix(s.Notes[0], `submodule "libs/mod" left out: git refused: `) {
		t.Errorf("%+v", s)
	}
}

func TestSparseAndShallowAreSaid(t *testing.T) {
	origin := t.TempDir()
	scrapetest.Git(t, origin, "init", "-q")
	for _, name := range []string{"in/a.go", "out/b.go"} {
		scrapetest.Tree(t, origin, map[string]string{name: "package p\n"})
		scrapetest.Git(t, origin, "add", ".")
		scrapetest.Git(t, origin, "commit", "-qm", name)
	}
	root := filepath.Join(t.TempDir(), "clone")
	scrapetest.Git(t, origin, "clone", "-q", "--depth=1", "file://"+origin, root)
	scrapetest.Git(t, root, "sparse-checkout", "set", "in")
	s := scrape(t, Options{Root: root, StoreDir: t.TempDir()})
	if s.Generation.Files != 1 || s.Generation.Commits != 1 || !s.Generation.Shallow || len(s.Notes) != 2 ||
		!strings.HasPrefix(s.Notes[0], "shallow history: ") || !strings.HasPrefix(s.Notes[1], "sparse checkout: ") {
		t.Errorf("%+v", s)
	}
}
