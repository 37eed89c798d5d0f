package embed

import (
	"slices"
	"testing"
)

func numbers(n int) (d sampler) {
	for i := range n {
		d = append(d, item{hashTexts([]byte{byte(i), byte(i >> 8)}), int32(i)})
	}
	return d
}

func places(drawn []sample) (out []int32) {
	for _, c := range drawn {
		out = append(out, c.at)
	}
	return out
}

func TestDeck(t *testing.T) {
	for _, test := range []struct{ items, n, want int }{
		{0, 5, 0}, {1, 5, 1}, {30, 99, 30}, {30, 10, 10}, {500, 384, 384}, {5000, 384, 384},
	} {
		got := places(numbers(test.items).draw(test.n, 3))
		slices.Sort(got)
		if len(slices.Compact(got)) != test.want {
			t.Errorf("%d of %d items are %d different ones, want %d",
				test.n, test.items, len(slices.Compact(got)), test.want)
		}
	}
	counts := make([]int, 100)
	for step := range 1000 {
		for _, at := range places(numbers(100).draw(10, step)) {
			counts[at]++
		}
	}
	// 100, and four times the standard deviation of 9.5.
	if least, most := slices.Min(counts), slices.Max(counts); least < 60 || most > 140 {
		t.Errorf("in 1,000 draws of ten from a hundred, an item came %d to %d times", least, most)
	}
}

// Another card in front of all others must change at most one card of a draw.
func TestAnotherCardChangesOne(t *testing.T) {
	few := numbers(3000)
	more := slices.Concat(sampler{{hashTexts([]byte("another")), 9999}}, few)
	came := false
	for step := range 60 {
		a, b := places(few.draw(384, step)), places(more.draw(384, step))
		kept := slices.DeleteFunc(slices.Clone(b), func(at int32) bool { return at == 9999 })
		came = came || len(kept) < len(b)
		if !slices.Equal(kept, a[:len(kept)]) {
			t.Fatalf("step %d: %d of %d items stayed in their order", step, len(kept), len(a))
		}
	}
	if !came {
		t.Error("the other item was never drawn")
	}
}

func TestBelow(t *testing.T) {
	counts := make([]int, 7)
	for _, c := range numbers(7000).draw(7000, 0) {
		counts[c.numberBelow(7)]++
		if c.numberBelow(1) != 0 || c.redraw().numberBelow(1) != 0 {
			t.Fatal("below one is not zero")
		}
	}
	if least, most := slices.Min(counts), slices.Max(counts); least < 880 || most > 1120 {
		t.Errorf("of 7,000, a number from 0 to 6 came %d to %d times", least, most)
	}
}
