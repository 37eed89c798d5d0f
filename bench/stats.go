package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"
)

// percentile returns the value that is not exceeded by a share p of all values, by nearest rank, so
// it is always one of them. p must be above 0 and at most 1, and values must not be empty. values
// is unchanged.
func percentile[T cmp.Ordered](values []T, p float64) T {
	sorted := slices.Sorted(slices.Values(values))
	// A little is subtracted because 0.07·100 is slightly over 7 in binary.
	rank := int(math.Ceil(p*float64(len(sorted)) - 1e-9))
	return sorted[max(rank, 1)-1]
}

// A figure is one row in the report: a quantity that was measured several times.
type figure struct {
	name   string
	unit   string
	values []float64
}

// Minimum, median and maximum of a figure.
func (f figure) least() float64    { return slices.Min(f.values) }
func (f figure) median() float64   { return percentile(f.values, 0.5) }
func (f figure) greatest() float64 { return slices.Max(f.values) }

// digits formats a number with three significant digits, because more would be noise.
func digits(v float64) string {
	places := 0
	for limit := 100.0; places < 3 && math.Abs(v) < limit; limit /= 10 {
		places++
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// Units of figures.
const megabyte = 1e6

func seconds(d time.Duration) float64 { return d.Seconds() }
func millis(d time.Duration) float64  { return float64(d) / float64(time.Millisecond) }

// each converts values to numbers.
func each[T any](values []T, number func(T) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = number(v)
	}
	return out
}

// Percentiles that are reported for one round of questions.
var (
	warmPercentiles = []float64{0.50, 0.95, 0.99}
	coldPercentiles = []float64{0.50, 0.95} // the 99th of 200 processes is noise of the machine
)

// latencies returns figures for several rounds of questions: one for each percentile, with one
// value for each round.
func latencies(name string, perRound [][]time.Duration, percentiles []float64) []figure {
	var out []figure
	for _, p := range percentiles {
		values := each(perRound, func(round []time.Duration) float64 { return millis(percentile(round, p)) })
		out = append(out, figure{name + ", p" + strconv.Itoa(int(math.Round(p*100))), "ms", values})
	}
	return out
}
