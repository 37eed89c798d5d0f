package scrape

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// withSubmodules makes a repository with the submodule "libs/mod", which has the submodule "deep".
func withSubmodules(t *testing.T) string {
	t.Helper()
	deep, mod, root := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{deep, mod, root} {
		gitDo(t, dir, "init", "-q")
	}
	tree(t, deep, map[string]string{"d.go": "package d\n"})
	gitDo(t, deep, "add", ".")
	gitDo(t, deep, "commit", "-qm", "deep")
	tree(t, mod, map[string]string{".gitignore": "*.log\n", ".gitattributes": "*.gen linguist-generated\n", "m.go": "package m\n", "m.gen": "m"})
	gitDo(t, mod, "submodule", "--quiet", "add", deep, "deep")
	gitDo(t, mod, "add", ".")
	gitDo(t, mod, "commit", "-qm", "mod")
	tree(t, root, map[string]string{".gitignore": "*.tmp\n", "a.go": "package a\n", "z.gen": "z", "package.json": `{"name": "root"}`})
	gitDo(t, root, "submodule", "--quiet", "add", mod, "libs/mod")
	gitDo(t, root, "submodule", "--quiet", "update", "--init", "--recursive")
	gitDo(t, root, "add", ".")
	gitDo(t, root, "commit", "-qm", "root")
	return root
}

func TestWalkSubmodules(t *testing.T) {
	root := withSubmodules(t)
	tree(t, root, map[string]string{
		"x.tmp": "ignored above", "x.log": "not ignored above", "libs/mod/x.log": "ignored below", "libs/mod/x.tmp": "not ignored below",
		"libs/mod/deep/x.log": "ignored nowhere", "own/nested/n.go": "n",
	})
	gitDo(t, filepath.Join(root, "own/nested"), "init", "-q")
	same(t, walked(t, root), ".gitignore", ".gitmodules", "a.go", "package.json", "x.log", "z.gen", "libs/mod/.gitattributes", "libs/mod/.gitignore",
		"libs/mod/.gitmodules", "libs/mod/m.gen", "libs/mod/m.go", "libs/mod/x.tmp", "libs/mod/deep/d.go", "libs/mod/deep/x.log")
	l, err := walk(context.Background(), root, filepath.Join(root, ".patina"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range l.files {
		if (f.marks.generated == yes) != (f.path == "libs/mod/m.gen") {
			t.Errorf("marks of %s: %+v", f.path, f.marks)
		}
	}
	tree(t, root, map[string]string{ignoreFile: "deep/\n", "libs/mod/" + ignoreFile: "*.gen\n"})
	names := walked(t, root)
	for _, out := range []string{"libs/mod/deep/d.go", "libs/mod/m.gen"} {
		if slices.Contains(names, out) {
			t.Errorf("%s does not hold for %s", ignoreFile, out)
		}
	}
	if !slices.Contains(names, "libs/mod/m.go") || !slices.Contains(names, "z.gen") {
		t.Errorf("%s took out too much: %q", ignoreFile, names)
	}
}

func TestMissingSubmodulesAreNamed(t *testing.T) {
	root, dir := withSubmodules(t), t.TempDir()
	s := scrape(t, Options{Root: root, StoreDir: dir})
	if len(s.Notes) != 0 || s.Generation.Files != 11 {
		t.Errorf("all checked out: %d files, notes %q", s.Generation.Files, s.Notes)
	}
	gitDo(t, filepath.Join(root, "libs/mod"), "submodule", "--quiet", "deinit", "-f", "deep")
	s = scrape(t, Options{Root: root, StoreDir: dir})
	want := "1 submodule is not checked out, and left out: libs/mod/deep (git submodule update --init --recursive)"
	if s.Removed != 1 || !slices.Contains(s.Notes, want) {
		t.Errorf("one missing: %+v", s)
	}
	gitDo(t, root, "submodule", "--quiet", "deinit", "-f", "--all")
	s = scrape(t, Options{Root: root, StoreDir: dir})
	if s.Removed != 5 || s.Generation.Files != 5 || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "left out: libs/mod (") {
		t.Errorf("all missing: %+v", s)
	}
}

// A submodule whose repository is broken is named; the rest is indexed.
func TestBrokenSubmodule(t *testing.T) {
	root := withSubmodules(t)
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
	gitDo(t, origin, "init", "-q")
	for _, name := range []string{"in/a.go", "out/b.go"} {
		tree(t, origin, map[string]string{name: "package p\n"})
		gitDo(t, origin, "add", ".")
		gitDo(t, origin, "commit", "-qm", name)
	}
	root := filepath.Join(t.TempDir(), "clone")
	gitDo(t, origin, "clone", "-q", "--depth=1", "file://"+origin, root)
	gitDo(t, root, "sparse-checkout", "set", "in")
	s := scrape(t, Options{Root: root, StoreDir: t.TempDir()})
	if s.Generation.Files != 1 || s.Generation.Commits != 1 || !s.Generation.Shallow || len(s.Notes) != 2 ||
		!strings.HasPrefix(s.Notes[0], "shallow history: ") || !strings.HasPrefix(s.Notes[1], "sparse checkout: ") {
		t.Errorf("%+v", s)
	}
}
