package eval

import (
	"cmp"
	"slices"
)

// A ranking is document numbers, best first.
type ranking []int

const (
	deepest = 100 // places searched for a commit's files; beyond them is not found
	rrfK    = 60  // Cormack et al. 2009; ranks count from 1
)

// best ranks documents by best chunk, given each chunk's document.
func best(documents int, of []int, scores []float64) ranking {
	top := make([]float64, documents)
	for c, x := range scores {
		top[of[c]] = max(top[of[c]], x)
	}
	return ordered(top)
}

// ordered ranks scores above 0. Ties go by number.
func ordered(scores []float64) ranking {
	var r ranking
	for n, x := range scores {
		if x > 0 {
			r = append(r, n)
		}
	}
	slices.SortFunc(r, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return r
}

// rrf joins rankings by reciprocal rank fusion, with equal weights.
func rrf(documents int, rs ...ranking) ranking {
	scores := make([]float64, documents)
	for _, r := range rs {
		for i, n := range r {
			scores[n] += 1 / float64(rrfK+i+1)
		}
	}
	return ordered(scores)
}

// first returns the place, from 1, of the best placed target; 0 if none is among the first hundred.
func (r ranking) first(targets []int) int {
	for i, n := range r[:min(deepest, len(r))] {
		if slices.Contains(targets, n) {
			return i + 1
		}
	}
	return 0
}

// places returns the first documents in a ranking.
func (r ranking) places(documents []place, limit int) []place {
	list := make([]place, min(limit, len(r)))
	for i := range list {
		list[i] = documents[r[i]]
	}
	return list
}
