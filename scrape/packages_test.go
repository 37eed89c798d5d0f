package scrape

import (
	"strings"
	"testing"

	"patina/scrape/scrapetest"
)

// A file must be read again if only its package has changed.
func TestPackageOfUnchangedFileIsKept(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Tree(t, root, map[string]string{
		"go.mod": "module one\n", "a.go": "package a\n", "sub/b.go": "package b\n",
	})
	o := Options{Root: root, StoreDir: dir}
	scrape(t, o)
	for _, step := range []struct {
		files            map[string]string
		added, changed   int
		packageOf, other string
	}{
		{
			map[string]string{"go.mod": "module two\n"},
			0, 3, `"a.go" code "Go" package "two"`,
			`"sub/b.go" code "Go" package "two"`,
		},
		{
			map[string]string{"sub/go.mod": "module deep\n"},
			1, 1, `"a.go" code "Go" package "two"`,
			`"sub/b.go" code "Go" package "deep"`,
		},
		{
			map[string]string{"go.mod": "module two // same\n"},
			0, 1, `"a.go" code "Go" package "two"`,
			`"sub/b.go" code "Go" package "deep"`,
		},
	} {
		scrapetest.Tree(t, root, step.files)
		s := scrape(t, o)
		if s.Added != step.added || s.Changed != step.changed {
			t.Errorf("%v: %d added, %d changed", step.files, s.Added, s.Changed)
		}
		fresh := t.TempDir()
		scrape(t, Options{Root: root, StoreDir: fresh})
		got := dump(t, dir)
		if got != dump(t, fresh) || !strings.Contains(got, step.packageOf) || !strings.Contains(got, step.other) {
			t.Errorf("%v: %s", step.files, firstDifference(got, dump(t, fresh)))
		}
	}
}
