package ab

import (
	"math/rand/v2"
	"slices"
)

// An Interval is a mean with its 95% bootstrap interval over tasks (percentiles of Resamples
// means). It is zero if there are no tasks.
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Resamples is how often the tasks are drawn again, with replacement.
const Resamples = 10_000

// interval estimates the mean of values, one for each task. For differences of arms, a value is the
// difference for one task, because arms are paired. Equal seeds draw equal tasks, independently of
// earlier estimates.
func interval(values []float64, seed uint64) Interval { return bootstrap(values, seed, Resamples) }

func bootstrap(values []float64, seed uint64, resamples int) Interval {
	if len(values) == 0 {
		return Interval{}
	}
	draw := rand.New(rand.NewPCG(seed, seed))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[draw.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	slices.Sort(means)
	tail := resamples / 40 // 2.5%
	return Interval{Mean: mean(values), Low: means[tail], High: means[resamples-1-tail]}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// Sample draws n tasks and returns them in their original order. If n is 0 or not below their
// number, it returns all of them.
func Sample(tasks []Task, n int, seed uint64) []Task {
	if n <= 0 || n >= len(tasks) {
		return tasks
	}
	chosen := rand.New(rand.NewPCG(seed, 0)).Perm(len(tasks))[:n]
	slices.Sort(chosen)
	out := make([]Task, n)
	for i, at := range chosen {
		out[i] = tasks[at]
	}
	return out
}
