package ab

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Of 1,000 sets drawn from a known law, 93 to 97% must have its mean in their interval. The law is
// that of differences between arms: mostly zero, sometimes half a need or a whole one.
func TestIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("a million draws")
	}
	law := []float64{0, 0, 0, 0, 0, 0.5, 0.5, 1, -0.5, 0.25}
	draw := rand.New(rand.NewPCG(7, 7))
	held := 0
	for set := range 1000 {
		values := make([]float64, 60)
		for i := range values {
			values[i] = law[draw.IntN(len(law))]
		}
		if x := bootstrap(values, uint64(set), 1000); x.Low <= mean(law) && mean(law) <= x.High {
			held++
		}
	}
	if held < 930 || held > 970 {
		t.Errorf("%d of 1,000 intervals hold the mean", held)
	}
}

// One seed draws the same samples each time, another seed other samples. The mean does not depend
// on it.
func TestSeeds(t *testing.T) {
	values := []float64{0, 0.1, 0.3, 0.9, 1, 0.2, 0.4}
	a, b, c := interval(values, 1), interval(values, 1), interval(values, 2)
	if a != b || a == c || a.Mean != c.Mean {
		t.Errorf("seed 1 %v and %v, seed 2 %v", a, b, c)
	}
	if got := interval(nil, 1); got != (Interval{}) {
		t.Errorf("of no values: %v", got)
	}
	var tasks []Task
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		tasks = append(tasks, Task{ID: id})
	}
	ids := func(n int, seed uint64) (out []string) {
		for _, t := range Sample(tasks, n, seed) {
			out = append(out, t.ID)
		}
		return out
	}
	if x, y := ids(4, 1), ids(4, 1); len(x) != 4 || !slices.Equal(x, y) || !slices.IsSorted(x) {
		t.Errorf("samples %q and %q", x, y)
	}
	if slices.Equal(ids(4, 1), ids(4, 5)) {
		t.Error("two seeds draw one sample")
	}
	if got := ids(0, 1); len(got) != len(tasks) {
		t.Errorf("a sample of 0: %q", got)
	}
}
