package ab

import (
	"patina/bench/eval"
	"patina/store/text"
)

// overlap returns the share of a task's words that stand in what it needs: of each need the
// document that shares most, the mean over needs. Words are compared as the index has them: stems,
// identifiers split, no stop words. The second value is false where the index holds nothing needed.
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

// overlaps returns the mean overlap with knowledge and with code of the tasks of a kind.
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

// An Overlap is the mean share of a task's words that stand in the documents that it needs.
type Overlap struct {
	Knowledge float64 `json:"knowledge"`
	Code      float64 `json:"code"`
}
