package eval

import (
	"cmp"
	"slices"
)

// A Ranking is a list of document numbers, best first.
type Ranking []int

// RankByBest ranks documents by their best chunk. of must have the document of each chunk.
func RankByBest(documents int, of []int, scores []float64) Ranking {
	top := make([]float64, documents)
	for c, x := range scores {
		top[of[c]] = max(top[of[c]], x)
	}
	return RankByScore(top)
}

// RankByScore ranks the documents with a score above 0. Ties are in the order of numbers.
func RankByScore(scores []float64) Ranking {
	var r Ranking
	for n, x := range scores {
		if x > 0 {
			r = append(r, n)
		}
	}
	slices.SortFunc(r, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return r
}

// places returns the first documents in a ranking, at most limit.
func (r Ranking) places(documents []place, limit int) []place {
	list := make([]place, min(limit, len(r)))
	for i := range list {
		list[i] = documents[r[i]]
	}
	return list
}
