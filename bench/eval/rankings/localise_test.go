package rankings

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/actors"
	"patina/bench/eval"
	"patina/bench/eval/fixture"
	"patina/oracles/embed"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
)

// index scrapes a folder and returns the store's folder and a reader of it.
func index(t *testing.T, dir string) (home string, l Reader) {
	t.Helper()
	home = filepath.Join(dir, ".patina")
	if _, err := scrape.Run(t.Context(), scrape.Options{
		Root: dir, StoreDir: home,
		Ownership: scrape.Ownership{ProjectID: "p"},
	}); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	pin, err := s.Pin(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pin.Close() })
	return home, Reader{pin.Readers[0]}
}

// repository makes a repository of five commits and returns its git directory.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := fixture.LayQueue(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	gitDir, err := eval.GitDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return gitDir
}

func TestLocaliseOverARealRepository(t *testing.T) {
	gitDir, dir := repository(t), filepath.Join(t.TempDir(), "tree")
	p, err := eval.ReadPast(t.Context(), gitDir, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := eval.Checkout(t.Context(), gitDir, p.Cut, dir); err != nil {
		t.Fatal(err)
	}
	home, l := index(t, dir)
	kinds := []doc.Kind{doc.Code, doc.Pattern}
	tree, err := ReadTree(t.Context(), l, kinds)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"CHANGELOG.md", "README.md", "queue/queue.go", "worker/worker.go"}; !slices.Equal(tree.Paths,
		want) || len(tree.Cards) != len(want) {
		t.Errorf("files %q, %d cards", tree.Paths, len(tree.Cards))
	}
	engine, err := actors.Open(actors.Options{Projects: []actors.Project{{
		ID: "p", Name: "p", Root: dir,
		StoreDir: home,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = engine.Close(t.Context()) }()
	r, err := Localise(t.Context(), "story", tree, p,
		LocaliseOptions{Kinds: kinds, Embedder: embed.Base(), Engine: engine})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Questions) != 2 || !slices.Equal(r.Questions[1].Expect, []string{"queue/queue.go"}) {
		t.Errorf("questions %+v", r.Questions)
	}
	ranks := map[string][]int{}
	for _, s := range r.Systems {
		ranks[s.Name] = s.Ranks
	}
	// "throttle clients even more" is in no file, but in an earlier subject. "queue: push appends
	// twice" is in the file.
	if got := ranks[bm25c]; !slices.Equal(got, []int{0, 1}) {
		t.Errorf("by words %v", got)
	}
	if got := ranks[byHistory]; !slices.Equal(got, []int{1, 0}) {
		t.Errorf("by history %v", got)
	}
	for _, name := range []string{"RRF(BM25c, history)", "engine"} {
		if got := ranks[name]; !slices.Equal(got, []int{1, 1}) {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, name := range []string{
		static, adapted, "RRF(BM25c, adapted, history)", "engine lexical",
		"engine temporal",
	} {
		if len(ranks[name]) != 2 {
			t.Errorf("%s has no ranks", name)
		}
	}
	if len(r.Partial) > 0 {
		t.Errorf("answers lacked %q", r.Partial)
	}
	var b strings.Builder
	if err := NewMacroReport([]*Repository{r}).Text(&b); err != nil ||
		!strings.Contains(b.String(), "| history | 0.500 [") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestFunctionsWithoutTheirComments(t *testing.T) {
	f := scrape.Extract("a.py", []byte(`def bare():
    return 1


class Pool:
    def get(self, timeout):
        """Take a free connection out of the pool.

        Waits if there is none.
        """
        # last in, first out
        with self.lock:
            return self.free.pop()

    def put(self, c):
        """Too short."""
        self.free.append(c)
`))
	got := functionsOf(f, string(f.Body))
	if len(got) != 1 || got[0].Name != "Pool.get" || got[0].Sentence != "Take a free connection out of the pool." {
		t.Fatalf("functions %+v", got)
	}
	if code := got[0].Body; strings.Contains(code, "Take") || strings.Contains(code, "last in") ||
		!strings.Contains(code, "self.free.pop()") {
		t.Errorf("body %q", code)
	}
}

func TestDescribeFindsByWords(t *testing.T) {
	pool := []Function{
		{"Open", "Open reads the lion from disk.", "func Open() { readLion() }"},
		{"Close", "Close feeds the zebra at night.", "func Close() { zebra.feed() }"},
	}
	r := Describe([][]Function{pool}, embed.Base(), LeaveName)
	if got := r.Repositories[0].Systems[0].Ranks; !slices.Equal(got, []int{1, 1}) {
		t.Errorf("ranks %v", got)
	}
	if len(r.Lines) != 4 || r.Lines[3].Name != "RRF(BM25c, static)" {
		t.Errorf("lines %+v", r.Lines)
	}
}
