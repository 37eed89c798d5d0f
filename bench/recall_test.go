package main

import (
	"cmp"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"testing/quick"

	"patina/oracles/embed"
	"patina/store/doc"
	"patina/store/vector"
)

// The obvious slow version: sort all, keep equals in order, cut.
func TestGreatest(t *testing.T) {
	same := func(dots []int32, size uint8) bool {
		n := int(size)%20 + 1
		for i := range dots {
			dots[i] %= 7 // makes many equal
		}
		want := make([]int64, len(dots))
		for i := range want {
			want[i] = int64(i)
		}
		slices.SortStableFunc(want, func(a, b int64) int { return cmp.Compare(dots[b], dots[a]) })
		return slices.Equal(greatest(dots, n), want[:min(n, len(want))])
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

func TestKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var got, all []near
	for i := range int64(3 * kept) {
		n := near{i, float32(r.IntN(50))}
		got, all = keep(got, n), append(all, n)
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.cosine, a.cosine) })
	if !slices.Equal(got, all[:kept]) {
		t.Errorf("kept %v, want %v", got, all[:kept])
	}
}

// Vectors that are made in blocks equal those made one passage at a time. Exact floats find every
// neighbour and bytes nearly every one. Distant rows do not count.
func TestRecall(t *testing.T) {
	words := []string{
		"lock", "file", "reader", "write", "parse", "duration", "http", "request", "sort", "slice",
		"garbage", "collector", "certificate",
	}
	r := rand.New(rand.NewPCG(3, 4))
	text := func(n int) (s string) {
		for range n {
			s += words[r.IntN(len(words))] + " "
		}
		return s
	}
	var passages []doc.Passage
	for range 700 {
		passages = append(passages, doc.Passage{Body: text(8)})
	}
	x := &flat{model: embed.Base(), best: make([][]near, 20)}
	for range x.best {
		x.questions = append(x.questions, x.model.Question([]doc.QuestionPart{{Text: text(3), Weight: 1}}))
	}
	path := filepath.Join(t.TempDir(), "flat.vec")
	w, err := vector.Create(path, vector.Header{Dimension: x.model.Dimension()})
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range [][]doc.Passage{passages[:300], passages[300:], nil} {
		if err := x.add(w, block); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := vector.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := f.Hold(x.rows); err != nil || x.rows != 700 {
		t.Fatalf("%d rows, %v", x.rows, err)
	}
	defer f.Release()
	want := make([]int8, x.model.Dimension())
	for i, p := range passages {
		if x.model.Embed(want, x.model.Encode(nil, p)); !slices.Equal(f.Slice(int64(i), 1), want) {
			t.Fatalf("row %d is not that of its passage", i)
		}
	}
	search := func(order func(dots []int32)) func(q []float32) []int64 {
		return func(q []float32) []int64 {
			dots := make([]int32, x.rows)
			vector.Dots(dots, f.Slice(0, x.rows), rounded(q))
			order(dots)
			return rescore(f, q, greatest(dots, rescored))
		}
	}
	if got := x.recall(search(func([]int32) {})); got < 0.95 {
		t.Errorf("recall of the nearest %.3f", got)
	}
	farthest := search(func(dots []int32) {
		for i := range dots {
			dots[i] = -dots[i]
		}
	})
	if got := x.recall(farthest); got > 0 {
		t.Errorf("recall of the farthest %.3f", got)
	}
}
