package vector

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSignsAreThoseOfTheRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for _, dimension := range []int{64, 192, 256, 384, 768} {
		const n, block = 150, 64
		rows := randomRows(r, n, dimension)
		rows[0], rows[1], rows[2] = 0, -128, 127
		s := SignsOf(rows, dimension)
		for i, v := range rows {
			row, k := i/dimension, i%dimension
			eight := s.signs[row/block*block*dimension/8+k/8*block+row%block]
			if got := eight>>(k%8)&1 == 1; got != (v < 0) {
				t.Fatalf("dimension %d, row %d: component %d is %d, its sign %v", dimension, row, k, v, got)
			}
		}
	}
}

// slowApart returns the distance of a row's signs from q.
func slowApart(row, q []int8) (sum int) {
	size := func(v int8) int { return max(int(v), -int(v)) }
	top := 1
	for _, v := range q {
		top = max(top, size(v))
	}
	for k, v := range row {
		if (v < 0) != (q[k] < 0) {
			sum += (2*15*size(q[k]) + top) / (2 * top)
		}
	}
	return sum
}

// Near finds the rows that are least apart, ties in their order, with their products, on any
// processor.
func TestNearFindsTheLeastApart(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	found := new(Found)
	for _, x := range []struct{ n, dimension int }{
		{0, 64},
		{1, 64},
		{NearRows, 64},
		{NearRows + 1, 64},
		{2*NearRows + 3, 192},
		{3 * NearRows, 256},
		{2*NearRows + 3, 384},
		{NearRows + 100, 768},
		{NearRows + 100, MaxSigned},
	} {
		rows, q := randomRows(r, x.n+1, x.dimension), randomRows(r, 2, x.dimension)
		rows, q = rows[1:][:x.n*x.dimension], q[3:][:x.dimension] // not aligned
		q[0] = -128
		for range 50 { // many rows are there more than once
			if x.n > 1 {
				a, b := r.IntN(x.n), r.IntN(x.n)
				copy(rows[a*x.dimension:][:x.dimension], rows[b*x.dimension:][:x.dimension])
			}
		}
		apart, want := make([]int, x.n), make([]int32, x.n)
		for i := range want {
			apart[i], want[i] = slowApart(rows[i*x.dimension:][:x.dimension], q), int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int { return apart[a] - apart[b] })
		want = want[:min(x.n, NearRows)]
		slices.Sort(want)
		dots := make([]int32, x.n)
		slowDots(dots, rows, q)
		s := SignsOf(rows, x.dimension)
		for level := range bestLevel() + 1 {
			s.findNear(level, found, rows, q)
			if !slices.Equal(found.Rows, want) {
				t.Fatalf("%v, level %d: %d rows found, want others, or %d", x, level, len(found.Rows), len(want))
			}
			for i, row := range found.Rows {
				if found.Dots[i] != dots[row] {
					t.Fatalf("%v, level %d: row %d is %d, want %d", x, level, row, found.Dots[i], dots[row])
				}
			}
		}
	}
	for _, dimension := range []int{0, 8, 96, MaxSigned + 64} {
		mustPanic(t, "rows that no kernel reads", func() { SignsOf(make([]int8, dimension), dimension) })
	}
	mustPanic(t, "a row cut short", func() { SignsOf(make([]int8, 100), 64) })
	mustPanic(t, "a question of another dimension", func() {
		SignsOf(make([]int8, 128), 128).Near(found, make([]int8, 128), make([]int8, 64))
	})
}

// A question that is near no row, and the largest possible sums.
func TestNearExtremes(t *testing.T) {
	for _, dimension := range []int{64, MaxSigned} {
		const n = NearRows + 70
		near, far := slices.Repeat([]int8{127}, dimension), slices.Repeat([]int8{-127}, dimension)
		rows := slices.Repeat(far, n)
		copy(rows[(n-1)*dimension:], near)
		s := SignsOf(rows, dimension)
		for level := range bestLevel() + 1 {
			found := new(Found)
			s.findNear(level, found, rows, near)
			last := len(found.Rows) - 1
			if last+1 != NearRows || found.Rows[last] != n-1 || found.Rows[last-1] != NearRows-2 {
				t.Errorf("level %d: %d rows, the last %v", level, last+1, found.Rows[last-1:])
			}
			s.findNear(level, found, rows, make([]int8, dimension))
			if len(found.Rows) != NearRows || found.Rows[NearRows-1] != NearRows-1 || found.Dots[0] != 0 {
				t.Errorf("level %d: near to nothing are %d rows", level, len(found.Rows))
			}
		}
	}
}

// Rows near a question are among those that Near compares.
func TestNearFindsNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for _, dimension := range []int{256, 384, 768} {
		findsNeighbours(t, r, dimension)
	}
}

func findsNeighbours(t *testing.T, r *rand.Rand, dimension int) {
	const n, close = 13 * NearRows, 40
	rows, q := randomRows(r, n, dimension), randomRows(r, 1, dimension)
	for i := range close { // two parts the question, one part chance
		row := rows[i*997*dimension:][:dimension]
		for k := range row {
			row[k] = int8((2*int(q[k]) + int(row[k])) / 3)
		}
	}
	found := new(Found)
	SignsOf(rows, dimension).Near(found, rows, q)
	for i := range close {
		if _, ok := slices.BinarySearch(found.Rows, int32(i*997)); !ok {
			t.Errorf("the neighbour at %d of dimension %d was left out", i*997, dimension)
		}
	}
}
