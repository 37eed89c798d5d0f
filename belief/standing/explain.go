package standing

import (
	"cmp"
	"math"
	"slices"
)

// An Explanation accounts for one score.
type Explanation struct {
	ID      string
	Base    float64
	Energy  float64
	Score   float64
	Sources []Influence // strongest first
	// Undo is the smallest set of sources without which the score would be the base score, if all
	// other scores stayed the same: attacks if it fell, supports if it rose. It is in the order of
	// Sources.
	Undo []Influence
	// Balance is the total strength of new supports (if the score fell) or attacks (if it rose)
	// that would have the same effect as Undo.
	Balance float64
}

// An Influence is one source's part in a score.
type Influence struct {
	Edge
	Score   float64 // of the source
	Energy  float64 // weight × score, negative for an attack
	Without float64 // the target's score without this edge, all other scores as they are
}

// Explain returns the account of a belief's score. It returns false if the graph does not have the
// belief.
func (g *Graph) Explain(id string) (Explanation, bool) {
	i, ok := g.at[id]
	if !ok {
		return Explanation{}, false
	}
	x := Explanation{ID: id, Base: g.base[i], Energy: g.energy(i), Score: g.scores[i]}
	for _, s := range g.sources[i] {
		pull := s.weight * g.scores[s.from]
		x.Sources = append(x.Sources, Influence{
			Edge:    Edge{g.ids[s.from], id, s.weight > 0, math.Abs(s.weight)},
			Score:   g.scores[s.from],
			Energy:  pull,
			Without: energyScore(x.Base, x.Energy-pull),
		})
	}
	slices.SortStableFunc(x.Sources, func(a, b Influence) int {
		return cmp.Compare(math.Abs(b.Energy), math.Abs(a.Energy))
	})
	x.undo()
	return x, true
}

// undo collects the strongest sources on the winning side until the energy is gone. Energy is a
// sum, so the strongest sources are the smallest set.
func (x *Explanation) undo() {
	rose, left := x.Energy > 0, x.Energy
	for _, s := range x.Sources {
		if left == 0 || left > 0 != rose {
			break
		}
		if s.Energy != 0 && s.Energy > 0 == rose {
			left -= s.Energy
			x.Undo = append(x.Undo, s)
		}
	}
	x.Balance = math.Abs(x.Energy)
}
