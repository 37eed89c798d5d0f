package fusion

import (
	"math"
	"slices"
	"testing"
)

func chances(of ...float64) []Result {
	rs := make([]Result, len(of))
	for i, c := range of {
		rs[i].Chance = c
	}
	return rs
}

func scoresOf(rs []Result) (out []float64) {
	for _, r := range rs {
		out = append(out, math.Round(r.Score*1e6)/1e6)
	}
	return out
}

func TestDescend(t *testing.T) {
	for _, test := range []struct {
		name      string
		relevance Relevance
		chances   []float64
		want      []float64
	}{
		{"nothing", Relevant, nil, nil},
		{"descending", Relevant, []float64{0.9, 0.4, 0.4, 0.1}, []float64{0.9, 0.4, 0.4, 0.1}},
		{"neighbours share their mean", Relevant, []float64{0.1, 0.7, 0.2}, []float64{0.4, 0.4, 0.2}},
		{"back to the first", Relevant, []float64{0.3, 0.2, 0.7}, []float64{0.4, 0.4, 0.4}},
		{"a weak answer", Weak, []float64{0.4, 0.2}, []float64{0.4, 0.2}},
		{"nothing relevant", Irrelevant, []float64{0.2, 0.6, 0.1}, []float64{0.04, 0.04, 0.01}},
		{"nothing relevant, and no chance", Irrelevant, []float64{0.03, 0.01}, []float64{0.03, 0.01}},
	} {
		rs := chances(test.chances...)
		Descend(rs, test.relevance)
		if got := scoresOf(rs); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Whatever the input and the order, scores never rise, a longer answer has the same scores, and the
// scores of the pooled results sum up to their chances.
func TestScoresNeverRise(t *testing.T) {
	check(t, func(in Input) bool {
		rs := Fuse(in)
		for i := 1; i < len(rs); i++ {
			if rs[i].Score > rs[i-1].Score {
				return false
			}
		}
		before, sum := scoresOf(rs), 0.0
		Descend(rs, Relevant)
		for i, r := range rs[:min(len(rs), pooled)] {
			sum += r.Score - r.Chance
			if math.Abs(sum) > 1e-9 && (i+1 == len(rs) || i+1 == pooled) {
				return false
			}
		}
		longer := append(slices.Clone(rs[:min(len(rs), pooled)]), chances(slices.Repeat([]float64{0.99}, pooled)...)...)
		if len(rs) >= pooled {
			Descend(longer, Relevant)
			return slices.Equal(scoresOf(longer[:pooled]), before[:pooled])
		}
		return true
	})
}
