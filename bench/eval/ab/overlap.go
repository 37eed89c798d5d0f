package ab

import (
	"patina/bench/eval"
	"patina/store/text"
)

// overlap returns the share of a task's words that its needs have: for each need that of the
// document with the greatest share, then the mean over needs. Words are compared as in the index:
// as stems, with identifiers split, without stop words. The second result is false if the index has
// none of the needed documents.
func (x *experiment) overlap(t Task, needs []Need) (float64, bool) {
	words := text.ParseQuestion(t.Query).Terms
	var shares []float64
	for _, n := range needs {
		best, held := 0.0, false
		for _, id := range n {
			if d, ok := x.documents[id]; ok {
				held = true
				best = max(best, share(len(eval.Overlap(t.Query, d.body)), len(words)))
			}
		}
		if held {
			shares = append(shares, best)
		}
	}
	return mean(shares), len(shares) > 0
}

// overlaps returns the mean overlap of the tasks of a kind, with knowledge and with code.
func (x *experiment) overlaps(kind string) Overlap {
	var knowledge, code []float64
	for _, t := range x.tasks {
		if kind != t.Kind && kind != allKinds {
			continue
		}
		if v, ok := x.overlap(t, t.Knowledge); ok {
			knowledge = append(knowledge, v)
		}
		if v, ok := x.overlap(t, t.Code); ok {
			code = append(code, v)
		}
	}
	return Overlap{Knowledge: mean(knowledge), Code: mean(code)}
}

// An Overlap is the mean share of a task's words that occur in the documents that it needs.
type Overlap struct {
	Knowledge float64 `json:"knowledge"`
	Code      float64 `json:"code"`
}
