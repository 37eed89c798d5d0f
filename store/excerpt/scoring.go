package excerpt

import (
	"cmp"
	"math"
	"math/bits"
	"strings"

	"patina/store/doc"
)

// Weights of a part's words, as in the index: of words in the name, and of words on its lines.
const (
	nameWeight  = 3.0
	scopeWeight = 1.0 // a word in the name of the type around it
	k1          = 1.2
	b           = 0.5
	usualLines  = 15 // of a part
)

// A scoring caches the terms on each line of a text.
type scoring struct {
	words  *Words
	text   *Text
	owners []int32
	masks  []uint64
	read   []bool
	weight []float64 // of each term: in the index at first, then among the parts

	byMeaning [maxChannels]bool // the channel's votes are nearness
}

// newScoring returns a scoring that reuses the memory of the last one, which must not be used any
// more.
func newScoring(w *Words, t *Text) *scoring {
	s, n := &w.memory, t.Lines.Len()+1
	*s = scoring{
		words: w, text: t, owners: clearedSlice(s.owners, n), masks: clearedSlice(s.masks, n),
		read: clearedSlice(s.read, n), weight: w.weight,
	}
	return s
}

// clearedSlice returns n zero values, in the memory of old if it is large enough. old may be nil.
func clearedSlice[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n+n/4)[:n]
	}
	old = old[:n]
	clear(old)
	return old
}

// longestLine is the number of bytes of a line that are read.
const longestLine = 1000

// termsOn returns the terms on a line, and no terms for a line outside of the text.
func (s *scoring) termsOn(n int) uint64 {
	if n < 1 || n > s.text.Lines.Len() {
		return 0
	}
	if !s.read[n] {
		line := s.text.Lines.At(n)
		s.masks[n] = s.words.terms(line[:min(len(line), longestLine)])
		s.read[n] = true
	}
	return s.masks[n]
}

// weigh returns the weight of a set of terms.
func (s *scoring) weigh(set uint64) (sum float64) {
	for ; set != 0; set &= set - 1 {
		sum += s.weight[bits.TrailingZeros64(set)]
	}
	return sum
}

// rate scores the parts, finds the best line of each, and returns the best answer: the greatest
// score in the weights of the index, which are comparable between texts, as a share of the
// question's weight.
//
// The scores themselves use other weights. A word that most parts of the text have says little
// there, so it weighs less among the parts. The votes of meaning are scaled to the text's best.
func (s *scoring) rate(list []Part) (answer float64) {
	counts := make([]count, len(list))
	var parts [maxTerms]int // that hold a term
	for i := range list {
		p := &list[i]
		p.number = int32(i + 1)
		counts[i] = s.countTerms(p)
		for t := range s.weight {
			if counts[i].lines[t] > 0 {
				parts[t]++
			}
		}
		var best float64
		best, p.Line = s.bestLine(p)
		p.says = best > 0
		if s.words.mass > 0 {
			answer = max(answer, (s.ratePart(&counts[i])+best)/s.words.mass+p.vote())
		}
	}
	for channel, near := range s.byMeaning {
		if near {
			scaleVotes(list, channel)
		}
	}
	if len(list) > 1 {
		s.weight = weighByRarity(s.weight, parts, len(list))
	}
	for i := range list {
		best, _ := s.bestLine(&list[i])
		list[i].score = s.ratePart(&counts[i]) + best + list[i].vote()*s.words.mass
	}
	s.weight = s.words.weight
	return answer
}

// weighByRarity returns the weights of terms, multiplied by their rarity among n parts: by 1 for a
// term in one part.
func weighByRarity(weight []float64, parts [maxTerms]int, n int) []float64 {
	idf := func(df int) float64 { return math.Log1p((float64(n-df) + 0.5) / (float64(df) + 0.5)) }
	out := make([]float64, len(weight))
	for t, x := range weight {
		out[t] = x * idf(max(1, parts[t])) / idf(1)
	}
	return out
}

// A count holds the frequency of each term in a part.
type count struct {
	lines       [maxTerms]float64 // divided by the part's length
	name, scope uint64
}

// countTerms counts the terms on the lines that a part owns.
func (s *scoring) countTerms(p *Part) (c count) {
	n := 0
	for i := p.First; i <= p.Last; i++ {
		if s.owners[i] != p.number || isBlank(s.text.Lines.At(i)) {
			continue
		}
		n++
		for set := s.termsOn(i); set != 0; set &= set - 1 {
			c.lines[bits.TrailingZeros64(set)]++
		}
	}
	norm := 1 - b + b*float64(n)/usualLines
	for t := range s.weight {
		c.lines[t] /= norm
	}
	c.name, c.scope = s.termsInNames(p)
	return c
}

// ratePart rates a part by its words, by the formula of the index for a chunk.
func (s *scoring) ratePart(c *count) (sum float64) {
	for t, weight := range s.weight {
		x := c.lines[t]
		if c.name&(1<<t) != 0 {
			x += nameWeight
		}
		if c.scope&(1<<t) != 0 {
			x += scopeWeight
		}
		sum += weight * x / (x + k1)
	}
	return sum
}

// bestLine returns the best line of a part, with its rating. Blank lines do not count.
func (s *scoring) bestLine(p *Part) (best float64, line int) {
	best = -1
	for n := p.First; n <= p.Last; n++ {
		if s.owners[n] != p.number || isBlank(s.text.Lines.At(n)) {
			continue
		}
		if x := s.rateLine(n); x > best {
			best, line = x, n
		}
	}
	return max(0, best), line
}

// termsInNames returns the terms in a part's own name, and those in the name of the symbol around
// it.
func (s *scoring) termsInNames(p *Part) (name, scope uint64) {
	e := cmp.Or(p.Entry+1, p.In+1) - 1
	if e < 0 {
		return 0, 0
	}
	full := s.text.Entries[e].Name
	own := doc.LastName(full)
	name = s.words.terms(own)
	scope = s.words.terms(strings.TrimSuffix(full, own)) &^ name
	if p.Entry < 0 {
		return 0, name | scope
	}
	return name, scope
}

// rateLine rates a line: the weight of its terms, half the weight of further terms on the lines
// beside it, and a quarter of those two lines away.
func (s *scoring) rateLine(n int) float64 {
	own := s.termsOn(n)
	if own == 0 && !(s.words.Reason && isComment(s.text.Lines.At(n))) {
		return 0
	}
	beside := (s.termsOn(n-1) | s.termsOn(n+1)) &^ own
	further := (s.termsOn(n-2) | s.termsOn(n+2)) &^ own &^ beside
	x := s.weigh(own) + s.weigh(beside)/2 + s.weigh(further)/4
	if s.words.Reason && isComment(s.text.Lines.At(n)) {
		x *= commentFactor
		if givesReason(s.text.Lines.At(n)) {
			x *= commentFactor
		}
	}
	return x
}

const commentFactor = 1.3
