package graph

import (
	"cmp"
	"slices"
)

// mostSweeps bounds the passes over the layers: more change little in graphs that people can read.
// manySlots is the number of slots for which all of them take about a tenth of a second. Larger
// graphs get fewer.
const (
	mostSweeps = 12
	manySlots  = 3000
)

func (l *layered) sweeps() int { return min(mostSweeps, max(2, mostSweeps*manySlots/len(l.slots))) }

// untangle orders the slots of each layer so that few edges cross: each goes to the median of the
// slots beside it, layer by layer, forwards and backwards. The best order is kept.
func (l *layered) untangle() {
	best, crossings := l.copyOrder(), l.crossings()
	median := make([]float64, len(l.slots))
	for i := 0; i < l.sweeps() && crossings > 0; i++ {
		place := l.places()
		for j := range l.layers {
			layer := l.layers[j]
			if i%2 == 1 {
				layer = l.layers[len(l.layers)-1-j]
			}
			l.orderLayer(layer, place, median, i%2 == 0)
		}
		if n := l.crossings(); n < crossings {
			best, crossings = l.copyOrder(), n
		}
	}
	l.layers = best
}

func (l *layered) copyOrder() [][]int {
	out := make([][]int, len(l.layers))
	for i, layer := range l.layers {
		out[i] = slices.Clone(layer)
	}
	return out
}

// places returns the place of each slot in its layer.
func (l *layered) places() []int {
	place := make([]int, len(l.slots))
	for _, layer := range l.layers {
		for i, s := range layer {
			place[s] = i
		}
	}
	return place
}

// orderLayer sorts a layer by the medians of the slots on one side. A slot without any there stays
// near its place.
func (l *layered) orderLayer(layer, place []int, median []float64, byLeft bool) {
	var at []int
	for i, s := range layer {
		beside := l.slots[s].right
		if byLeft {
			beside = l.slots[s].left
		}
		if median[s] = float64(i); len(beside) == 0 {
			continue
		}
		if at = at[:0]; len(beside) == 1 {
			median[s] = float64(place[beside[0]])
			continue
		}
		for _, b := range beside {
			at = append(at, place[b])
		}
		slices.Sort(at)
		median[s] = float64(at[len(at)/2]+at[(len(at)-1)/2]) / 2
	}
	slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(median[a], median[b]) })
	for i, s := range layer {
		place[s] = i
	}
}

// crossings counts the pairs of edges that cross between neighbouring layers.
func (l *layered) crossings() (n int) {
	place := l.places()
	var ends []int // right ends, in the order of the left ones
	for i := 0; i+1 < len(l.layers); i++ {
		ends = ends[:0]
		for _, s := range l.layers[i] {
			first := len(ends)
			for _, r := range l.slots[s].right {
				ends = append(ends, place[r])
			}
			slices.Sort(ends[first:])
		}
		n += inversions(ends, len(l.layers[i+1]))
	}
	return n
}

// inversions counts the pairs that are out of order, of numbers below n (Barth, Jünger, Mutzel
// 2002).
func inversions(numbers []int, n int) (count int) {
	first := 1
	for first < n {
		first *= 2
	}
	tree := make([]int, 2*first)
	for _, x := range numbers {
		for i := x + first; i > 0; i /= 2 {
			tree[i]++
			if i%2 == 0 && i > 0 {
				count += tree[i+1]
			}
		}
	}
	return count
}
