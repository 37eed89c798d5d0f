package scrape

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/scrape/content"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/storetest"
)

func scrape(t *testing.T, o Options) Summary {
	t.Helper()
	s, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func dump(t *testing.T, dir string) string {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := s.Pin(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var b bytes.Buffer
	if err := storetest.WriteDump(context.Background(), p.Readers[0], &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestUpdateEqualsFresh changes a tree at random and compares the updated store with a fresh one,
// even if a file's class depends on another file.
func TestUpdateEqualsFresh(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	names := []string{
		"a.go", "b_test.go", "doc.md", "v1/a.go", "v2/a.go", "x.h", "x.c", "data.json", "go.sum", "p.png",
		".gitattributes", ".patinaignore", ".gitignore", "go.mod", "v1/go.mod",
	}
	for round := range 30 {
		for range 1 + random.Intn(3) {
			name := names[random.Intn(len(names))]
			if random.Intn(3) == 0 {
				_ = os.Remove(filepath.Join(root, name))
				continue
			}
			scrapetest.Tree(t, root, map[string]string{name: someText(random, name)})
		}
		if random.Intn(3) == 0 {
			scrapetest.Git(t, root, "add", "-A")
			scrapetest.Git(t, root, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("round %d", round))
		}
		scrape(t, Options{Root: root, StoreDir: dir})
		fresh := t.TempDir()
		scrape(t, Options{Root: root, StoreDir: fresh})
		if got, want := dump(t, dir), dump(t, fresh); got != want {
			t.Fatalf("round %d: updated and fresh differ\n%s", round, firstDifference(got, want))
		}
	}
}

func someText(random *rand.Rand, name string) string {
	n := random.Intn(1000)
	switch filepath.Ext(name) {
	case ".go":
		return fmt.Sprintf("package p\n\n// F%d does it.\nfunc F%d() { g%d() }\n", n, n, n)
	case ".md":
		return fmt.Sprintf("# Title %d\n\nText.\n\n## Sub\n", n)
	case ".mod":
		return fmt.Sprintf("module m%d\n", n%3)
	case ".gitattributes":
		return []string{"*.c linguist-generated\n", "*.go linguist-vendored\n", "a.go linguist-generated\n", ""}[n%4]
	case ".patinaignore", ".gitignore":
		return []string{"*.json\n", "v1/\n", "*.md\n", "\n"}[n%4]
	}
	return fmt.Sprintf("some text %d\n", n)
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d:\nupdated %.300s\nfresh   %.300s", i, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(g), len(w))
}

func TestCounts(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Tree(t, root, map[string]string{
		"a.go": "package a\n", "b.txt": "b\n", "c.md": "# c\n", "n.txt": "a\x00b", "bad.go": "package a\nfunc (\n",
	})
	o := Options{Root: root, StoreDir: dir}
	s := scrape(t, o)
	if s.Added != 4 || s.Skipped[content.Binary] != 1 || !maps.Equal(s.Languages,
		map[string]int{"Go": 2, "Text": 1, "Markdown": 1}) {
		t.Errorf("first: %+v", s)
	}
	if s.Generation.History != noHistory || len(s.Notes) != 1 ||
		!strings.HasPrefix(s.Notes[0], "1 file with syntax errors") {
		t.Errorf("first: history %q, notes %q", s.Generation.History, s.Notes)
	}
	scrapetest.Tree(t, root, map[string]string{
		"a.go": "package a // changed\n", "d.txt": "d\n", "b.txt": "b\n",
		"c.md": "a\x00binary now",
	})
	s = scrape(t, o)
	if s.Added != 1 || s.Changed != 1 || s.Removed != 1 || s.Unchanged != 2 || s.Skipped[content.Binary] != 2 {
		t.Errorf("second: %+v", s)
	}
	if s = scrape(t, o); s.Unchanged != 4 || s.Added+s.Changed+s.Removed != 0 || s.Bytes != 0 {
		t.Errorf("third: %+v", s)
	}
	if s = scrape(t, Options{Root: root, StoreDir: dir, Full: true}); s.Added != 4 {
		t.Errorf("full: %+v", s)
	}
}

func TestOnlyAndRewrittenHistory(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	commit := func(message string) {
		scrapetest.Tree(t, root, map[string]string{"a.go": fmt.Sprintf("package a // %d\n", len(message))})
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "commit", "-qm", message)
	}
	commit("one")
	commit("second")
	if s := scrape(t, Options{Root: root, StoreDir: dir, Only: "code"}); s.Generation.Files != 1 ||
		s.Generation.Commits != 0 || s.Generation.History != notRead {
		t.Errorf("code: %+v", s)
	}
	if s := scrape(t, Options{Root: root, StoreDir: dir, Only: "git"}); s.Generation.Files != 1 || s.Commits != 2 ||
		s.Generation.History != "" {
		t.Errorf("git: %+v", s)
	}
	commit("three")
	if s := scrape(t, Options{Root: root, StoreDir: dir}); s.Commits != 1 || s.Generation.Commits != 3 ||
		s.Changed != 1 {
		t.Errorf("one more: %+v", s)
	}
	scrapetest.Git(t, root, "commit", "-q", "--amend", "-m", "rewritten")
	s := scrape(t, Options{Root: root, StoreDir: dir})
	if s.Commits != 1 || s.Generation.Commits != 3 {
		t.Errorf("rewritten: %+v", s)
	}
	if !slices.Contains(s.Notes, "1 commit is no longer in the history of HEAD") {
		t.Errorf("notes %q", s.Notes)
	}
	if got := dump(t, dir); strings.Contains(got, "three") || !strings.Contains(got, "rewritten") {
		t.Error("the store still holds the commit that was amended")
	}
	if _, err := Run(context.Background(), Options{Root: root, StoreDir: dir, Only: "all"}); err == nil {
		t.Error("an unknown part was accepted")
	}
}

func TestCancelled(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"a.go": "package a\n"})
	o := Options{Root: root, StoreDir: dir}
	scrape(t, o)
	before := dump(t, dir)
	for i := range 3 * reportEvery {
		scrapetest.Tree(t, root, map[string]string{fmt.Sprintf("f%d.go", i): "package a\n"})
	}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(p Progress) {
		if p.Stage == "files" {
			cancel()
		}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if got := dump(t, dir); got != before {
		t.Error("a cancelled scrape has changed the store")
	}
	o.Progress = nil
	if s := scrape(t, o); s.Added != 3*reportEvery {
		t.Errorf("after it: %+v", s)
	}
}

func TestProgressEnds(t *testing.T) {
	root := t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"a.go": "package a\n", "b.go": "package a\n"})
	var stages []string
	scrape(t, Options{Root: root, StoreDir: t.TempDir(), Progress: func(p Progress) {
		stages = append(stages, fmt.Sprintf("%s %d/%d", p.Stage, p.Done, p.Total))
	}})
	if want := []string{"files 2/2", "publish 0/0"}; !slices.Equal(stages, want) {
		t.Errorf("progress %q, want %q", stages, want)
	}
}

// Scraping by name must read the named files and no others. The next scrape of the tree reads the
// rest.
func TestScrapeByName(t *testing.T) {
	root, dir, fresh := t.TempDir(), t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	put := func(name, text string) {
		t.Helper()
		full := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755),
			os.WriteFile(full, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module example.com/m\n")
	put("a.go", "package m\n\nfunc A() {}\n")
	put("sub/b.go", "package sub\n\nfunc B() {}\n")
	put("sub/c.go", "package sub\n\nfunc C() {}\n")
	put(".gitignore", "*.log\n")
	scrape(t, Options{Root: root, StoreDir: dir})
	before := dump(t, dir)

	put("a.go", "package m\n\nfunc Unseen() {}\n")
	put("sub/b.go", "package sub\n\nfunc Seen() {}\n")
	put("sub/x.log", "ignored\n")
	if err := os.Remove(filepath.Join(root, "sub/c.go")); err != nil {
		t.Fatal(err)
	}
	s := scrape(t, Options{Root: root, StoreDir: dir, Files: []string{"sub/b.go", "sub/x.log"}})
	after := dump(t, dir)
	if s.Changed != 1 || s.Added != 0 || s.Removed != 0 || !strings.Contains(after, "Seen") ||
		strings.Contains(after, "Unseen") || !strings.Contains(after, "sub/c.go") {
		t.Errorf("%+v, from\n%s\nto\n%s", s, before, after)
	}
	if s = scrape(t, Options{Root: root, StoreDir: dir, Files: []string{"sub"}}); s.Removed != 1 {
		t.Errorf("a folder: %+v", s)
	}
	scrape(t, Options{Root: root, StoreDir: dir})
	scrape(t, Options{Root: root, StoreDir: fresh})
	if got, want := dump(t, dir), dump(t, fresh); got != want {
		t.Errorf("updated:\n%s\nfresh:\n%s", got, want)
	}
	for _, bad := range []string{"", "../x", "/etc/passwd", "a/../b"} {
		if _, err := Run(context.Background(), Options{Root: root, StoreDir: dir, Files: []string{bad}}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
