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
	"strings"

	"patina/store/text"
)

// Words weighs the words of one question. One goroutine at a time may use it.
type Words struct {
	// Reason asks for a reason: a comment that gives one is preferred.
	Reason bool

	index  map[string]int // of each stem
	weight []float64
	mass   float64             // Σ weight
	begins [threes / 64]uint64 // a bit for each three letters with which a word of a stem begins
	seen   map[string]uint64   // the terms in a run
	memory scoring             // reused by the next scoring
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
		w.noteBeginning(s)
		w.weight = append(w.weight, weights[s])
		w.mass += weights[s]
	}
	return w
}

// threes is the number of hashes of three letters, five bits each, which fold capitals as well.
// Other bytes share them with letters: what they say has to be verified.
const (
	threes    = 1 << 15
	letter    = 1 << 5
	perLetter = 5
)

// noteBeginning remembers how the words of a stem begin: like it, but for its last letter, which a
// rule may have changed ("try" has "tri"). Words of one or two letters may have any byte behind
// them.
func (w *Words) noteBeginning(stem string) {
	sure := min(len(stem), 3)
	if len(stem) == 3 && strings.IndexByte(changed, stem[2]) >= 0 {
		sure = 2
	}
	from := 0
	for i := range sure {
		from = from<<perLetter | int(stem[i]%letter)
	}
	free := perLetter * (3 - sure)
	for i := from << free; i < (from+1)<<free; i++ {
		w.begins[i/64] |= 1 << (i % 64)
	}
}

// changed are the last letters of stems that their words may not have there.
const changed = "iel"

// terms returns the set of terms in a text: of the runs that text.Runs finds. It reads ASCII, which
// most code is, by itself: only where three letters begin like a term it looks for the run. Most
// runs hold no term, and stemming is slow.
func (w *Words) terms(s string) (set uint64) {
	three := uint(0)
	for i := 0; i < len(s)+2; i++ {
		c := byte(0) // behind the end
		if i < len(s) {
			c = s[i]
		}
		three = (three<<perLetter | uint(c%letter)) % threes
		switch {
		case c >= 0x80:
			return w.anyTerms(s)
		case w.begins[three/64]>>(three%64)&1 == 0 || i < 2 || !mayBegin(s, i-2):
			continue
		}
		first, end := i-2, i-2
		for first > 0 && isWord[s[first-1]] {
			first--
		}
		for end < len(s) && isWord[s[end]] {
			end++
		}
		if end < len(s) && s[end] >= 0x80 {
			return w.anyTerms(s)
		}
		if end-first <= text.MaxRun {
			set |= w.stemmed(s[first:end])
		}
		if end-1 > i {
			i, three = end-1, 0
		}
	}
	return set
}

// mayBegin reports whether a word may begin at a byte: a run, or a part of one.
func mayBegin(s string, at int) bool {
	c := s[at]
	if !isWord[c] {
		return false
	}
	before := byte(0)
	if at > 0 {
		before = s[at-1]
	}
	return !isWord[before] || before <= '9' || c <= 'Z'
}

// anyTerms returns the set of terms in a text of any script.
func (w *Words) anyTerms(s string) (set uint64) {
	text.Runs(s, func(run string) {
		set |= w.termsOf(run)
	})
	return set
}

// isWord is true for ASCII letters and digits.
var isWord = func() (t [256]bool) {
	for c := range t {
		t[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	return t
}()

// termsOf returns the set of terms in a run.
func (w *Words) termsOf(run string) uint64 {
	if !w.mayHold(run) {
		return 0
	}
	return w.stemmed(run)
}

// stemmed is termsOf for a run that may hold a term.
func (w *Words) stemmed(run string) uint64 {
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

// mayHold reports whether a part of a run begins like a term.
func (w *Words) mayHold(run string) bool {
	three := uint(0)
	for i := range len(run) + 2 {
		c := byte(0)
		if i < len(run) {
			c = run[i]
		}
		if c >= 0x80 {
			return true
		}
		three = (three<<perLetter | uint(c%letter)) % threes
		if i >= 2 && w.begins[three/64]>>(three%64)&1 != 0 && mayBegin(run, i-2) {
			return true
		}
	}
	return false
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
