package ab

import (
	"context"
	"fmt"
)

// A Verdict is a judge's view of the answers.
type Verdict struct {
	Command     string       `json:"command"`
	Pairs       int          `json:"pairs"` // shown: each task in both orders
	Judged      int          `json:"judged"`
	Faults      []string     `json:"faults"` // faults of the judge, in order
	Comparisons []Comparison `json:"comparisons"`
}

// A Comparison is a judge's view of one arm and the first one, over the tasks that it has judged in
// both orders.
type Comparison struct {
	Kind   string  `json:"kind"`
	Arm    string  `json:"arm"`
	Base   string  `json:"base"`
	Tasks  int     `json:"tasks"`
	Scored float64 `json:"scored"`      // sum of the arm's scores, of MostScore for each task
	Before float64 `json:"base_scored"` // the first arm's
	// Delta is the mean difference of scores, as a share of MostScore.
	Delta  Interval `json:"delta"`
	AtMost float64  `json:"at_most"` // the delta if all scores were full
	// Agreement is the share of tasks for which the same answer is better in both orders.
	Agreement Interval `json:"agreement"`
	// Position is the mean by which the first answer scores above the second: 0 for a judge that
	// ignores the order.
	Position Interval `json:"position"`
	Better   int      `json:"better"`
	Equal    int      `json:"equal"`
	Worse    int      `json:"worse"`
	// Same counts tasks with two equal answers, SameScores those that also got equal scores. It is
	// a control.
	Same       int `json:"same"`
	SameScores int `json:"same_scores"`
}

// judge lets the judge read the answers and compares the arms by them.
func (x *experiment) judge(ctx context.Context) (*Verdict, error) {
	o := x.options
	pairs := x.pairs()
	for _, p := range pairs {
		o.Record.keep("pair", p)
	}
	answers, faults, err := o.Judge.ask(ctx, pairs, o.Record, o.OnJudged)
	if err != nil {
		return nil, err
	}
	v := &Verdict{
		Command: o.Judge.Command, Pairs: len(pairs), Judged: len(answers), Faults: none(faults),
		Comparisons: []Comparison{},
	}
	for _, arm := range x.arms[1:] {
		kinds := 0
		for _, kind := range []string{TaskOriented, KnowledgeSeeking, allKinds} {
			c := compare(pairs, answers, kind, arm.Name, o.Seed)
			if c.Tasks == 0 || kind == allKinds && kinds < 2 {
				continue
			}
			kinds++
			c.Base = x.arms[0].Name
			v.Comparisons = append(v.Comparisons, c)
		}
	}
	if unjudged := len(pairs) - len(answers); unjudged > 0 {
		v.Faults = append(v.Faults, fmt.Sprintf("%d of %d pairs are not judged", unjudged, len(pairs)))
	}
	return v, nil
}

// compare computes a comparison over the tasks of a kind that were judged in both orders.
func compare(pairs []shownPair, answers map[string]judged, kind, arm string, seed uint64) Comparison {
	type seen struct {
		base, arm []float64
		same      bool
		position  float64
	}
	tasks, order := map[string]*seen{}, []string{}
	for _, p := range pairs {
		a, ok := answers[p.ID]
		if !ok || p.Arm != arm || kind != allKinds && p.Kind != kind {
			continue
		}
		if tasks[p.Of] == nil {
			tasks[p.Of], order = &seen{same: p.same()}, append(order, p.Of)
		}
		t := tasks[p.Of]
		base, other := a.first, a.second
		if p.Swapped {
			base, other = other, base
		}
		t.base, t.arm = append(t.base, base), append(t.arm, other)
		t.position += (a.first - a.second) / 2
	}
	c := Comparison{Kind: kind, Arm: arm}
	var deltas, agreed, position []float64
	for _, id := range order {
		t := tasks[id]
		if len(t.base) != 2 {
			continue
		}
		c.Tasks++
		base, other := mean(t.base), mean(t.arm)
		c.Before += base
		c.Scored += other
		position = append(position, t.position)
		deltas = append(deltas, (other-base)/MostScore)
		agreed = append(agreed, one(sign(t.arm[0]-t.base[0]) == sign(t.arm[1]-t.base[1])))
		switch {
		case other > base:
			c.Better++
		case other < base:
			c.Worse++
		default:
			c.Equal++
		}
		if t.same {
			c.Same++
			c.SameScores += int(one(t.arm[0] == t.base[0] && t.arm[1] == t.base[1]))
		}
	}
	c.Delta, c.Agreement, c.Position = interval(deltas, seed), interval(agreed, seed), interval(position, seed)
	c.AtMost = 1 - c.Before/float64(max(1, c.Tasks))/MostScore
	return c
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
