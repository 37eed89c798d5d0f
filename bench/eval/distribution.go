package eval

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"patina/actors/api"
)

// distributed is the number of first results of an answer whose scores count. A reader sees no
// more by default.
const distributed = 10

// A Distribution says how scores are spread. It needs no answers that are known to be right. Scores
// that hardly differ inside an answer mean that its order says little, and a kind whose scores lie
// above those of all others crowds them out.
type Distribution struct {
	Answers int       `json:"answers"` // answers with results
	First   Quantiles `json:"first"`   // of first results
	// Variance is that of the scores inside an answer.
	Variance Quantiles `json:"variance"`
	// Kinds are the scores of results by kind, with the most results first. Channels are the scores
	// that channels gave to results, each as a part of the channel's best score for the question.
	Kinds    []Quantiles `json:"kinds"`
	Channels []Quantiles `json:"channels"`
}

// Quantiles are quantiles of some values. They are 0 if there are no values.
type Quantiles struct {
	Name   string  `json:"name"`
	N      int     `json:"n"`
	Mean   float64 `json:"mean"`
	Tenth  float64 `json:"q10"`
	Fourth float64 `json:"q25"`
	Median float64 `json:"q50"`
	Upper  float64 `json:"q75"`
	Top    float64 `json:"q90"`
}

// Scores collects the scores of answers. The zero value is ready to use.
type Scores struct {
	first, variances []float64
	kinds, channels  map[string][]float64
}

// Add adds the first ten results of an answer. An answer without results is left out.
func (s *Scores) Add(results []api.Result) {
	results = results[:min(len(results), distributed)]
	if len(results) == 0 {
		return
	}
	if s.kinds == nil {
		s.kinds, s.channels = map[string][]float64{}, map[string][]float64{}
	}
	var all []float64
	for _, r := range results {
		all = append(all, r.Score)
		kind := string(r.Kind)
		s.kinds[kind] = append(s.kinds[kind], r.Score)
		for _, c := range r.Contributions {
			if c.Rank > 0 {
				s.channels[c.Channel] = append(s.channels[c.Channel], c.Normalised)
			}
		}
	}
	s.first, s.variances = append(s.first, all[0]), append(s.variances, variance(all))
}

// variance returns the variance of values, which must not be empty.
func variance(values []float64) (v float64) {
	mean := 0.0
	for _, x := range values {
		mean += x / float64(len(values))
	}
	for _, x := range values {
		v += (x - mean) * (x - mean) / float64(len(values))
	}
	return v
}

// Distribution returns the distribution of the scores that were added.
func (s *Scores) Distribution() Distribution {
	byName := func(of map[string][]float64) []Quantiles {
		out := []Quantiles{}
		for _, name := range slices.Sorted(maps.Keys(of)) {
			out = append(out, quantilesOf(name, of[name]))
		}
		slices.SortStableFunc(out, func(a, b Quantiles) int { return b.N - a.N })
		return out
	}
	return Distribution{
		Answers: len(s.first), First: quantilesOf("first result", s.first),
		Variance: quantilesOf("variance in an answer", s.variances),
		Kinds:    byName(s.kinds), Channels: byName(s.channels),
	}
}

func quantilesOf(name string, values []float64) Quantiles {
	q := Quantiles{Name: name, N: len(values)}
	if q.N == 0 {
		return q
	}
	sorted := slices.Sorted(slices.Values(values))
	for _, x := range sorted {
		q.Mean += x / float64(q.N)
	}
	at := func(part float64) float64 { // between the two nearest values
		i, rest := math.Modf(part * float64(q.N-1))
		low, high := sorted[int(i)], sorted[min(int(i)+1, q.N-1)]
		return low + rest*(high-low)
	}
	q.Tenth, q.Fourth, q.Median, q.Upper, q.Top = at(0.1), at(0.25), at(0.5), at(0.75), at(0.9)
	return q
}

// Text writes the quantiles as a table, or nothing without answers.
func (d Distribution) Text(w io.Writer) error {
	if d.Answers == 0 {
		return nil
	}
	t := table(w, "scores of the first ten results\tn\tmean\t10%\t25%\t50%\t75%\t90%\n")
	row := func(prefix string, q Quantiles) {
		fmt.Fprintf(t, "%s%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", prefix, q.Name, q.N, q.Mean,
			q.Tenth, q.Fourth, q.Median, q.Upper, q.Top)
	}
	row("", d.First)
	row("", d.Variance)
	for _, q := range d.Kinds {
		row("kind ", q)
	}
	for _, q := range d.Channels {
		row("channel ", q)
	}
	return t.Flush()
}
