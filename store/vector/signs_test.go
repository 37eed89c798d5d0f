package vector

import (
	"math/rand/v2"
	"testing"
)

func TestSignsAreThoseOfTheRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for _, dimension := range []int{64, 192, 256} {
		rows := randomRows(r, 50, dimension)
		rows[0], rows[1], rows[2] = 0, -128, 127
		s := SignsOf(rows, dimension)
		for i, v := range rows {
			if got := s.words[i/64]>>(i%64)&1 == 1; got != (v < 0) {
				t.Fatalf("dimension %d: component %d is %d, its sign %v", dimension, i, v, got)
			}
		}
	}
}

// Near gives the products of at least nearRows rows, all that are as near by signs as one of them,
// and no others.
func TestNearIsDotsOfTheNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for _, x := range []struct{ n, dimension int }{{1, 64}, {nearRows, 64}, {2*nearRows + 3, 64}, {3 * nearRows, 256}} {
		rows, q := randomRows(r, x.n, x.dimension), randomRows(r, 1, x.dimension)
		s := SignsOf(rows, x.dimension)
		got, want := make([]int32, x.n), make([]int32, x.n)
		s.Near(got, rows, q)
		Dots(want, rows, q)
		apart := func(i int) (n int) {
			for k, v := range rows[i*x.dimension : (i+1)*x.dimension] {
				if (v < 0) != (q[k] < 0) {
					n++
				}
			}
			return n
		}
		kept, farthest, nearest := 0, 0, x.dimension+1
		for i := range got {
			if got[i] == Far {
				nearest = min(nearest, apart(i))
				continue
			}
			kept++
			farthest = max(farthest, apart(i))
			if got[i] != want[i] {
				t.Fatalf("%v: row %d is %d, want %d", x, i, got[i], want[i])
			}
		}
		if kept < min(x.n, nearRows) || farthest >= nearest {
			t.Errorf("%v: %d kept, up to %d signs apart; the nearest left out is %d apart", x, kept, farthest, nearest)
		}
		if x.n > 2*nearRows && kept > x.n/4*3 {
			t.Errorf("%v: %d of %d kept", x, kept, x.n)
		}
	}
}

// Rows near a question are among those that Near compares.
func TestNearFindsNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	const n, dimension, close = 5 * nearRows, 256, 40
	rows, q := randomRows(r, n, dimension), randomRows(r, 1, dimension)
	for i := range close { // two parts the question, one part chance
		row := rows[i*997*dimension:][:dimension]
		for k := range row {
			row[k] = int8((2*int(q[k]) + int(row[k])) / 3)
		}
	}
	got := make([]int32, n)
	SignsOf(rows, dimension).Near(got, rows, q)
	for i := range close {
		if got[i*997] == Far {
			t.Errorf("the neighbour at %d was left out", i*997)
		}
	}
}
