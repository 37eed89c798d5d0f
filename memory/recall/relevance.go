package recall

import "math"

// Floor is the least relevance of what is shown, and AnswerFloor beside code, where most questions
// are about something else. Relevance does not depend on how many items there are, so that one note
// alone is not the answer to everything.
const (
	Floor       = .3
	AnswerFloor = .5
)

const (
	// background is a corpus of items with none of the question's words. Beside it, a word that all
	// of three notes have is still rare.
	background = 1000
	// Of unrelated notes 99% have a cosine below the first, and 90% of those that say the same have
	// one above the second.
	unrelatedCosine, sameCosine = .25, .75
)

// Rarity is a word's weight in relevance.
func Rarity(n, all int) float64 {
	return math.Log(1 + (float64(all+background-n)+.5)/(float64(n)+.5))
}

// Relevance is how much of a question an item accounts for, from 0 to 1: the share of its words by
// rarity, or what the cosine says if that is more.
func Relevance(share, cosine float64) float64 {
	near := (cosine - unrelatedCosine) / (sameCosine - unrelatedCosine)
	return min(1, max(0, share, near))
}

// PlainIDF is the idf of FTS5's BM25.
func PlainIDF(n, all int) float64 {
	return max(1e-6, math.Log((float64(all-n)+.5)/(float64(n)+.5)))
}
