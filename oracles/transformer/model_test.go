package transformer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
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
			for n := range 20 {
				question, ids := text(r, 1+2*n)
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
	for _, n := range []int{0, 1, 2, 3, 17, 150} {
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

// A canceled context must end a call, also within a batch, and leave the model usable.
func TestCancellation(t *testing.T) {
	config := graphtest.Tiny
	config.Layers = 60
	dir, _ := write(t, config)
	m := open(t, transformer.Options{Dir: dir})
	r := rand.New(rand.NewPCG(3, 3))
	passages := make([]doc.Passage, 400)
	for i := range passages {
		passages[i].Body, _ = text(r, 60)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.EmbedPassages(ctx, make([]int8, len(passages)*m.Dimension()), passages); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled before: %v", err)
	}
	embedOne(t, m, "the store")
}

// Any number of goroutines may use a model and close it.
func TestConcurrentUse(t *testing.T) {
	dir, _ := write(t, graphtest.Tiny)
	m := open(t, transformer.Options{Dir: dir, Slots: 2})
	want := fmt.Sprint(embedOne(t, m, "a fast query"))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 20 {
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
