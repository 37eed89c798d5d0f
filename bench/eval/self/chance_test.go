package self

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"patina/bench/eval"
)

// chance computes the same figures as a simulated uniform draw.
func TestChanceEqualsSimulation(t *testing.T) {
	const draws = 40_000
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, x := range []struct{ n, wanted int }{{1, 1}, {3, 1}, {7, 7}, {8, 3}, {40, 1}, {40, 12}, {200, 5}} {
		c := Case{}
		for i := range x.wanted {
			c.Expect = append(c.Expect, fmt.Sprint(i))
		}
		var sum, squares [6]float64
		for range draws {
			var ranking []string
			for _, d := range rnd.Perm(x.n) {
				ranking = append(ranking, fmt.Sprint(d))
			}
			for k, v := range judge(c, ranking).metrics() {
				sum[k] += v
				squares[k] += v * v
			}
		}
		for k, want := range chance(c, x.n).metrics() {
			mean := sum[k] / draws
			deviation := math.Sqrt(max(0, squares[k]/draws-mean*mean) / draws)
			if math.Abs(mean-want) > 4.5*deviation+1e-9 {
				t.Errorf("%d of %d, metric %d: computed %.5f, simulated %.5f ± %.5f", x.wanted, x.n, k, want, mean,
					deviation)
			}
		}
	}
}

// A case may expect more documents than there are.
func TestChanceOfTheImpossible(t *testing.T) {
	c := Case{Expect: []string{"a", "b", "c"}}
	if r := chance(c, 0); r.metrics() != [6]float64{} {
		t.Errorf("nothing to draw from: %+v", r)
	}
	if r := chance(c, 1); r.RR != 1 || r.Recall != 1.0/3 {
		t.Errorf("one to draw from: %+v", r)
	}
}

// A 95% interval must hold the true mean in 93 to 97 of 100 simulated sets of paired differences.
func TestIntervalsCover(t *testing.T) {
	const sets, questions = 1000, 100
	// The differences of reciprocal ranks: most are zero, some are a place or two, few are all of
	// it.
	values := []float64{0, 0, 0, 0, 0.5, -0.5, 1.0 / 6, -1.0 / 6, 0.75, -0.9, 1}
	truth := 0.0
	for _, v := range values {
		truth += v / float64(len(values))
	}
	rnd, covered := rand.New(rand.NewPCG(5, 6)), 0
	for i := range sets {
		xs := make([]float64, questions)
		for k := range xs {
			xs[k] = values[rnd.IntN(len(values))]
		}
		if e := eval.EstimateSeeded(uint64(i), xs); e.Low <= truth && truth <= e.High {
			covered++
		}
	}
	if share := float64(covered) / sets; share < 0.93 || share > 0.97 {
		t.Errorf("%.3f of the intervals hold the mean", share)
	}
}

func TestJudge(t *testing.T) {
	c := Case{ID: "x", Expect: []string{"a", "b"}, Exclude: []string{"self"}}
	for name, x := range map[string]struct {
		ranking []string
		want    Row
	}{
		"nothing": {nil, Row{}},
		"what is asked for": {
			[]string{"self", "a"},
			Row{P5: 0.2, P10: 0.1, RR: 1, NDCG: 1 / (1 + discount(1)), Recall: 0.5},
		},
		"a unit counts once": {
			[]string{"z", "z", "a", "a"},
			Row{P5: 0.2, P10: 0.1, RR: 0.5, NDCG: discount(1) / (1 + discount(1)), Recall: 0.5},
		},
		"beyond five": {
			[]string{"1", "2", "3", "4", "5", "b"},
			Row{P10: 0.1, RR: 1.0 / 6, NDCG: discount(5) / (1 + discount(1)), Recall: 0.5},
		},
		"beyond ten": {[]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "a"}, Row{}},
	} {
		x.want.List = x.want.RR
		if got := judge(c, x.ranking); got.metrics() != x.want.metrics() {
			t.Errorf("%s: %+v, want %+v", name, got, x.want)
		}
	}
	if r := attainable(c); r.RR != 1 || r.NDCG != 1 || r.Recall != 1 || r.P5 != 0.4 {
		t.Errorf("all in front: %+v", r)
	}
}
