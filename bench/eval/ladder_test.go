package eval

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/actors"
	"patina/store"
	"patina/store/lookup"
	"patina/store/scrape"
	"patina/store/text"
)

// fiveChunks are the fields in an index small enough to score by hand. Their averages are 1, 0.8,
// 0.6 and 1.6 words, 4 together. In "the zebra", zebra is in three chunks and the stop word in two.
var fiveChunks = []struct {
	file  string
	texts [text.NumFields]string
}{
	{"a.go", [4]string{"a", "zebra", "", "lion lion"}},
	{"a.go", [4]string{"a", "lion", "tiger", "zebra"}},
	{"b.go", [4]string{"b", "", "zebra zebra", "the lion tiger"}},
	{"c.go", [4]string{"c", "x y", "", "tiger"}},
	{"c.go", [4]string{"c", "", "", "the"}},
}

func fiveChunkIndex() *fieldIndex {
	wanted := wantedOf([]Question{{Query: "the zebra"}}, true)
	s := &fieldIndex{speller: speller{wanted: wanted, runs: map[string]spelt{}}, places: map[string][]occurrence{}}
	for _, c := range fiveChunks {
		if f := (place{id: c.file, path: c.file}); !slices.Contains(s.files, f) {
			s.files, s.starts = append(s.files, f), append(s.starts, len(s.lengths))
		}
		s.add(c.texts)
	}
	s.starts = append(s.starts, len(s.lengths))
	s.measure()
	return s
}

// told is a library with two files: a.go is a test among the examples, and all its names match.
type told struct{ Library }

func (told) Evidence(_ context.Context, q text.Question, ids map[store.Kind][]string) (map[string]store.Evidence, error) {
	out := map[string]store.Evidence{}
	for _, id := range ids[store.Code] {
		out[id] = store.Evidence{Demotion: 1}
	}
	if _, ok := out["a.go"]; ok {
		e := store.Evidence{Demotion: 0.3 * 0.6, Symbol: 0.85, Stem: 1, Coverage: 0.5}
		if slices.Contains(q.Words, "test") {
			e.Demotion = 0.6
		}
		out["a.go"] = e
	}
	return out, nil
}

// saturated is a word's BM25 factor for tf', without idf.
func saturated(tf float64) float64 { return 2.2 * tf / (tf + 1.2) }

func TestEachRungByHand(t *testing.T) {
	zebra, the := math.Log(1+2.5/3.5), math.Log(1+3.5/2.5)
	long, short := 0.25+0.75*6/4, 0.25+0.75*2/4 // norms for b.go's chunk and c.go's second
	c0 := zebra * saturated(3/(0.25+0.75*1/0.8))
	c1 := zebra * saturated(1/(0.25+0.75*1/1.6))
	b := zebra * saturated(2/(0.25+0.75*2/0.6))
	// Comments and body as one, b 0.5, with the averages of the product: 6 names, 96 words of text.
	t0 := zebra * saturated(3/(0.25+0.75*1/6))
	t1 := zebra * saturated(1/(0.5+0.5*2/96))
	fieldB := b
	b = zebra * saturated(2/(0.5+0.5*5/96))
	a := math.Cbrt(t0*t0*t0 + t1*t1*t1)
	d := max(t0, t1) + 0.8*(a-max(t0, t1))
	best := max(d, b)
	want := [][3]float64{
		{zebra, zebra*saturated(2/long) + the*saturated(1/long), the * saturated(1/short)},
		{zebra * saturated(3), zebra * saturated(2/long), 0},
		{max(c0, c1), fieldB, 0},
		{max(t0, t1), b, 0},
		{a, b, 0},
		{d, b, 0},
		{0.3 * d / best, b / best, 0},
		{0.18 * d / best, b / best, 0},
		{0.18 * (d/best + 2*0.85), b / best, 0},
		{0.18 * (d/best + 2*0.85 + 0.2), b / best, 0},
		{0.18 * (d/best + 2*0.85 + 0.2 + 0.2*0.5), b / best, 0},
	}
	index := fiveChunkIndex()
	got, err := index.climb(t.Context(), told{}, text.ParseQuestion("the zebra"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) || len(want) != len(computed) {
		t.Fatalf("%d rungs, want %d with %d names", len(got), len(want), len(computed))
	}
	for i := range want {
		for f, w := range want[i] {
			if math.Abs(got[i][f]-w) > 1e-12 {
				t.Errorf("%s: %s scores %v, want %v", computed[i], index.files[f].id, got[i][f], w)
			}
		}
	}
}

func TestNormOfTheBestChunks(t *testing.T) {
	scores := []float64{1, 3, 0, 2}
	for n, want := range map[int]float64{0: 36, 1: 27, 2: 35, 4: 36, 9: 36} {
		if got := pnorm(n)(scores); math.Abs(got-math.Cbrt(want)) > 1e-12 {
			t.Errorf("best %d: %v, want the cube root of %v", n, got, want)
		}
	}
	if !slices.Equal(scores, []float64{1, 3, 0, 2}) {
		t.Errorf("the scores were reordered: %v", scores)
	}
}

// project is a folder whose files try every lever: tests, examples, internals, names.
var project = map[string]string{
	"cache/cache.go": `// Package cache keeps entries.
package cache

// Cache holds entries until they expire.
type Cache struct {
	entries map[string]int
	limit   int
}

// Evict removes the oldest entry of the cache.
func (c *Cache) Evict() { delete(c.entries, "oldest") }
`,
	"cache/cache_test.go": "package cache\n\nimport \"testing\"\n\n// TestEvict evicts an entry: evict evict evict.\nfunc TestEvict(t *testing.T) { new(Cache).Evict() }\n",
	"examples/evict.go":   "package main\n\nfunc main() { evict(entry, oldest) }\n",
	"internal/queue/q.go": "package queue\n\n// Evict drops the oldest entry of a queue.\nfunc Evict() {}\n",
	"doc.go":              "// Package root evicts nothing.\npackage root\n",
	"notes.txt":           strings.Repeat("evict the oldest entry\n", 150),
}

// scraped writes the project, scrapes it, and opens an engine and a reader on the store.
func scraped(t *testing.T) (*store.Reader, *actors.Engine) {
	t.Helper()
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "store")
	for p, body := range project {
		full := filepath.Join(root, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: dir}); err != nil {
		t.Fatal(err)
	}
	index, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	pin, err := index.Pin(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := actors.Open(actors.Options{Projects: []actors.Project{{ID: "p", Name: "p", Root: root, StoreDir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(context.Background()); err != nil {
			t.Error(err)
		}
		pin.Close()
		_ = index.Close()
	})
	return pin.Readers[0], engine
}

// With code alone in the index, only the rounding of impacts lies between the last computed rung
// and the engine. The two share no code, so this checks the product against the recipe.
func TestLadderEndsWhereTheEngineIs(t *testing.T) {
	reader, engine := scraped(t)
	qs := []Question{
		question("plain", "how is the oldest entry evicted", "cache/cache.go"),
		question("tests", "test of evict", "cache/cache_test.go"),
		question("named", "the cache", "cache/cache.go"),
		question("queue", "internal queue that drops entries", "internal/queue/q.go"),
		question("example", "evict example", "examples/evict.go"),
		question("absurd", "boiled eggs"),
	}
	r, err := Ladder(t.Context(), Reader{reader}, engine, qs)
	if err != nil {
		t.Fatal(err)
	}
	if r.Questions != 5 || r.Files != len(project) || r.Chunks < len(project)+4 || len(r.Rungs) != len(computed)+2 {
		t.Fatalf("%d questions, %d files, %d chunks, %d rungs", r.Questions, r.Files, r.Chunks, len(r.Rungs))
	}
	ours, engines := r.Rungs[len(computed)-1], r.Rungs[len(computed)]
	for i, row := range engines.Rows {
		tops := make([]string, len(row.Top))
		for j, id := range row.Top {
			tops[j], _, _ = strings.Cut(id, "::")
		}
		if fmt.Sprint(ours.Rows[i].Top) != fmt.Sprint(tops) || ours.Rows[i].Rank != row.Rank {
			t.Errorf("%s: the ladder has %v (rank %d), the engine %v (rank %d)", row.ID, ours.Rows[i].Top, ours.Rows[i].Rank, tops, row.Rank)
		}
	}
	if last := r.Rungs[len(r.Rungs)-1]; last.Gain.NDCG.Equal != 5 || last.Gain.MRR.Equal != 5 {
		t.Errorf("without a history, fused is lexical: %+v", last)
	}
	var table, ranks strings.Builder
	if err := r.Text(&table); err != nil {
		t.Fatal(err)
	}
	if err := r.Ranks(&ranks); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(table.String(), "\n| "); got != 1+len(r.Rungs) {
		t.Errorf("%d rows:\n%s", got, table.String())
	}
	if got := strings.Count(ranks.String(), " -> "); got != 5 {
		t.Errorf("%d lines:\n%s", got, ranks.String())
	}
}

// miscounted has one chunk more than its file.
type miscounted struct{ told }

func (miscounted) Chunks(_ context.Context, f func(lookup.ChunkText) error) error {
	for range 2 {
		if err := f(lookup.ChunkText{DocID: "a.txt", Path: "a.txt", Kind: store.Code}); err != nil {
			return err
		}
	}
	return nil
}

func (miscounted) Body(context.Context, string) (store.Description, string, error) {
	return store.Description{}, "one line\n", nil
}

func TestLadderRefuses(t *testing.T) {
	if _, err := Ladder(t.Context(), miscounted{}, sampleScript(), sample); err == nil || !strings.Contains(err.Error(), `extract "a.txt": 1 chunks, the index has 2`) {
		t.Errorf("an index of other rules: %v", err)
	}
	if _, err := Ladder(t.Context(), miscounted{}, sampleScript(), sample[3:]); err == nil || !strings.Contains(err.Error(), "no questions") {
		t.Errorf("absurd questions alone: %v", err)
	}
}
