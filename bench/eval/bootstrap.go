package eval

import (
	"math/rand/v2"
	"slices"
)

// An Estimate is a mean with its 95% bootstrap interval over the questions. It is zero where there are none.
type Estimate struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

const (
	resamples = 1000
	lowest    = 25  // of the sorted means, from 0: 2.5%
	highest   = 974 // 97.5%
	seed      = 1
)

// EstimateOf is the mean of values, one a question, with its interval: it draws len(xs) values with replacement, a thousand times.
// Every call begins at the same seed, so an interval does not depend on what was estimated before.
func EstimateOf(xs []float64) Estimate {
	if len(xs) == 0 {
		return Estimate{}
	}
	draw := rand.New(rand.NewPCG(seed, seed))
	var means [resamples]float64
	for i := range means {
		sum := 0.0
		for range xs {
			sum += xs[draw.IntN(len(xs))]
		}
		means[i] = sum / float64(len(xs))
	}
	slices.Sort(means[:])
	return Estimate{Mean: mean(xs), Low: means[lowest], High: means[highest]}
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
