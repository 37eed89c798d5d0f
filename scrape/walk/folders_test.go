package walk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"patina/scrape/scrapetest"
)

func TestFolders(t *testing.T) {
	root := t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Tree(t, root, map[string]string{
		".gitignore": "out/\n*.log\n", "a/b/x.go": "", "out/deep/x.o": "", "a/out/y.o": "", "kept/out/z.go": "",
		"logs/a.log": "", "logs/in/out/b.log": "", "own/.patina/index.db": "",
		"other/.git/HEAD": "ref: refs/heads/main\n", "other/x.go": "",
		".gitmodules": "[submodule \"s\"]\n\tpath = sub\n", "sub/.git/HEAD": "ref: refs/heads/main\n",
		"sub/in/x.go": "",
	})
	scrapetest.Must(t, os.MkdirAll(filepath.Join(root, "empty/inner"), 0o755))
	scrapetest.Must(t, os.Symlink(filepath.Join(root, "a"), filepath.Join(root, "link")))
	scrapetest.Git(t, root, "add", "-f", "kept/out/z.go")
	for _, test := range []struct{ below, want []string }{
		{[]string{"."}, []string{
			".", "a", "a/b", "empty", "empty/inner", "kept", "kept/out", "logs", "logs/in", "own", "sub", "sub/in",
		}},
		{[]string{"a"}, []string{"a", "a/b"}},
		{[]string{"empty", "out", "gone", "other", ".git", "own/.patina"}, []string{"empty", "empty/inner"}},
	} {
		got, whole, err := Folders(t.Context(), root, filepath.Join(root, ".patina"), test.below, 100)
		scrapetest.Must(t, err)
		slices.Sort(got)
		if !whole || !slices.Equal(got, test.want) {
			t.Errorf("below %q: %q, want %q", test.below, got, test.want)
		}
	}
	if got, whole, err := Folders(t.Context(), root, "", []string{"."}, 3); err != nil || whole || len(got) != 3 {
		t.Errorf("at most three: %q, whole %v, %v", got, whole, err)
	}
	plain := t.TempDir()
	scrapetest.Tree(t, plain, map[string]string{"a/b/x": ""})
	if got, whole, err := Folders(t.Context(), plain, "", []string{"."}, 9); err != nil || !whole || len(got) != 3 {
		t.Errorf("without git: %q, whole %v, %v", got, whole, err)
	}
}
