// Package excerpt chooses the part of a text that answers a question, and the best lines in it.
//
// A part is a symbol in one of the best chunks. A symbol that is long, or spans nearly its whole
// file, is never a part. Instead, its inner symbols are parts, and windows of the lines between
// them. Parts compete by their own words, as chunks do in the index: by name, comment and body.
//
// The package is arithmetic on a text in memory: no I/O, no clock, no goroutines. Equal input gives
// equal output. The work is bounded by the number of chunks and by the lines of a part.
package excerpt

import (
	"maps"
	"math/bits"
	"slices"
	"strings"

	"patina/store/text"
)

// Words holds the words of one question, with their weights. It must be used by one goroutine at a
// time.
type Words struct {
	// Reason means that the question asks for a reason. Comments that give one are then preferred.
	Reason bool
	// Tests means that the question asks for tests. Otherwise other code of a file comes before them.
	Tests bool

	index  map[string]int // the number of each stem
	weight []float64
	mass   float64             // sum of weight
	begins [threes / 64]uint64 // a bit for each three letters with which a word of a stem may begin
	seen   map[string]uint64   // the terms in a run
	memory scoring             // reused by the next scoring
}

const (
	maxTerms = 64      // a set of terms is one word of the processor
	maxSeen  = 1 << 14 // runs that are remembered
)

// NewWords returns the words of a question. weights maps each stem to its weight, its IDF, and may
// be nil. If there are more than 64 stems, the heaviest are used.
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

// threes is the number of hashes of three letters. Each letter has five bits, so capitals hash like
// small letters. Other bytes share hashes with letters, so a hit must be verified.
const (
	threes    = 1 << 15
	letter    = 1 << 5
	perLetter = 5
)

// noteBeginning records the beginnings of words with a stem. A word begins like its stem, except
// for the stem's last letter, which a rule may have changed ("try" has the stem "tri"). After a
// stem of one or two letters, any byte may follow.
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

// changed are the last letters of a stem in whose place its words may have another one.
const changed = "iel"

// terms returns the set of terms in a text: in the runs that text.Runs finds. It reads ASCII, which
// most code is, by itself, because most runs have no term and stemming is slow: it looks for a run
// only where three letters begin like a term.
func (w *Words) terms(s string) (set uint64) {
	three := uint(0)
	for i := 0; i < len(s)+2; i++ {
		c := byte(0) // after the end
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

// mayBegin reports whether a word may begin at s[at]: a run, or a part of one.
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

// stemmed returns the set of terms in a run that mayHold has accepted.
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

// mayHold reports whether a part of a run begins like a term. If it returns false, the run has no
// term.
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

// Weigh returns the weight of the terms in a text. Each term counts once.
func (w *Words) Weigh(s string) float64 { return w.weigh(w.terms(s)) }

// weigh returns the weight of a set of terms.
func (w *Words) weigh(set uint64) (sum float64) {
	for ; set != 0; set &= set - 1 {
		sum += w.weight[bits.TrailingZeros64(set)]
	}
	return sum
}
