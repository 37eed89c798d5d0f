package embed

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A sampler holds the items from which a task draws its pairs.
type sampler []item

// An item is identified by its content, because its index changes with the corpus.
type item struct {
	id uint64
	at int32
}

// A sample is a drawn item and its random number in this step.
type sample struct {
	chance uint64
	at     int32
}

// draw returns up to n different items: those with the smallest random numbers in this step. The
// number is a hash of item and step, so that similar corpora give similar batches and nearly equal
// tables. So a working tree with changes ranks like the main tree, and a new fit moves little. With
// a shuffled order, one more passage changed every batch.
func (d sampler) draw(n, step int) []sample {
	out := d.sampleAtLeast(n, step)
	slices.SortFunc(out, func(a, b sample) int {
		return cmp.Or(cmp.Compare(a.chance, b.chance), cmp.Compare(a.at, b.at))
	})
	return out[:min(n, len(out))]
}

// sampleAtLeast returns all items with random numbers up to a bound. They are at least n, if there
// are as many.
func (d sampler) sampleAtLeast(n, step int) []sample {
	most := uint64(math.MaxUint64)
	if 2*n < len(d) {
		most = most / uint64(len(d)) * uint64(2*n) // 2n items on average
	}
	for {
		var out []sample
		for _, c := range d {
			if chance := mixBits(c.id + uint64(step)*oddStep); chance <= most {
				out = append(out, sample{chance, c.at})
			}
		}
		if len(out) >= min(n, len(d)) {
			return out
		}
		most = math.MaxUint64
	}
}

// numberBelow returns a number from 0 up to, but not including, n.
func (d sample) numberBelow(n int32) int32 {
	high, _ := bits.Mul64(mixBits(d.chance), uint64(n))
	return int32(high)
}

// redraw returns the item with another random number.
func (d sample) redraw() sample { return sample{mixBits(d.chance), d.at} }

// oddStep and mixBits are from the generator SplitMix64 (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", 2014).
const oddStep = 0x9e3779b97f4a7c15

func mixBits(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
