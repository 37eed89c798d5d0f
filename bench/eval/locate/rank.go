package locate

import (
	"cmp"
	"slices"
)

// A ranking is files by number, best first.
type ranking []int

const (
	places = 100 // that are looked at; a file beyond them was not found
	rrfK   = 60  // Cormack et al. 2009; ranks count from 1
)

// best ranks files by the score of their best chunk; without a score above 0 a file is not ranked. Ties go by number.
func best(files int, of func(chunk int) int, scores []float64) ranking {
	top := make([]float64, files)
	for c, x := range scores {
		top[of(c)] = max(top[of(c)], x)
	}
	return ordered(top)
}

func ordered(scores []float64) ranking {
	var r ranking
	for f, x := range scores {
		if x > 0 {
			r = append(r, f)
		}
	}
	slices.SortFunc(r, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return r
}

// rrf joins rankings by reciprocal rank fusion, all of one weight.
func rrf(files int, rs ...ranking) ranking {
	scores := make([]float64, files)
	for _, r := range rs {
		for i, f := range r {
			scores[f] += 1 / float64(rrfK+i+1)
		}
	}
	return ordered(scores)
}

// first returns the place, from 1, of the best placed target; 0 if none is among the first hundred.
func (r ranking) first(targets []int) int {
	for i, f := range r[:min(places, len(r))] {
		if slices.Contains(targets, f) {
			return i + 1
		}
	}
	return 0
}
