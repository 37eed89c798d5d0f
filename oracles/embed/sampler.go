package embed

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A deck is what a task draws its pairs from.
type sampler []item

// A card is known by what it says, wherever it stands.
type item struct {
	id uint64
	at int32
}

// A drawn card with the chance that belongs to it in this step.
type sample struct {
	chance uint64
	at     int32
}

// draw takes up to n different cards: those of the least chance in this step. Chance is a hash of the card and of the step, so a corpus
// that differs in few passages gives batches that differ in few pairs, hence nearly the same table: a working tree with some changes
// is ranked as the main tree is, and fitting again moves little. Drawing from a shuffled order, one more passage changed every batch.
func (d sampler) draw(n, step int) []sample {
	out := d.under(n, step)
	slices.SortFunc(out, func(a, b sample) int { return cmp.Or(cmp.Compare(a.chance, b.chance), cmp.Compare(a.at, b.at)) })
	return out[:min(n, len(out))]
}

// under is at least n cards, if there are so many, with all that have a lesser chance than any of them.
func (d sampler) under(n, step int) []sample {
	most := uint64(math.MaxUint64)
	if 2*n < len(d) {
		most = most / uint64(len(d)) * uint64(2*n) // twice as many as are wanted, on average
	}
	for {
		var out []sample
		for _, c := range d {
			if chance := mix(c.id + uint64(step)*oddStep); chance <= most {
				out = append(out, sample{chance, c.at})
			}
		}
		if len(out) >= min(n, len(d)) {
			return out
		}
		most = math.MaxUint64
	}
}

// below is a number from 0 to n-1 by this chance.
func (d sample) below(n int32) int32 {
	high, _ := bits.Mul64(mix(d.chance), uint64(n))
	return int32(high)
}

// again is the card with another chance.
func (d sample) again() sample { return sample{mix(d.chance), d.at} }

// oddStep and mix are of the generator SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
const oddStep = 0x9e3779b97f4a7c15

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
