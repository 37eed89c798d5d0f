package eval

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// An Estimate is a mean with its 95% bootstrap interval over the questions. It is zero if there are
// no questions.
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

const (
	resamples = 1000
	lowest    = 25  // index into the sorted means, from 0: 2.5%
	highest   = 974 // 97.5%
	seed      = 1
)

// EstimateOf returns the macro mean and its interval. Each group has one value for each question,
// and all groups have equal weight. The questions in each group are drawn again a thousand times,
// with replacement. Every call starts from the same seed, because an interval must not depend on
// earlier calls.
func EstimateOf(groups ...[]float64) Estimate { return estimateFrom(seed, groups...) }

// EstimateSeeded returns the mean of values with an interval from draws with the given seed.
func EstimateSeeded(from uint64, values []float64) Estimate { return estimateFrom(from, values) }

func estimateFrom(from uint64, groups ...[]float64) Estimate {
	groups = slices.DeleteFunc(slices.Clone(groups), func(xs []float64) bool { return len(xs) == 0 })
	if len(groups) == 0 {
		return Estimate{}
	}
	draw := rand.New(rand.NewPCG(from, from))
	var means [resamples]float64
	for i := range means {
		for _, xs := range groups {
			sum := 0.0
			for range xs {
				sum += xs[draw.IntN(len(xs))]
			}
			means[i] += sum / float64(len(xs)) / float64(len(groups))
		}
	}
	slices.Sort(means[:])
	e := Estimate{Low: means[lowest], High: means[highest]}
	for _, xs := range groups {
		e.Mean += mean(xs) / float64(len(groups))
	}
	return e
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(max(1, len(xs)))
}

// String formats an estimate for tables.
func (e Estimate) String() string { return fmt.Sprintf("%.3f [%.3f, %.3f]", e.Mean, e.Low, e.High) }

// Signed formats an estimated difference, with a sign.
func (e Estimate) Signed() string { return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", e.Mean, e.Low, e.High) }
