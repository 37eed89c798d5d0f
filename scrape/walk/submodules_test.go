package walk

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"patina/scrape/class"
	"patina/scrape/scrapetest"
)

func TestWalkSubmodules(t *testing.T) {
	root := scrapetest.WithSubmodules(t)
	scrapetest.Tree(t, root, map[string]string{
		"x.tmp": "ignored above", "x.log": "not ignored above", "libs/mod/x.log": "ignored below",
		"libs/mod/x.tmp": "not ignored below", "libs/mod/deep/x.log": "ignored nowhere", "own/nested/n.go": "n",
	})
	scrapetest.Git(t, filepath.Join(root, "own/nested"), "init", "-q")
	same(t, walked(t, root), ".gitignore", ".gitmodules", "a.go", "package.json", "x.log", "z.gen",
		"libs/mod/.gitattributes", "libs/mod/.gitignore",
		"libs/mod/.gitmodules", "libs/mod/m.gen", "libs/mod/m.go", "libs/mod/x.tmp", "libs/mod/deep/d.go",
		"libs/mod/deep/x.log")
	l, err := Files(context.Background(), root, filepath.Join(root, ".patina"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range l.Files {
		if (f.Attributes.Generated == class.Yes) != (f.Path == "libs/mod/m.gen") {
			t.Errorf("marks of %s: %+v", f.Path, f.Attributes)
		}
	}
	scrapetest.Tree(t, root, map[string]string{ignoreFile: "deep/\n", "libs/mod/" + ignoreFile: "*.gen\n"})
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
