// Package excerpt chooses the part of a text that answers a question, and the best lines in it.
//
// A part is a symbol that lies in one of the best chunks. A symbol that is long, or spans nearly
// its whole file, is never a part: its inner symbols are, and windows of the lines between them.
// Parts compete by their own words, as chunks do in the index: by name, comment and body.
//
// It is arithmetic on a text in memory: no I/O, no clock, no goroutines. Equal input gives equal
// output. Its work is bounded by the chunks given and by the lines of a part.
package excerpt

import (
	"maps"
	"math/bits"
	"slices"

	"patina/store/text"
)

// Words weighs the words of one question. One goroutine at a time may use it.
type Words struct {
	// Reason asks for a reason: a comment that gives one is preferred.
	Reason bool

	index  map[string]int // of each stem
	weight []float64
	mass   float64           // Σ weight
	begins [1 << 10]uint64   // a bit for each two letters with which a stem begins
	seen   map[string]uint64 // the terms in a run
	memory scoring           // reused by the next scoring
}

const (
	maxTerms = 64      // a set of terms is one word of the processor
	maxSeen  = 1 << 14 // runs remembered
)

// NewWords returns the words of a question, with each stem's weight: its idf. Of more than 64 stems
// the heaviest count.
func NewWords(weights map[string]float64) *Words {
	stems := slices.Sorted(maps.Keys(weights))
	slices.SortStableFunc(stems, func(a, b string) int {
		switch {
		case weights[a] > weights[b]:
			return -1
		case weights[a] < weights[b]:
			return 1
		}
		return 0
	})
	w := &Words{index: map[string]int{}, seen: map[string]uint64{}}
	for i, s := range stems[:min(len(stems), maxTerms)] {
		if s == "" {
			continue
		}
		w.index[s] = i
		w.note(s)
		w.weight = append(w.weight, weights[s])
		w.mass += weights[s]
	}
	return w
}

// note remembers how a stem begins. One letter may go before any other.
func (w *Words) note(stem string) {
	if len(stem) > 1 {
		w.begins[int(stem[0])<<2|int(stem[1]>>6)] |= 1 << (stem[1] & 63)
		return
	}
	for i := range 4 {
		w.begins[int(stem[0])<<2|i] = ^uint64(0)
	}
}

// terms returns the set of terms in a text. It reads ASCII, which most code is, by itself;
// text.Runs says what a run is.
func (w *Words) terms(s string) (set uint64) {
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && isWord[s[i]] {
			i++
		}
		switch {
		case i < len(s) && s[i] >= 0x80:
			text.Runs(s[start:], func(run string) { set |= w.termsOf(run) })
			return set
		case start == i:
			i++
		case i-start <= text.MaxRun:
			set |= w.termsOf(s[start:i])
		}
	}
	return set
}

// isWord is true for ASCII letters and digits.
var isWord = func() (t [256]bool) {
	for c := range t {
		t[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	return t
}()

// termsOf returns the set of terms in a run. Stemming is slow and most runs hold no term, so the
// first letters of its parts are compared first.
func (w *Words) termsOf(run string) uint64 {
	if !w.mayHold(run) {
		return 0
	}
	set, ok := w.seen[run]
	if ok {
		return set
	}
	text.Words(run, func(stem string) {
		if i, ok := w.index[stem]; ok {
			set |= 1 << i
		}
	})
	if len(w.seen) >= maxSeen {
		clear(w.seen)
	}
	w.seen[run] = set
	return set
}

// mayHold reports whether a part of a run begins like a term. A stem begins like its word.
func (w *Words) mayHold(run string) bool {
	before := byte('0')
	for i := range len(run) {
		c := run[i]
		isUpper := 'A' <= c && c <= 'Z'
		begins := isUpper || before <= '9' || c <= '9'
		before = c
		if c >= 0x80 {
			return true
		}
		if !begins {
			continue
		}
		next := byte(0)
		if i+1 < len(run) {
			next = lower(run[i+1])
		}
		if w.begins[int(lower(c))<<2|int(next>>6)]>>(next&63)&1 != 0 {
			return true
		}
	}
	return false
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// Weigh returns the weight of the terms in a text, each once.
func (w *Words) Weigh(s string) float64 { return w.weigh(w.terms(s)) }

// weigh returns the weight of a set of terms.
func (w *Words) weigh(set uint64) (sum float64) {
	for ; set != 0; set &= set - 1 {
		sum += w.weight[bits.TrailingZeros64(set)]
	}
	return sum
}
