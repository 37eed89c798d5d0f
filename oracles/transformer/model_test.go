package transformer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"patina/oracles/transformer"
	"patina/oracles/transformer/graphtest"
	"patina/store/doc"
)

// words are the vocabulary of the test models.
var words = strings.Fields("the a store index vector query of reads writes opens closes file commit graph answer fast slow")

// write writes a model into a new folder.
func write(t testing.TB, c graphtest.Config) (string, *graphtest.Transformer) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir, graphtest.WriteModel(t, dir, c, words...)
}

// open opens a model, and closes it after the test.
func open(t testing.TB, o transformer.Options) *transformer.Model {
	t.Helper()
	o.Runtime = graphtest.Library(t)
	m, err := transformer.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// text returns n random words, and their ids between [CLS] and [SEP].
func text(r *rand.Rand, n int) (string, []int64) {
	ids := []int64{2}
	var all []string
	for range n {
		i := r.IntN(len(words))
		all, ids = append(all, words[i]), append(ids, int64(5+i))
	}
	return strings.Join(all, " "), append(ids, 3)
}

func embedOne(t testing.TB, m *transformer.Model, text string) []float32 {
	t.Helper()
	v, err := m.EmbedQuestion(t.Context(), []doc.QuestionPart{{Text: text, Weight: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// farthest returns the largest difference of components. What v has beyond want must be zero.
func farthest(v []float32, want []float64) float64 {
	var far float64
	for i, x := range v {
		y := 0.
		if i < len(want) {
			y = want[i]
		}
		far = max(far, math.Abs(float64(x)-y))
	}
	return far
}

// Every form of a graph must give the vectors of the plain Go reference: those of 32 bits to 1e-5,
// those with fewer bits to what these can hold.
func TestAgreesWithTheReference(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*graphtest.Config)
		within float64
	}{
		"float32":             {func(*graphtest.Config) {}, 1e-5},
		"float32, external":   {func(c *graphtest.Config) { c.External = true }, 1e-5},
		"float32, int32 ids":  {func(c *graphtest.Config) { c.Narrow = true }, 1e-5},
		"float32, own vector": {func(c *graphtest.Config) { c.Pooled = true }, 1e-5},
		"float16":             {func(c *graphtest.Config) { c.Form = graphtest.Float16 }, 2e-3},
		"float16, external":   {func(c *graphtest.Config) { c.Form, c.External = graphtest.Float16, true }, 2e-3},
		"int8":                {func(c *graphtest.Config) { c.Form = graphtest.Int8 }, 2e-2},
	} {
		t.Run(name, func(t *testing.T) {
			config := graphtest.Tiny
			c.change(&config)
			dir, reference := write(t, config)
			r := rand.New(rand.NewPCG(7, 7))
			mean := open(t, transformer.Options{Dir: dir})
			first := open(t, transformer.Options{Dir: dir, Pooling: transformer.CLS})
			if mean.Dimension() != 64 {
				t.Fatalf("dimension %d, want 48 rounded up to 64", mean.Dimension())
			}
			worst := 0.
			for n := range 8 {
				question, ids := text(r, 1+5*n)
				worst = max(worst, farthest(embedOne(t, mean, question), reference.MeanVector(ids)),
					farthest(embedOne(t, first, question), reference.FirstVector(ids)))
			}
			t.Logf("farthest component %.2g", worst)
			if worst > c.within {
				t.Errorf("differs by %.2g, want at most %.2g", worst, c.within)
			}
		})
	}
}

// Batches of any number of texts of any length must give the vectors of each text alone, rounded.
func TestDynamicAxes(t *testing.T) {
	dir, reference := write(t, graphtest.Tiny)
	m := open(t, transformer.Options{Dir: dir, Slots: 2})
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{0, 1, 2, 17, 60} {
		var passages []doc.Passage
		var want [][]float64
		for range n {
			body, ids := text(r, r.IntN(60))
			passages, want = append(passages, doc.Passage{Body: body}), append(want, reference.MeanVector(ids))
		}
		got := make([]int8, n*m.Dimension())
		if err := m.EmbedPassages(t.Context(), got, passages); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			for k, x := range got[i*m.Dimension() : (i+1)*m.Dimension()] {
				exact := 0.
				if k < len(want[i]) {
					exact = max(-127, min(127, want[i][k]*doc.VectorScale))
				}
				if math.Abs(float64(x)-exact) > .5+1e-2 {
					t.Fatalf("%d texts: component %d of text %d is %d, want %.3f", n, k, i, x, exact)
				}
			}
		}
	}
}

// Any number of goroutines may use a model and close it.
func TestConcurrentUse(t *testing.T) {
	dir, _ := write(t, graphtest.Tiny)
	m := open(t, transformer.Options{Dir: dir, Slots: 2})
	want := fmt.Sprint(embedOne(t, m, "a fast query"))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 8 {
				v, err := m.EmbedQuestion(t.Context(), []doc.QuestionPart{{Text: "a fast query", Weight: 1}})
				if err != nil || fmt.Sprint(v) != want {
					t.Errorf("%v, %v", v, err)
				}
				if i%2 == 0 {
					err := m.EmbedPassages(t.Context(), make([]int8, n*m.Dimension()), make([]doc.Passage, n))
					if err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	for range 4 {
		all.Go(func() {
			if _, err := m.EmbedQuestion(t.Context(), []doc.QuestionPart{{Text: "a", Weight: 1}}); err != nil && !errors.Is(err, transformer.ErrClosed) {
				t.Error(err)
			}
		})
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	all.Wait()
	if _, err := m.EmbedQuestion(t.Context(), nil); !errors.Is(err, transformer.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// Half-precision numbers must keep their value, the smallest and the infinite ones too.
func TestFromHalf(t *testing.T) {
	for bits, want := range map[uint16]float32{
		0: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0400: 1. / (1 << 14), 0x0001: 1. / (1 << 24), 0x83ff: -1023. / (1 << 24), 0x3555: 0.33325195,
		0x7c00: float32(math.Inf(1)), 0xfc00: float32(math.Inf(-1)),
	} {
		if got := transformer.FromHalf(bits); got != want {
			t.Errorf("%#04x is %g, want %g", bits, got, want)
		}
	}
	if x := transformer.FromHalf(0x7e00); x == x {
		t.Errorf("not a number is %g", x)
	}
}

// A question must be the weighted sum of its parts' vectors; what it cannot weigh, it leaves out.
func TestQuestionParts(t *testing.T) {
	dir, reference := write(t, graphtest.Tiny)
	m := open(t, transformer.Options{Dir: dir})
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	part := func(text string, weight float32) doc.QuestionPart {
		return doc.QuestionPart{Text: text, Weight: weight}
	}
	got, err := m.EmbedQuestion(t.Context(), []doc.QuestionPart{
		part("fast store", 3), part("the", nan), part("slow answer", 1), part("a", 0), part("graph", -1), part("of", inf),
	})
	if err != nil {
		t.Fatal(err)
	}
	ids := func(text string) []int64 {
		all := []int64{2}
		for _, w := range strings.Fields(text) {
			all = append(all, int64(5+slices.Index(words, w)))
		}
		return append(all, 3)
	}
	a, b := reference.MeanVector(ids("fast store")), reference.MeanVector(ids("slow answer"))
	want, square := make([]float64, len(a)), 0.
	for i := range want {
		want[i] = 3*a[i] + b[i]
		square += want[i] * want[i]
	}
	for i := range want {
		want[i] /= math.Sqrt(square)
	}
	if far := farthest(got, want); far > 1e-5 {
		t.Errorf("differs by %g", far)
	}
	for _, parts := range [][]doc.QuestionPart{nil, {part("the", 0)}} {
		if v, err := m.EmbedQuestion(t.Context(), parts); err != nil || len(v) != m.Dimension() || farthest(v, nil) != 0 {
			t.Errorf("%v: %v, %v, want zeros", parts, v, err)
		}
	}
}

// Prefixes go before texts; a passage is the end of its path, its doc and its body, up to the
// limit; a question of one part has 64 tokens at most.
func TestTexts(t *testing.T) {
	config := graphtest.Tiny
	config.Positions = 512
	dir, reference := write(t, config)
	m := open(t, transformer.Options{Dir: dir, QueryPrefix: "query ", PassagePrefix: "a ", MaxTokens: 100})
	ids := func(first string, n int, word string) []int64 {
		all := []int64{2}
		if first != "" {
			for _, w := range strings.Fields(first) {
				all = append(all, int64(5+slices.Index(words, w)))
			}
		}
		for range n {
			all = append(all, int64(5+slices.Index(words, word)))
		}
		return append(all, 3)
	}
	long := strings.Repeat("store ", 300)
	if far := farthest(embedOne(t, m, long), reference.MeanVector(ids("query", 62, "store"))); far > 1e-5 {
		t.Errorf("a question differs by %g from its prefix and 64 tokens", far)
	}
	got := make([]int8, 2*m.Dimension())
	err := m.EmbedPassages(t.Context(), got, []doc.Passage{
		{Path: "the/of/fast/slow/file/commit", Doc: "graph", Body: long}, {Body: "index"},
	})
	if err != nil {
		t.Fatal(err)
	}
	// The path is cut into words: "/" is one that the vocabulary lacks, [UNK] by its id.
	path := []int64{2, 5 + 1}
	for _, w := range []string{"fast", "", "slow", "", "file", "", "commit", "graph"} {
		path = append(path, max(1, int64(5+slices.Index(words, w))*int64(min(1, len(w)))))
	}
	path = append(path, ids("", 99-len(path), "store")[1:]...)
	for n, exact := range [][]float64{reference.MeanVector(path), reference.MeanVector(ids("a index", 0, ""))} {
		for i, x := range exact {
			if far := math.Abs(float64(got[n*m.Dimension()+i]) - max(-127, min(127, x*doc.VectorScale))); far > .51 {
				t.Fatalf("passage %d: component %d is %d, want %g", n, i, got[n*m.Dimension()+i], x*doc.VectorScale)
			}
		}
	}
	if m.EmbedPassages(t.Context(), got, make([]doc.Passage, 3)) == nil {
		t.Error("three passages went into two vectors")
	}
}
