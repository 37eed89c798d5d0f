package recall

import (
	"slices"
	"time"
)

// A Scoring is a formula that combines words, meaning, confidence and age into one score.
type Scoring string

const (
	// Measured is the formula in docs/memory.md.
	Measured Scoring = "measured"
	// Specification is the published formula, hybrid where there are vectors. It is worse than the
	// measured one, and is here for comparison.
	Specification Scoring = "specification"
	// SpecificationWords is the published formula of the first day, by words only.
	SpecificationWords Scoring = "specification-words"
)

// Published reports whether a formula is one of the specification's.
func (s Scoring) Published() bool { return s == Specification || s == SpecificationWords }

// A Candidate is an item before scoring.
type Candidate struct {
	Words      float64 // from Index.Candidates, or computed by the store from the same fields
	BM25       float64 // plain BM25 of its text
	WordRank   int     // its rank by words, from 1; 0: not found by words
	Cosine     float64
	VectorRank int     // its rank by meaning, from 1; 0: not found by meaning
	Near       float64 // of a turn: how near it and its neighbours are by meaning (Index.Rank)
	Share      float64 // share of the question's words by rarity, from 0 to 1
	length     float64 // of the question, beside a usual one
	Asked      bool
	Confidence float64
	Age        time.Duration
	Pinned     bool
}

// A Scale holds the highest values among candidates.
type Scale struct{ Words, Cosine, Near float64 }

// ScaleOf returns the scale of candidates.
func ScaleOf(list []Candidate) (s Scale) {
	for _, c := range list {
		s.Words, s.Cosine, s.Near = max(s.Words, c.Words), max(s.Cosine, c.Cosine), max(s.Near, c.Near)
	}
	return s
}

// Match returns how well a candidate answers, by words and meaning. Meaning counts less for turns
// than for notes, because a turn says little without its neighbours.
func (s Scale) Match(c Candidate) float64 {
	score := 0.0
	if s.Words > 0 {
		score += c.Words / s.Words
	}
	switch {
	case s.Near > 0:
		score += turnShare * c.Near / s.Near
	case s.Cosine > 0:
		score += vectorShare * max(0, c.Cosine) / s.Cosine
	}
	if c.Asked {
		score *= 1 + AskedBonus
	}
	return score
}

// Score returns a candidate's score by the measured formula.
func (s Scale) Score(c Candidate) float64 {
	return s.Match(c) * c.Confidence * Decay(c.Age, c.Pinned)
}

// The parameters of the specification.
const (
	bm25Scale   = 25
	bm25Floor   = .05
	hybridFloor = .01
	rrfK        = 60
)

// SpecifiedScore returns the published formula for candidates with their ranks: by words for
// SpecificationWords, and if no candidate was found by meaning.
func (s Scoring) SpecifiedScore(list []Candidate) func(Candidate) float64 {
	if s == Specification && slices.ContainsFunc(list, func(c Candidate) bool { return c.VectorRank > 0 }) {
		return SpecifiedHybrid
	}
	return SpecifiedWords
}

// SpecifiedWords returns the specification's score by words only: BM25 / 25, at most 1, ×
// confidence × decay. It is 0 below its floor, so that a weak match is not shown.
func SpecifiedWords(c Candidate) float64 {
	return applyFloor(min(1, c.BM25/bm25Scale)*c.Confidence*Decay(c.Age, c.Pinned), bm25Floor)
}

// SpecifiedHybrid returns the specification's score by words and meaning: the sum of the reciprocal
// ranks × confidence × decay. It is 0 below its floor. One of the two ranks alone gives at most
// 1/61, so an old note of usual confidence must be found by both.
func SpecifiedHybrid(c Candidate) float64 {
	sum := 0.0
	for _, rank := range []int{c.WordRank, c.VectorRank} {
		if rank > 0 {
			sum += 1 / float64(rrfK+rank)
		}
	}
	return applyFloor(sum*c.Confidence*Decay(c.Age, c.Pinned), hybridFloor)
}

func applyFloor(score, floor float64) float64 {
	if score < floor {
		return 0
	}
	return score
}
