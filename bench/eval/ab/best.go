package ab

import (
	"cmp"
	"maps"
	"slices"

	"patina/store/doc"
)

// best returns the most that an arm can reach for a task, however it ranks: all needs that the
// index has and the arm may show, as far as K places suffice. If they do not, the result is an
// upper bound, because places are counted as if no two had the same need.
func (x *experiment) best(t Task, arm *Arm, got Row) Best {
	gains := map[string]*gain{}
	at := func(place string) *gain {
		if gains[place] == nil {
			gains[place] = &gain{}
		}
		return gains[place]
	}
	var all gain
	for _, n := range t.Knowledge {
		reachable := false
		for _, id := range n {
			if d, ok := x.documents[id]; ok && arm.shows(d.kind) {
				at(id).knowledge += share(1, len(t.Knowledge))
				reachable = true
			}
			if arm.annotations && arm.shows(doc.Code) {
				for _, path := range x.reach[id] {
					at(path).knowledge += share(1, len(t.Knowledge))
					reachable = true
				}
			}
		}
		if reachable {
			all.knowledge += share(1, len(t.Knowledge))
		}
	}
	for _, n := range t.Code {
		reachable := false
		for _, id := range n {
			if d, ok := x.documents[id]; ok && arm.shows(d.kind) {
				at(id).code += share(1, len(t.Code))
				reachable = true
			}
		}
		if reachable {
			all.code += share(1, len(t.Code))
		}
	}
	if len(t.Knowledge)+len(t.Code) > x.options.K {
		all = all.atMost(mostIn(gains, x.options.K))
	}
	b := Best{Knowledge: max(all.knowledge, got.Knowledge), Code: max(all.code, got.Code)}
	b.Score = t.score(b.Knowledge, b.Code)
	return b
}

// A gain is the most that one place of an answer can add.
type gain struct{ knowledge, code float64 }

func (g gain) atMost(h gain) gain {
	return gain{knowledge: min(g.knowledge, h.knowledge), code: min(g.code, h.code)}
}

// mostIn returns the sum of the k greatest gains, separately for knowledge and code.
func mostIn(gains map[string]*gain, k int) gain {
	all := slices.Collect(maps.Values(gains))
	var sum gain
	for _, of := range []func(g *gain) *float64{func(g *gain) *float64 {
		return &g.knowledge
	}, func(g *gain) *float64 { return &g.code }} {
		slices.SortFunc(all, func(a, b *gain) int { return cmp.Compare(*of(b), *of(a)) })
		for _, g := range all[:min(k, len(all))] {
			*of(&sum) += *of(g)
		}
	}
	return sum
}

// shows reports whether an arm can have results of a kind.
func (a *Arm) shows(k doc.Kind) bool {
	if k == doc.Belief && !a.beliefs || !a.tuning.Keeps("", string(k)) {
		return false
	}
	own := k.Traits().Channel
	return own == "" || a.tuning.Keeps(own, "") && (len(a.oracles) == 0 || slices.Contains(a.oracles, own))
}
