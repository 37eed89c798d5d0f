package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/quick"
)

// slowDots computes Dots without its kernels.
func slowDots(dst []int32, rows, q []int8) {
	for i := range dst {
		var sum int32
		for j, v := range rows[i*len(q) : (i+1)*len(q)] {
			sum += int32(v) * int32(q[j])
		}
		dst[i] = sum
	}
}

func TestDots(t *testing.T) {
	check := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 2))
		dimension := 64 * (1 + r.IntN(16))
		n := r.IntN(200)
		rows, q := randomRows(r, n+1, dimension), randomRows(r, 2, dimension)
		rows, q = rows[1:][:n*dimension], q[3:][:dimension] // not aligned
		got, want := make([]int32, n), make([]int32, n)
		slowDots(want, rows, q)
		for level := range bestLevel() + 1 {
			clear(got)
			dotsAt(level, got, rows, q)
			if !slices.Equal(got, want) {
				t.Logf("level %d", level)
				return false
			}
		}
		return true
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

// The largest possible product, and its negative. No kernel may overflow.
func TestDotsExtremes(t *testing.T) {
	for _, dimension := range []int{64, 256, 1024, maxDimension} {
		for _, c := range []struct{ row, q int8 }{{127, 127}, {-127, 127}, {127, -127}, {-127, -127}} {
			rows, q := slices.Repeat([]int8{c.row}, dimension), slices.Repeat([]int8{c.q}, dimension)
			dst := []int32{0}
			for level := range bestLevel() + 1 {
				dotsAt(level, dst, rows, q)
				if want := int32(dimension) * int32(c.row) * int32(c.q); dst[0] != want {
					t.Errorf("level %d: %d × %d · %d = %d, want %d", level, dimension, c.row, c.q, dst[0], want)
				}
			}
		}
	}
}

// On several processors the result is the same, at every length around the block boundaries.
func TestDotsParallel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const dimension = 64
	rows, q := randomRows(r, parallelRows+3*blockRows, dimension), randomRows(r, 1, dimension)
	want := make([]int32, len(rows)/dimension)
	slowDots(want, rows, q)
	for _, n := range []int{0, 1, blockRows, parallelRows, parallelRows + 1, parallelRows + blockRows - 1, len(want)} {
		got := make([]int32, n)
		for workers := 2; workers < 5; workers++ {
			clear(got)
			dotsParallel(got, rows[:n*dimension], q, workers)
			if !slices.Equal(got, want[:n]) {
				t.Errorf("%d rows on %d processors differ from the slow loop", n, workers)
			}
		}
		clear(got)
		Dots(got, rows[:n*dimension], q)
		if !slices.Equal(got, want[:n]) {
			t.Errorf("%d rows differ from the slow loop", n)
		}
	}
	mustPanic(t, "rows that do not fit", func() { Dots(make([]int32, 2), rows[:dimension], q) })
	mustPanic(t, "rows that no kernel reads whole", func() { Dots(make([]int32, 2), rows[:64], q[:32]) })
}

func TestQuantise(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := []float32{0, 1.0 / 384, -1.0 / 384, 0.3, 1.4 / 384, -1.6 / 384, 0.33, 0.34, -0.34, 1, nan, inf, -inf}
	want := []int8{0, 1, -1, 115, 1, -2, 127, 127, -127, 127, 0, 127, -127}
	got := make([]int8, len(x))
	Quantise(got, x)
	if !slices.Equal(got, want) {
		t.Errorf("quantised %v, want %v", got, want)
	}
}
