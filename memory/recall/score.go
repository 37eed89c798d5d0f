package recall

import "time"

// A Scoring is a way to make one score of words, meaning, confidence and age.
type Scoring string

const (
	// Measured is the recipe of docs/memory.md.
	Measured Scoring = "measured"
	// Specification is the published baseline. It is worse, and can be chosen to compare.
	Specification Scoring = "specification"
)

// A Candidate is an item before its score.
type Candidate struct {
	Words      float64 // Index.Score, or what the store made of the same fields
	BM25       float64 // plain BM25 over its text
	WordRank   int     // its place by words, from 1; 0: not found by them
	Cosine     float64
	VectorRank int     // its place by meaning, from 1; 0: not found by it
	Share      float64 // of the question's words by rarity, from 0 to 1
	Asked      bool
	Confidence float64
	Age        time.Duration
	Pinned     bool
}

// A Scale holds the best values among candidates.
type Scale struct{ Words, Cosine float64 }

// ScaleOf returns the scale of candidates.
func ScaleOf(list []Candidate) (s Scale) {
	for _, c := range list {
		s.Words, s.Cosine = max(s.Words, c.Words), max(s.Cosine, c.Cosine)
	}
	return s
}

// Match is how well a candidate answers by words and meaning.
func (s Scale) Match(c Candidate) float64 {
	score := 0.0
	if s.Words > 0 {
		score += c.Words / s.Words
	}
	if s.Cosine > 0 {
		score += vectorShare * max(0, c.Cosine) / s.Cosine
	}
	if c.Asked {
		score *= 1 + askedBonus
	}
	return score
}

// Score is a candidate's score by the recipe.
func (s Scale) Score(c Candidate) float64 {
	return s.Match(c) * c.Confidence * Decay(c.Age, c.Pinned)
}

const (
	bm25Scale   = 25
	bm25Floor   = .05
	hybridFloor = .01
	rrfK        = 60
)

// SpecifiedWords is the specification's score by words alone, or 0 below its floor.
func SpecifiedWords(c Candidate) float64 {
	return applyFloor(min(1, c.BM25/bm25Scale)*c.Confidence*Decay(c.Age, c.Pinned), bm25Floor)
}

// SpecifiedHybrid is the specification's score by words and meaning, or 0 below its floor.
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
