package scrape

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"patina/oracles"
	"patina/scrape/git"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// apart makes a repository whose main tree has grown far from a linked tree, in lengths, words and
// commits.
func apart(t *testing.T) (root, linked string) {
	t.Helper()
	root = grown(t)
	for n := range 12 {
		long := fmt.Sprintf("package pkg%d\n\n", n)
		for i := range n {
			long += fmt.Sprintf("// Spill%d spills what pour %d left, and tells the tea so.\n"+
				"func Spill%d() { spill(%d) }\n\n", i, n, i, n)
		}
		scrapetest.Tree(t, root, map[string]string{fmt.Sprintf("pkg%d/more.go", n): long})
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "commit", "-qm",
			fmt.Sprintf("feat: spill\n\nIn package %d, at length: what was poured is not in the cup.", n))
	}
	linked = beside(t, root, "linked", "HEAD~14")
	scrapetest.Tree(t, linked, map[string]string{
		"own.go":    "package own\n\n// Pour pours tea.\nfunc Pour() {}\n",
		"pkg2/f.go": "package pkg2\n",
	})
	return root, linked
}

// ranking returns a store's answers to some questions in a working tree, with scores, and its
// vectors' model.
func ranking(t *testing.T, dir, root string) (out []any) {
	t.Helper()
	r, done := pinTree(t, dir, root)
	defer done()
	ctx := context.Background()
	table, err := r.Table(ctx)
	scrapetest.Must(t, err)
	model, err := storetest.Load(table)
	scrapetest.Must(t, err)
	out = append(out, model.Model())
	for _, asked := range []string{"pour tea", "Page 3 more words", "feat: number 7", "package spill"} {
		words, err := oracles.BM25(ctx, r, text.ParseQuestion(asked), doc.Filter{}, 50)
		scrapetest.Must(t, err)
		near, err := oracles.Nearest(ctx, r, model.Question([]doc.QuestionPart{{Text: asked, Weight: 1}}), doc.Filter{},
			50)
		scrapetest.Must(t, err)
		votes, err := oracles.Votes(ctx, r, text.ParseQuestion(asked), doc.Filter{}, 50)
		scrapetest.Must(t, err)
		out = append(out, words, near, votes)
	}
	return out
}

// A linked tree must rank alike in its own index and in a shared one, to the last digit.
func TestIndexOfItsOwnRanksAsAView(t *testing.T) {
	root, linked := apart(t)
	shared, own, alone := t.TempDir(), t.TempDir(), t.TempDir()
	o := Options{Embedder: storetest.Fitted{}, Load: storetest.Load}
	into := func(root, dir string) Summary {
		o.Root, o.StoreDir = root, dir
		return scrape(t, o)
	}
	into(root, shared)
	into(linked, shared)
	s := into(linked, own)
	if got, want := ranking(t, own, linked), ranking(t, shared, linked); !reflect.DeepEqual(got, want) {
		t.Errorf("in an index of its own: %v\nas a view: %v", got, want)
	}

	// The case is a real one, because the tree by itself ranks differently. The index contents are
	// equal.
	clone := filepath.Join(t.TempDir(), "linked")
	scrapetest.Git(t, root, "clone", "-q", linked, clone)
	scrapetest.Tree(t, clone, map[string]string{
		"own.go":    "package own\n\n// Pour pours tea.\nfunc Pour() {}\n",
		"pkg2/f.go": "package pkg2\n",
	})
	c := into(clone, alone)
	if reflect.DeepEqual(ranking(t, own, linked), ranking(t, alone, clone)) {
		t.Error("the main tree decides on nothing")
	}
	if got, want := dumpTree(t, own, linked), dumpTree(t, alone, clone); got != want {
		t.Errorf("the index differs from one without a basis: %s", firstDifference(got, want))
	}

	// The summaries must be equal too.
	for _, x := range []*Summary{&s, &c} {
		x.Took, x.Generation.ScrapedAt, x.Generation.Branch = 0, c.Generation.ScrapedAt, ""
	}
	s.Embedded.Rows = c.Embedded.Rows // the main tree's were made too
	if !reflect.DeepEqual(s, c) {
		t.Errorf("summary %+v\nwithout a basis %+v", s, c)
	}
	if s := into(linked, own); s.Unchanged != s.Generation.Files || s.Added+s.Changed+s.Removed+s.Commits != 0 {
		t.Errorf("the next scrape: %+v", s)
	}
}

// If the leading tree does not help, or cannot be read, an index must contain its own tree alone.
func TestNoBasis(t *testing.T) {
	told := map[string]string{"damaged index": "cannot be read: git refused", "gone": "nowhere"}
	for name, spoil := range map[string]func(root, linked string){
		"few files in common": func(root, _ string) {
			scrapetest.Must(t, os.RemoveAll(filepath.Join(root, "pkg0")))
			for n := range 12 {
				scrapetest.Must(t, os.RemoveAll(filepath.Join(root, fmt.Sprintf("pkg%d", n))))
			}
		},
		"few content in common": func(_, linked string) {
			for n := range 12 {
				scrapetest.Tree(t, linked, map[string]string{
					fmt.Sprintf("pkg%d/f.go", n): "package other\n\n// Wholly other.\nfunc F() {}\n",
					fmt.Sprintf("doc%d.md", n):   "# Other\n\nWholly.\n\n## And\n\nMore.\n",
				})
			}
		},
		"damaged index": func(root, _ string) {
			scrapetest.Must(t, os.WriteFile(filepath.Join(root, ".git", "index"), []byte("no index"), 0o644))
		},
		"gone": func(root, _ string) {
			scrapetest.Git(t, root, "config", "core.worktree", filepath.Join(root, "nowhere"))
		},
		"broken HEAD": func(root, _ string) {
			scrapetest.Must(t, os.WriteFile(filepath.Join(root, ".git", "HEAD"), []byte("ref: refs/heads/none\n"),
				0o644))
		},
	} {
		t.Run(name, func(t *testing.T) {
			root, linked := apart(t)
			spoil(root, linked)
			dir := t.TempDir()
			o := Options{Root: linked, StoreDir: dir, Embedder: storetest.Fitted{}, Load: storetest.Load}
			s := scrape(t, o)
			if s.Generation.Files != s.Added || s.Commits != s.Generation.Commits || s.Commits != 10 {
				t.Errorf("%+v", s)
			}
			if notes := strings.Join(s.Notes, "\n"); (notes != "") != (told[name] != "") ||
				!strings.Contains(notes, told[name]) {
				t.Errorf("notes %q, want %q", notes, told[name])
			}
			if s := scrape(t, o); s.Unchanged != s.Generation.Files || len(s.Notes) > 0 {
				t.Errorf("the next scrape: %+v", s)
			}
		})
	}
}

// An index that is cancelled while its basis is read must leave nothing behind.
func TestBasisGivenUp(t *testing.T) {
	_, linked := apart(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Run(ctx, Options{
		Root: linked, StoreDir: dir, Embedder: storetest.Fitted{}, Load: storetest.Load,
		Progress: func(p Progress) {
			if p.Basis && p.Stage == "meaning" {
				cancel()
			}
		},
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.db*"))
	scrapetest.Must(t, err)
	if _, err := store.Open(dir); len(left) > 0 || !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("%q is left: %v", left, err)
	}
}

func TestLeader(t *testing.T) {
	root := grown(t)
	other := beside(t, root, "other", "HEAD")
	leader := func(dir string) string {
		found, err := git.Find(dir)
		scrapetest.Must(t, err)
		return found.Leader()
	}
	for _, dir := range []string{root, other} {
		if got := leader(dir); got != root {
			t.Errorf("leader of %q: %q", dir, got)
		}
	}
	bare := filepath.Join(t.TempDir(), "bare.git")
	scrapetest.Git(t, root, "clone", "-q", "--bare", root, bare)
	if got := leader(bare); got != "" {
		t.Errorf("leader of a bare repository without working trees: %q", got)
	}
	var trees []string
	for _, branch := range []string{"other", "main"} {
		trees = append(trees, filepath.Join(filepath.Dir(bare), branch))
		scrapetest.Git(t, bare, "worktree", "add", "-q", trees[len(trees)-1], branch)
	}
	for _, dir := range slices.Concat(trees, []string{bare}) {
		if got := leader(dir); got != trees[1] {
			t.Errorf("leader of %q, of a bare repository: %q", dir, got)
		}
	}
}
