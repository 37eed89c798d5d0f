package store_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// codeFile returns a file of code with lines.
func codeFile(path string, class doc.Class, lines []string) *doc.File {
	body := strings.Join(lines, "\n")
	return &doc.File{
		Path: path, Kind: doc.Code, Class: class, Body: []byte(body), Lines: len(lines),
		Hash:   fmt.Sprintf("%x.%d", sha256.Sum256([]byte(body)), class),
		Chunks: []doc.Chunk{{Entry: -1, First: 1, Last: 1, Body: path}},
	}
}

func inventLines(r *rand.Rand, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("call%x(%d);", r.Int63(), i)
	}
	return out
}

// copiesIn returns the paths of the copies in a view, in order.
func copiesIn(t testing.TB, dir, view string) (out []string) {
	t.Helper()
	s, err := store.OpenView(dir, view)
	storetest.Check(t, err)
	defer s.Close()
	p, err := s.Pin(context.Background(), 1)
	storetest.Check(t, err)
	defer p.Close()
	snap, err := p.Readers[0].Snapshot(context.Background())
	storetest.Check(t, err)
	files, err := p.Readers[0].Files(context.Background(), snap)
	storetest.Check(t, err)
	for _, f := range files {
		if snap.Members.Has(f.Key) && snap.Class(f.Key, 0) != 0 {
			out = append(out, f.Path)
		}
	}
	slices.Sort(out)
	return out
}

func TestCopies(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	a, b, c := inventLines(r, 500), inventLines(r, 600), inventLines(r, 700)
	own, licence := inventLines(r, 600), inventLines(r, 500)
	join := func(ls ...[]string) []string { return slices.Concat(ls...) }
	originals := map[string][]string{"src/a.c": a, "src/b.c": b, "src/c.c": c}
	type file struct {
		class doc.Class
		lines []string
	}
	for name, x := range map[string]struct {
		files map[string]file
		want  []string
	}{
		"an amalgamation": {map[string]file{"all.c": {0, join(a, own, c, b)}}, []string{"all.c"}},
		"of two":          {map[string]file{"all.c": {0, join(b, c)}}, []string{"all.c"}},
		"mostly its own":  {map[string]file{"all.c": {0, join(a, own, own, inventLines(r, 900), b)}}, nil},
		"a later version": {map[string]file{"src/c2.c": {0, join(c, own)}, "src/c3.c": {0, join(c, own, a[:100])}}, nil},
		"one copied":      {map[string]file{"other/a.c": {0, a}}, nil},
		"built":           {map[string]file{"dist/a.c": {doc.Built, join(a, own)}}, []string{"dist/a.c"}},
		"built by itself": {map[string]file{"dist/x.c": {doc.Built, own}}, nil},
		"parts are tests": {map[string]file{
			"all.c": {0, join(own, own[:300], licence)}, "test/x.c": {doc.TestFolder, own}, "test/y.c": {doc.TestFolder, licence},
		}, nil},
		"parts are built": {map[string]file{
			"all.c": {0, join(own, licence)}, "dist/x.c": {doc.Built, own}, "dist/y.c": {doc.Built, licence},
		}, []string{"dist/x.c", "dist/y.c"}},
		"the same text in many": {func() map[string]file {
			fs := map[string]file{"all.c": {0, join(licence, inventLines(r, 100))}}
			for i := range 20 {
				fs[fmt.Sprint("n", i, ".c")] = file{0, licence}
			}
			return fs
		}(), nil},
	} {
		dir := t.TempDir()
		w, err := build.New(context.Background(), dir, storetest.Options)
		storetest.Check(t, err)
		k := w.Worker()
		for path, lines := range originals {
			storetest.Check(t, k.Put(codeFile(path, 0, lines)))
		}
		for path, f := range x.files {
			storetest.Check(t, k.Put(codeFile(path, f.class, f.lines)))
		}
		_, err = w.Publish(storetest.Generation)
		storetest.Check(t, err)
		if got := copiesIn(t, dir, store.MainView); !slices.Equal(got, x.want) {
			t.Errorf("%s: copies %q, want %q", name, got, x.want)
		}
	}
}

// After any update, each view must have the copies that an index of its own would have.
func TestCopiesOfUpdatedViews(t *testing.T) {
	seen := map[bool]int{}
	for seed := range int64(4) {
		c := storetest.NewCorpus(seed)
		pool := make([][]string, 12)
		for i := range pool {
			pool[i] = inventLines(c.Rnd, 150+c.Rnd.Intn(500))
		}
		trees := []*worktree{{name: store.MainView, files: map[string]*doc.File{}}}
		histories, dir := map[string][]doc.Revision{}, t.TempDir()
		w, err := build.New(context.Background(), dir, trees[0].options(trees))
		storetest.Check(t, err)
		for round := range 16 {
			x := trees[c.Rnd.Intn(len(trees))]
			if round == 5 {
				x = x.clone("worktrees/x")
				trees = append(trees, x)
			}
			for range 1 + c.Rnd.Intn(5) {
				x.copyAround(c.Rnd, pool)
			}
			if round > 0 {
				w, err = build.Update(context.Background(), dir, x.options(trees))
				storetest.Check(t, err)
			}
			x.sync(t, w, histories)
			for _, y := range trees {
				if y.name != store.MainView && round < 5 {
					continue
				}
				fresh := t.TempDir()
				o := y.options([]*worktree{y})
				w, err := build.New(context.Background(), fresh, o)
				storetest.Check(t, err)
				y.sync(t, w, map[string][]doc.Revision{})
				got, want := copiesIn(t, dir, y.name), copiesIn(t, fresh, y.name)
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d, round %d, view %q: copies %q, fresh %q", seed, round, y.name, got, want)
				}
				seen[len(got) > 0]++
			}
		}
	}
	if seen[true] < 10 || seen[false] < 10 {
		t.Errorf("the rounds say little: %v", seen)
	}
}

// copyAround changes a tree by pieces of text that files share.
func (t *worktree) copyAround(r *rand.Rand, pool [][]string) {
	put := func(path string, class doc.Class, lines []string) { t.files[path] = codeFile(path, class, lines) }
	pick := func() []string { return pool[r.Intn(len(pool))] }
	switch n := r.Intn(12); {
	case n < 5: // a part, whole or cut
		i := r.Intn(len(pool))
		put(fmt.Sprintf("src/p%d.c", i), 0, pool[i][:len(pool[i])-r.Intn(100)])
	case n < 7:
		put(fmt.Sprintf("all%d.c", r.Intn(3)), 0, slices.Concat(pick(), pick(), pick(), pick()))
	case n < 8:
		put(fmt.Sprintf("dist/p%d.c", r.Intn(3)), doc.Built, pick())
	case n < 9:
		put(fmt.Sprintf("test/p%d.c", r.Intn(3)), doc.TestFolder, pick())
	case n < 10: // in so many files that it says nothing
		lines, first := pick(), r.Intn(10)
		for i := range r.Intn(24) {
			put(fmt.Sprintf("many/m%d.c", first+i), 0, lines)
		}
	default:
		for _, path := range slices.Sorted(maps.Keys(t.files)) {
			if r.Intn(4) == 0 {
				delete(t.files, path)
			}
		}
	}
}
