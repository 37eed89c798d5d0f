package eval

import (
	"math"
	"testing"
)

func TestEstimate(t *testing.T) {
	if got := EstimateOf(nil); got != (Estimate{}) {
		t.Errorf("of nothing: %+v", got)
	}
	if got := EstimateOf([]float64{0.25}); got != (Estimate{0.25, 0.25, 0.25}) {
		t.Errorf("of one value: %+v", got)
	}
	if got := EstimateOf([]float64{1, 1, 1, 1}); got != (Estimate{1, 1, 1}) {
		t.Errorf("of equal values: %+v", got)
	}
	// Groups have equal weight, whatever their number of values. With equal values every resample
	// has the same mean.
	if got, want := EstimateOf([]float64{0.5, 0.5}, nil, []float64{0.25}),
		(Estimate{0.375, 0.375, 0.375}); got != want {
		t.Errorf("of two groups: %+v, want %+v", got, want)
	}
	xs := []float64{0, 1, 0.5, 1, 0.25}
	a, b := EstimateOf(xs), EstimateOf(xs)
	if a != b {
		t.Errorf("twice the same values: %+v and %+v", a, b)
	}
	if a.Mean != 0.55 || a.Low >= a.Mean || a.High <= a.Mean || a.Low < 0 || a.High > 1 {
		t.Errorf("of %v: %+v", xs, a)
	}
}

// For 400 coin tosses the normal interval is 0.5 ± 1.96·√(0.25/400) = 0.5 ± 0.049. For a quarter as
// many questions it is twice as wide.
func TestIntervalWidth(t *testing.T) {
	tosses := func(n int) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(i % 2)
		}
		return xs
	}
	for _, x := range []struct {
		n    int
		half float64
	}{{400, 0.049}, {100, 0.098}} {
		e := EstimateOf(tosses(x.n))
		for _, half := range []float64{e.Mean - e.Low, e.High - e.Mean} {
			if math.Abs(half-x.half) > 0.15*x.half {
				t.Errorf("%d tosses: %+v, want ± %.3f", x.n, e, x.half)
			}
		}
	}
}
