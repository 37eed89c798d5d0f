package embed

import (
	"math"
	"math/rand/v2"
	"testing"
)

func randoms(r *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

// Every size has its remainders: of two rows, of sixteen lanes, of blocks.
func TestProductsAreInnerProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][3]int{{1, 1, 1}, {2, 3, 17}, {3, 2, 15}, {65, 67, 256}, {5, 130, 600}, {0, 4, 4}, {4, 0, 4}, {64, 384, 384}} {
		m, n, depth := size[0], size[1], size[2]
		a, b, c := randoms(r, m*depth), randoms(r, n*depth), randoms(r, m*n)
		matmul(c, a, b, m, n, depth)
		for i := range m {
			for j := range n {
				want := 0.0
				for k := range depth {
					want += float64(a[i*depth+k]) * float64(b[j*depth+k])
				}
				if got := float64(c[i*n+j]); math.Abs(got-want) > 1e-5*float64(depth) {
					t.Fatalf("%v: c[%d,%d] = %g, want %g", size, i, j, got, want)
				}
			}
		}
	}
}

func TestBagsAreGatheredAndScattered(t *testing.T) {
	const dim, rows = 37, 9
	r := rand.New(rand.NewPCG(3, 4))
	table, bag := randoms(r, rows*dim), Bag{IDs: []uint16{3, 0, 8, 3}, Weights: []float32{1, 9, 0.5, 2}}
	got, want := make([]float32, dim), make([]float32, dim)
	gather(got, table, bag)
	for k, id := range bag.IDs {
		if id != 0 {
			addScaled(want, table[int(id)*dim:(int(id)+1)*dim], bag.Weights[k])
		}
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("gathered %g at %d, want %g", got[i], i, want[i])
		}
	}
	slots, span := []int32{-1, -1, -1, 1, -1, -1, -1, -1, 0}, randoms(r, 5)
	gradient := make([]float32, 2*dim)
	scatter(gradient, span, dim, 30, slots, bag)
	for slot, w := range []float32{0.5, 3} {
		for i := range dim {
			want := float32(0)
			if i >= 30 && i < 35 {
				want = w * span[i-30]
			}
			if got := gradient[slot*dim+i]; math.Abs(float64(got-want)) > 1e-6 {
				t.Errorf("slot %d has %g at %d, want %g", slot, got, i, want)
			}
		}
	}
}

// Adam is as in its paper.
func TestRowsMoveByAdam(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, rate = 53, 0.01
	row, gradient, first, second := randoms(r, n), randoms(r, n), randoms(r, n), randoms(r, n)
	for i := range second {
		second[i] *= second[i]
	}
	want := make([]float64, n)
	for i := range want {
		g := float64(gradient[i])
		m, v := beta1*float64(first[i])+(1-beta1)*g, beta2*float64(second[i])+(1-beta2)*g*g
		want[i] = float64(row[i]) - rate*m/(math.Sqrt(v)+epsilon)
	}
	move(row, gradient, first, second, rate)
	for i := range want {
		if math.Abs(float64(row[i])-want[i]) > 1e-5 {
			t.Errorf("row[%d] = %g, want %g", i, row[i], want[i])
		}
	}
}

// Cosines lie in [-1, 1].
func TestExponentials(t *testing.T) {
	var row []float32
	for c := float32(-1.0001); c <= 1.0001; c += 0.0007 {
		row = append(row, c)
	}
	row = append(row, 1)
	got := append([]float32(nil), row...)
	exponentials(got)
	for i, c := range row {
		want := math.Exp(float64(c-1) / temperature)
		if math.Abs(float64(got[i])-want) > 3e-6*want {
			t.Errorf("of %g: %g, want %g", c, got[i], want)
		}
	}
}
