package walk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/scrape/class"
	"patina/scrape/scrapetest"
)

func walked(t *testing.T, root string) []string {
	t.Helper()
	l, err := Files(context.Background(), root, filepath.Join(root, "own/store"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range l.Files {
		names = append(names, f.Path)
		if f.Stat.Inode == 0 || f.Stat.ModTime == 0 {
			t.Errorf("%q has no stat", f.Path)
		}
	}
	return names
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("walk:\n got %q\nwant %q", got, want)
	}
}

var ignoreTree = map[string]string{
	".gitignore": "*.log\n!keep.log\n/build/\n", "a.go": "a", "x.log": "x", "keep.log": "k", "build/b.go": "b",
	"sub/.gitignore": "c.go\n", "sub/c.go": "c", "sub/d.go": "d", "sub/build/e.go": "e", ".patina/x": "x",
	"own/store/x": "x", ".terraform/providers/a.tf": "x", "sub/.terraform/b.tf": "x",
}

func TestWalkGit(t *testing.T) {
	root := t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Tree(t, root, ignoreTree)
	odd := []string{"new\nline.go", "日本.go", "bad\xff.go", "with space.go", "tab\t.go", "-dash.go", "*.go"}
	for _, o := range odd {
		scrapetest.Tree(t, root, map[string]string{o: "x"})
	}
	scrapetest.Tree(t, root, map[string]string{
		"tracked.log": "tracked though ignored", "gone.go": "deleted later", "dir/in.go": "in",
	})
	scrapetest.Git(t, root, "add", "-f", "a.go", "tracked.log", "gone.go", "dir/in.go", "日本.go")
	if err := os.Remove(filepath.Join(root, "gone.go")); err != nil {
		t.Fatal(err)
	}
	want := append(odd, ".gitignore", "a.go", "dir/in.go", "keep.log", "sub/.gitignore", "sub/d.go", "sub/build/e.go",
		"tracked.log")
	same(t, walked(t, root), want...)
}

func TestWalkWithoutGit(t *testing.T) {
	root := t.TempDir()
	scrapetest.Tree(t, root, ignoreTree)
	scrapetest.Tree(t, root, map[string]string{"bad\xff.go": "x"})
	same(t, walked(t, root), ".gitignore", "a.go", "bad\xff.go", "keep.log", "sub/.gitignore", "sub/d.go",
		"sub/build/e.go")
	if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil {
		t.Error("the walk has left a .git")
	}
}

func TestWalkPatinaignore(t *testing.T) {
	for _, repository := range []bool{true, false} {
		root := t.TempDir()
		scrapetest.Tree(t, root, map[string]string{
			".gitignore": "!loud.txt\n", ignoreFile: "*.txt\n!good.txt\nfolder/\n", "a.go": "a", "loud.txt": "l",
			"good.txt": "g", "tracked.txt": "t", "folder/a.go": "a", "sub/folder/b.go": "b",
			"sub/" + ignoreFile: "/only.go\n", "sub/only.go": "o", "sub/deep/only.go": "o",
		})
		if repository {
			scrapetest.Git(t, root, "init", "-q")
			scrapetest.Git(t, root, "add", "tracked.txt", "folder")
		}
		same(t, walked(t, root), ".gitignore", ignoreFile, "a.go", "good.txt", "sub/"+ignoreFile, "sub/deep/only.go")
	}
}

func TestWalkNeverFollows(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Tree(t, outside, map[string]string{"in.go": "secret"})
	scrapetest.Tree(t, root, map[string]string{"a.go": "a", "dir/in.go": "in", "nested/b.go": "b"})
	scrapetest.Git(t, root, "add", "dir")
	scrapetest.Git(t, filepath.Join(root, "nested"), "init", "-q")
	if err := errors.Join(os.RemoveAll(filepath.Join(root, "dir")), os.Symlink(outside, filepath.Join(root, "dir")),
		os.Symlink("a.go", filepath.Join(root, "link.go")), os.Symlink(outside,
			filepath.Join(root, "other"))); err != nil {
		t.Fatal(err)
	}
	same(t, walked(t, root), "a.go")
}

func TestWalkAttributes(t *testing.T) {
	for _, repository := range []bool{true, false} {
		root := t.TempDir()
		if repository {
			scrapetest.Git(t, root, "init", "-q")
		}
		scrapetest.Tree(t, root, map[string]string{
			".gitattributes": "*.gen linguist-generated\nno.gen linguist-generated=false\n" +
				"old/** linguist-vendored=true\nvendor/** -linguist-vendored\n",
			"a.gen": "a", "no.gen": "n", "old/a.c": "a", "vendor/a.c": "a", "plain.c": "p",
		})
		l, err := Files(context.Background(), root, filepath.Join(root, ".patina"), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]class.Attributes{
			"a.gen": {Generated: class.Yes}, "no.gen": {Generated: class.No}, "old/a.c": {Vendored: class.Yes},
			"vendor/a.c": {Vendored: class.No},
		}
		for _, f := range l.Files {
			if f.Attributes != want[f.Path] {
				t.Errorf("marks of %s: %+v, want %+v", f.Path, f.Attributes, want[f.Path])
			}
		}
	}
}

func TestWalkRefused(t *testing.T) {
	root := t.TempDir()
	scrapetest.Tree(t, root, map[string]string{".git/config": "nonsense", "a.go": "a"})
	if _, err := Files(context.Background(), root, root, nil); !errors.Is(err, ErrGit) ||
		!strings.Contains(err.Error(), "hint") {
		t.Errorf("broken .git: %v", err)
	}
	broken := t.TempDir()
	scrapetest.Git(t, broken, "init", "-q")
	scrapetest.Tree(t, broken, map[string]string{".git/index": "DIRCgarbage garbage garbage"})
	if _, err := Files(context.Background(), broken, broken, nil); !errors.Is(err, ErrGit) ||
		!strings.Contains(err.Error(), "hint") {
		t.Errorf("broken index: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Files(context.Background(), t.TempDir(), root, nil); !errors.Is(err, ErrGit) ||
		!strings.Contains(err.Error(), "install") {
		t.Errorf("no git: %v", err)
	}
}

func TestWalkInHook(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Git(t, other, "init", "-q")
	scrapetest.Tree(t, root, map[string]string{"a.go": "a"})
	scrapetest.Tree(t, other, map[string]string{"b.go": "b"})
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other, ".git/index"))
	same(t, walked(t, root), "a.go")
}
