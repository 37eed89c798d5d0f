package embed

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func randoms(r *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

// The sizes leave remainders of tiles, of registers and of blocks. Sums must be the same as if
// products were added one by one, from the first to the last.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][3]int{
		{1, 1, 1},
		{2, 3, 17},
		{3, 2, 15},
		{65, 67, 256},
		{5, 130, 600},
		{0, 4, 4},
		{4, 0, 4},
		{4, 4, 0},
		{64, 384, 384},
	} {
		m, n, depth := size[0], size[1], size[2]
		b, c := randoms(r, n*depth), randoms(r, m*n)
		for _, a := range []matrix{{randoms(r, m*depth), depth, 1}, {randoms(r, m*depth), 1, m}} {
			matmul(c, a, b, m, n, depth)
			for i := range m {
				for j := range n {
					var want float32
					for k := range depth {
						want += float32(a.data[i*a.rowStep+k*a.columnStep] * b[k*n+j])
					}
					if got := c[i*n+j]; got != want {
						t.Fatalf("%v: c[%d,%d] = %g, want %g", size, i, j, got, want)
					}
				}
			}
		}
	}
}

func TestBagsAreGathered(t *testing.T) {
	const dim, rows = 37, 9
	r := rand.New(rand.NewPCG(3, 4))
	table, bag := randoms(r, rows*dim), Bag{IDs: []uint16{3, 0, 8, 3}, Weights: []float32{1, 9, 0.5, 2}}
	got, want := make([]float32, dim), make([]float32, dim)
	length := gatherUnit(got, table, bag)
	for k, id := range bag.IDs {
		if id != 0 {
			addScaled(want, table[int(id)*dim:(int(id)+1)*dim], bag.Weights[k])
		}
	}
	if by := normalise(want); math.Abs(float64(length-by)) > 1e-5 {
		t.Errorf("length %g, want %g", length, by)
	}
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1e-6 {
			t.Fatalf("gathered %g at %d, want %g", got[i], i, want[i])
		}
	}
	for _, bag := range []Bag{
		{},
		{IDs: []uint16{0}, Weights: []float32{1}},
		{IDs: []uint16{1, 1}, Weights: []float32{1, -1}},
		{IDs: []uint16{1}, Weights: []float32{math.MaxFloat32}},
		{IDs: []uint16{1}, Weights: []float32{1e-20}}, // its square has few digits
	} {
		length := gatherUnit(got, table, bag)
		if length != 0 || slices.ContainsFunc(got, func(x float32) bool { return x != 0 }) {
			t.Errorf("a bag of %v has length %g and vector %g", bag, length, got)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a piece without a row was read")
		}
	}()
	gatherUnit(got, table, Bag{IDs: []uint16{1, rows}, Weights: []float32{1, 1}})
}

// Adam must be as in its paper, and the gradient of a row the sum over the bags that use it, also
// in the columns after the last whole block.
func TestRowsMoveByAdam(t *testing.T) {
	const rows, rate = 9, 0.01
	for _, dim := range []int{53, 256, 300} {
		r := rand.New(rand.NewPCG(5, 6))
		table := randoms(r, rows*dim)
		a := adam{first: randoms(r, rows*dim), second: randoms(r, rows*dim)}
		for i := range a.second {
			a.second[i] *= a.second[i]
		}
		batch := Batch{
			Questions: []Bag{{[]uint16{3, 0, 8}, []float32{1, 9, 0.5}}, {}},
			Passages:  []Bag{{[]uint16{8}, []float32{2}}, {[]uint16{3, 3, 1}, []float32{0.1, 3, 1}}},
		}
		w := newWorkspace(rows)
		w.questions.lengths = make([]float32, 2)
		w.questions.gradient, w.passages.gradient = randoms(r, 2*dim), randoms(r, 2*dim)
		w.use(batch)
		want := make([]float64, rows*dim)
		for i, x := range table {
			want[i] = float64(x)
		}
		for slot, id := range w.ids {
			for k, g := range w.gradientOf(slot, dim) {
				at, g := int(id)*dim+k, float64(g)
				m, v := beta1*float64(a.first[at])+(1-beta1)*g, beta2*float64(a.second[at])+(1-beta2)*g*g
				want[at] -= rate * m / (math.Sqrt(v) + epsilon)
			}
		}
		w.update(&a, table, dim, 0, 1, rate)
		w.update(&a, table, dim, 1, len(w.ids), rate)
		if len(w.ids) != 3 || w.starts[3] != 6 {
			t.Fatalf("pieces %v are used %v times", w.ids, w.starts)
		}
		for i := range want {
			if math.Abs(float64(table[i])-want[i]) > 1e-5 {
				t.Errorf("dimension %d: %g at %d, want %g", dim, table[i], i, want[i])
			}
		}
	}
}

// Cosines are in [-1, 1].
func TestExponentials(t *testing.T) {
	var row []float32
	for c := float32(-1.0001); c <= 1.0001; c += 0.0007 {
		row = append(row, c)
	}
	row = append(row, 1)
	got := append([]float32(nil), row...)
	exponentiate(got)
	for i, c := range row {
		want := math.Exp(float64(c-1) / temperature)
		if math.Abs(float64(got[i])-want) > 3e-6*want {
			t.Errorf("of %g: %g, want %g", c, got[i], want)
		}
	}
}
