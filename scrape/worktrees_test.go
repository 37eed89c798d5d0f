package scrape

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/scrape/git"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/storetest"
)

// grown makes a repository with some files and commits.
func grown(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "main")
	scrapetest.Must(t, os.Mkdir(root, 0o755))
	scrapetest.Git(t, root, "init", "-q")
	for n := range 12 {
		scrapetest.Tree(t, root, map[string]string{
			fmt.Sprintf("pkg%d/f.go", n): fmt.Sprintf("package pkg%d\n\n// Pour%d pours.\nfunc Pour%d() {}\n", n, n, n),
			fmt.Sprintf("doc%d.md", n):   fmt.Sprintf("# Page %d\n\nText.\n\n## More\n\nWords.\n", n),
		})
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "commit", "-qm", fmt.Sprintf("feat: number %d", n))
	}
	return root
}

// beside adds a working tree with its own branch, starting at a commit.
func beside(t *testing.T, root, name, commit string) string {
	t.Helper()
	dir := filepath.Join(filepath.Dir(root), name)
	scrapetest.Git(t, root, "worktree", "add", "-q", "-b", name, dir, commit)
	return dir
}

func viewOf(t *testing.T, root string) string {
	t.Helper()
	tree, err := git.Find(root)
	scrapetest.Must(t, err)
	return tree.View()
}

// pinTree reads a working tree's view until done is called.
func pinTree(t *testing.T, dir, root string) (r *store.Reader, done func()) {
	t.Helper()
	s, err := store.OpenView(dir, viewOf(t, root))
	scrapetest.Must(t, err)
	p, err := s.Pin(context.Background(), 1)
	scrapetest.Must(t, err)
	return p.Readers[0], func() {
		p.Close()
		s.Close()
	}
}

// dumpTree returns a working tree's dump, without counts over all trees.
func dumpTree(t *testing.T, dir, root string) string {
	t.Helper()
	r, done := pinTree(t, dir, root)
	defer done()
	var b bytes.Buffer
	scrapetest.Must(t, storetest.WriteDump(context.Background(), r, &b))
	lines := slices.DeleteFunc(strings.Split(b.String(), "\n"),
		func(l string) bool { return strings.HasPrefix(l, "co-change ") })
	return strings.Join(lines, "\n")
}

// checkTree compares a working tree in a shared store with a store of its own.
func checkTree(t *testing.T, dir, root string) {
	t.Helper()
	own := t.TempDir()
	scrape(t, Options{Root: root, StoreDir: own})
	if got, want := dumpTree(t, dir, root), dumpTree(t, own, root); got != want {
		t.Errorf("%s differs from a store of its own: %s", filepath.Base(root), firstDifference(got, want))
	}
}

func TestTwoWorktrees(t *testing.T) {
	root, dir := grown(t), t.TempDir()
	scrape(t, Options{Root: root, StoreDir: dir})
	other := beside(t, root, "other", "HEAD~3")
	scrapetest.Tree(t, other, map[string]string{
		"pkg0/f.go": "package pkg0\n\nfunc Another() {}\n", "new.go": "package main\n",
	})
	scrapetest.Git(t, other, "add", "-A")
	scrapetest.Git(t, other, "commit", "-qm", "feat: on a branch")
	s := scrape(t, Options{Root: other, StoreDir: dir})
	if s.Shared != 17 || s.Added != 2 || s.Removed+s.Unchanged != 0 || s.Commits != 1 || s.Generation.Commits != 10 ||
		s.Generation.Files != 19 {
		t.Errorf("the second tree: %+v", s)
	}
	checkTree(t, dir, root)
	checkTree(t, dir, other)

	// One tree must not see the other's commits until it merges them.
	scrapetest.Tree(t, root, map[string]string{"pkg1/f.go": "package pkg1\n\nfunc Changed() {}\n"})
	scrapetest.Git(t, root, "commit", "-qam", "fix: in the main tree")
	if s := scrape(t, Options{Root: root, StoreDir: dir}); s.Changed != 1 || s.Commits != 1 {
		t.Errorf("the main tree: %+v", s)
	}
	checkTree(t, dir, other)
	scrapetest.Git(t, other, "merge", "-q", "-m", "merge", "main")
	if s := scrape(t, Options{Root: other, StoreDir: dir}); s.Commits != 1 || s.Generation.Commits != 15 ||
		s.Shared != 7 || s.Added+s.Changed != 0 {
		t.Errorf("after a merge: %+v", s)
	}
	checkTree(t, dir, root)
	checkTree(t, dir, other)

	// Another branch in the same tree, and back.
	for _, branch := range []string{"HEAD~5", "main"} {
		scrapetest.Git(t, root, "checkout", "-q", branch)
		scrape(t, Options{Root: root, StoreDir: dir})
		checkTree(t, dir, root)
		checkTree(t, dir, other)
	}
}

func TestTwentyWorktrees(t *testing.T) {
	root, dir := grown(t), t.TempDir()
	scrape(t, Options{Root: root, StoreDir: dir})
	var trees []string
	for n := range 20 {
		wt := beside(t, root, fmt.Sprintf("wt%02d", n), fmt.Sprintf("HEAD~%d", n%5))
		scrapetest.Tree(t, wt, map[string]string{"pkg0/f.go": fmt.Sprintf("package pkg0\n\nfunc Only%d() {}\n", n)})
		commits := 0
		if n%5 == 0 {
			commits = 1
			scrapetest.Git(t, wt, "commit", "-qam", fmt.Sprintf("feat: only %d", n))
		}
		if s := scrape(t, Options{Root: wt, StoreDir: dir}); s.Added != 1 || s.Commits != commits ||
			s.Shared != 23-2*(n%5) {
			t.Errorf("tree %d: %+v", n, s)
		}
		trees = append(trees, wt)
	}
	for n, wt := range trees {
		got := dumpTree(t, dir, wt)
		if !strings.Contains(got, fmt.Sprintf(`symbol "Only%d"`, n)) || strings.Count(got, `symbol "Only`) != 1 {
			t.Errorf("tree %d sees the symbols of others", n)
		}
	}
	checkTree(t, dir, trees[7])
	checkTree(t, dir, root)
	if s := scrape(t, Options{Root: trees[3], StoreDir: dir, Full: true}); !slices.Equal(s.Notes,
		[]string{"20 other working trees of the repository were read again as well"}) {
		t.Errorf("built anew: notes %q", s.Notes)
	}
	for _, wt := range []string{trees[3], trees[19]} {
		checkTree(t, dir, wt)
	}
}

func TestWorktreeRemovedAndMoved(t *testing.T) {
	root, dir := grown(t), t.TempDir()
	scrape(t, Options{Root: root, StoreDir: dir})
	gone, moved := beside(t, root, "gone", "HEAD"), beside(t, root, "moved", "HEAD")
	for _, wt := range []string{gone, moved} {
		scrapetest.Tree(t, wt, map[string]string{"own.go": "package own // " + filepath.Base(wt) + "\n"})
		scrape(t, Options{Root: wt, StoreDir: dir})
	}
	to := filepath.Join(filepath.Dir(root), "elsewhere")
	scrapetest.Git(t, root, "worktree", "move", moved, to)
	if !strings.Contains(dumpTree(t, dir, to), `"own.go"`) {
		t.Error("a tree that was moved is not recognised")
	}
	if s := scrape(t, Options{Root: to, StoreDir: dir}); s.Added+s.Changed+s.Removed+s.Shared != 0 ||
		s.Unchanged != 25 {
		t.Errorf("after the move: %+v", s)
	}
	checkTree(t, dir, to)
	by := filepath.Join(filepath.Dir(root), "byhand")
	// The tree knows its repository, which does not know the tree.
	scrapetest.Must(t, os.Rename(to, by))
	if _, err := Run(t.Context(), Options{Root: by, StoreDir: dir}); !errors.Is(err, git.ErrForeign) {
		t.Errorf("moved by hand: %v", err)
	}
	scrapetest.Git(t, by, "worktree", "repair")
	if s := scrape(t, Options{Root: by, StoreDir: dir}); s.Unchanged != 25 {
		t.Errorf("moved by hand: %+v", s)
	}
	view := viewOf(t, gone)
	scrapetest.Must(t, os.RemoveAll(gone))
	scrape(t, Options{Root: root, StoreDir: dir})
	if _, err := store.OpenView(dir, view); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("the view of a tree that is gone: %v", err)
	}
	checkTree(t, dir, root)
}

// If a working tree's branch changes during a scrape, the next scrape must correct the result. No
// other tree may be affected.
func TestWorktreeSwitchesWhileScraped(t *testing.T) {
	root, dir := grown(t), t.TempDir()
	for n := range 2 * reportEvery {
		scrapetest.Tree(t, root, map[string]string{fmt.Sprintf("many/f%d.go",
			n): fmt.Sprintf("package many\n\nfunc F%d() {}\n", n)})
	}
	scrapetest.Git(t, root, "add", "-A")
	scrapetest.Git(t, root, "commit", "-qm", "feat: many")
	scrape(t, Options{Root: root, StoreDir: dir})
	other := beside(t, root, "other", "HEAD")
	once := false
	scrape(t, Options{Root: other, StoreDir: dir, Workers: 1, Progress: func(p Progress) {
		if p.Stage == "files" && !once {
			once = true
			scrapetest.Git(t, other, "checkout", "-q", "--detach", "HEAD~6")
		}
	}})
	if !once {
		t.Fatal("the tree has not changed")
	}
	checkTree(t, dir, root)
	scrape(t, Options{Root: other, StoreDir: dir})
	checkTree(t, dir, other)
	checkTree(t, dir, root)
}

func TestWorktreeOfBareRepository(t *testing.T) {
	root, dir := grown(t), t.TempDir()
	bare := filepath.Join(t.TempDir(), "bare.git")
	scrapetest.Git(t, root, "clone", "-q", "--bare", root, bare)
	wt := filepath.Join(filepath.Dir(bare), "wt")
	scrapetest.Git(t, bare, "worktree", "add", "-q", wt, "main")
	if s := scrape(t, Options{Root: bare, StoreDir: dir}); s.Generation.Files != 0 || s.Generation.Commits != 12 {
		t.Errorf("bare: %+v", s)
	}
	if s := scrape(t, Options{Root: wt, StoreDir: dir}); s.Generation.Files != 24 || s.Generation.Commits != 12 ||
		s.Commits != 0 {
		t.Errorf("its working tree: %+v", s)
	}
	checkTree(t, dir, wt)
}
