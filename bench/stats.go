package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"
)

// percentile returns the value not exceeded by p of all (0 < p ≤ 1), by nearest rank: always a
// measured one. It does not change values, which must not be empty.
func percentile[T cmp.Ordered](values []T, p float64) T {
	sorted := slices.Sorted(slices.Values(values))
	// Less a hair: 0.07·100 is a little over 7 in binary.
	rank := int(math.Ceil(p*float64(len(sorted)) - 1e-9))
	return sorted[max(rank, 1)-1]
}

// A figure is one row in the report: a quantity measured several times.
type figure struct {
	name   string
	unit   string
	values []float64
}

// Its minimum, median and maximum.
func (f figure) least() float64    { return slices.Min(f.values) }
func (f figure) median() float64   { return percentile(f.values, 0.5) }
func (f figure) greatest() float64 { return slices.Max(f.values) }

// digits formats a number with three significant digits; more would be noise.
func digits(v float64) string {
	places := 0
	for limit := 100.0; places < 3 && math.Abs(v) < limit; limit /= 10 {
		places++
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// Units for figures.
const megabyte = 1e6

func seconds(d time.Duration) float64 { return d.Seconds() }
func millis(d time.Duration) float64  { return float64(d) / float64(time.Millisecond) }

// each converts values of one type to numbers.
func each[T any](values []T, number func(T) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = number(v)
	}
	return out
}

// Percentiles reported for one round of questions.
var (
	warmPercentiles = []float64{0.50, 0.95, 0.99}
	coldPercentiles = []float64{0.50, 0.95} // the 99th among 200 processes is the machine's noise
)

// latencies returns figures for several rounds of questions: for each percentile, one value a
// round.
func latencies(name string, perRound [][]time.Duration, percentiles []float64) []figure {
	var out []figure
	for _, p := range percentiles {
		values := each(perRound, func(round []time.Duration) float64 { return millis(percentile(round, p)) })
		out = append(out, figure{name + ", p" + strconv.Itoa(int(math.Round(p*100))), "ms", values})
	}
	return out
}
