package scrape

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/scrape/scrapetest"
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
	if s.Removed != 5 || s.Generation.Files != 5 || len(s.Notes) != 1 ||
		!strings.Contains(s.Notes[0], "left out: libs/mod (") {
		t.Errorf("all missing: %+v", s)
	}
}

// A submodule whose repository is broken must be named, and all other files indexed.
func TestBrokenSubmodule(t *testing.T) {
	root := scrapetest.WithSubmodules(t)
	if err := os.WriteFile(filepath.Join(root, "libs/mod/.git"), []byte("gitdir: /nowhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := scrape(t, Options{Root: root, StoreDir: t.TempDir()})
	if s.Generation.Files != 5 || len(s.Notes) != 1 || !strings.HasPrefix(s.Notes[0],
		`submodule "libs/mod" left out: git refused: `) {
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

// Paths in submodules, and folders that contain some, must be read by name like the whole tree.
func TestNamedFilesInSubmodules(t *testing.T) {
	root, dir := scrapetest.WithSubmodules(t), t.TempDir()
	all := scrape(t, Options{Root: root, StoreDir: dir}).Generation.Files
	for _, named := range []string{"libs/mod/m.go", "libs/mod/deep/d.go", "libs/mod", "libs/mod/deep", "libs", "."} {
		s := scrape(t, Options{Root: root, StoreDir: dir, Files: []string{named, "a.go"}})
		if s.Removed+s.Added+s.Changed != 0 || s.Generation.Files != all {
			t.Errorf("%s: nothing has changed, but %+v", named, s)
		}
	}
	scrapetest.Tree(t, root, map[string]string{
		"libs/mod/m.go": "package m\n\nfunc Changed() {}\n", "libs/mod/deep/new.go": "package d\n",
		"libs/mod/x.log": "ignored by the submodule",
	})
	s := scrape(t, Options{Root: root, StoreDir: dir, Files: []string{
		"libs/mod/m.go", "libs/mod/deep/new.go", "libs/mod/x.log",
	}})
	if s.Changed != 1 || s.Added != 1 || s.Removed != 0 || s.Generation.Files != all+1 {
		t.Errorf("one edited, one new: %+v", s)
	}
	scrapetest.Must(t, os.Remove(filepath.Join(root, "libs/mod/deep/new.go")))
	s = scrape(t, Options{Root: root, StoreDir: dir, Files: []string{"libs/mod/deep/new.go"}})
	if s.Removed != 1 || s.Generation.Files != all {
		t.Errorf("deleted: %+v", s)
	}
	// A repository that is no submodule must be left out, by name too.
	scrapetest.Tree(t, root, map[string]string{"own/x.go": "package x\n"})
	scrapetest.Git(t, filepath.Join(root, "own"), "init", "-q")
	if s = scrape(t, Options{Root: root, StoreDir: dir, Files: []string{"own/x.go", "own"}}); s.Added != 0 {
		t.Errorf("a nested repository: %+v", s)
	}
}
