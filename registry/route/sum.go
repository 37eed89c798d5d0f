package route

import (
	"math"

	"patina/store/text"
)

// Counts are the frequencies of terms in several projects together, by the hashes of the terms
// (HashOf). They say nothing about any one of the projects. The zero Counts are of no project.
type Counts struct {
	Chunks int
	Terms  map[uint32]float64
}

// Sum adds up the frequencies of all terms over sketches. It is for whoever is asked about many
// questions: one question is faster with Count.
func Sum(all []Sketch) Counts {
	c := Counts{Terms: map[uint32]float64{}}
	for _, s := range all {
		c.Chunks += s.Chunks
		for _, e := range s.terms {
			c.Terms[e.hash] += e.frequency()
		}
	}
	return c
}

// Plus returns the counts of two disjoint sets of projects together.
func (c Counts) Plus(other Counts) Counts {
	out := Counts{Chunks: c.Chunks + other.Chunks, Terms: make(map[uint32]float64, max(len(c.Terms), len(other.Terms)))}
	for _, x := range []Counts{c, other} {
		for hash, n := range x.Terms {
			out.Terms[hash] += n
		}
	}
	return out
}

// Of returns the frequencies of terms, as Count does. Terms that no project has are left out.
func (c Counts) Of(terms []string) text.Frequencies {
	f := text.Frequencies{Terms: make(map[string]int, len(terms)), Chunks: c.Chunks}
	for _, t := range terms {
		if n := c.Terms[HashOf(t)]; n > 0 {
			f.Terms[t] = int(math.Round(n))
		}
	}
	return f
}
