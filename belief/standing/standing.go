// Package standing computes how well beliefs hold up against each other: a gradual semantics for
// quantitative bipolar argumentation frameworks.
//
// The semantics is the quadratic energy model (Potyka, "Continuous Dynamical Systems for Weighted
// Bipolar Argumentation", KR 2018). Each belief has a base score from 0 to 1. The energy at a
// belief is the sum of its supporters' scores less the sum of its attackers' scores. A belief's
// score is its base score, moved towards 1 by positive energy and towards 0 by negative energy:
//
//	h(x)  = max(x, 0)² / (1 + max(x, 0)²)
//	score = base − base·h(−energy) + (1 − base)·h(energy)
//
// So a belief without edges keeps its base score, and equal support and attack cancel. Every score
// lies between 0 and 1. A stronger attacker never raises a score that it reaches without a cycle.
//
// The package is arithmetic: no I/O, no clock, no goroutines. Equal input gives equal output,
// whatever its order.
package standing

import (
	"cmp"
	"math"
	"slices"
)

const (
	// Tolerance is the largest change in a round that counts as no change.
	Tolerance = 1e-9
	// MaxRounds bounds the iteration. Beliefs without a cycle settle in far fewer rounds.
	MaxRounds = 1000
	// damping is the share of the way to the new score that is moved in a round. Without it, two
	// beliefs that attack each other may oscillate for ever. It is halved whenever a round changed
	// more than the one before, down to leastDamping.
	damping      = 0.5
	leastDamping = 1.0 / 256
)

// A Belief is a belief with its base score. A score outside 0 to 1 is moved to the nearer end. NaN
// counts as 0.
type Belief struct {
	ID   string
	Base float64
}

// An Edge is a support or an attack between two beliefs.
type Edge struct {
	From, To string
	Supports bool    // otherwise it attacks
	Weight   float64 // share of the source's score that counts, from 0 to 1
}

// A Graph is a set of beliefs with scores. It is safe for concurrent use.
type Graph struct {
	ids     []string // must be sorted
	base    []float64
	scores  []float64
	sources [][]source // by target
	at      map[string]int
	rounds  int
	settled bool
}

// A source is an edge as its target sees it.
type source struct {
	from   int
	weight float64 // negative for an attack
}

// New computes the scores. If an id occurs twice, its first base score is used. Of several edges
// between two beliefs, the one with the largest weight is used. Edges with an unknown end or
// without weight, and a belief's support for itself, are ignored. An attack on itself counts.
func New(beliefs []Belief, edges []Edge) *Graph {
	g := &Graph{at: make(map[string]int, len(beliefs))}
	bases := make(map[string]float64, len(beliefs))
	for _, b := range beliefs {
		if _, ok := bases[b.ID]; !ok {
			bases[b.ID] = clampToUnit(b.Base)
			g.ids = append(g.ids, b.ID)
		}
	}
	slices.Sort(g.ids)
	g.base = make([]float64, len(g.ids))
	for i, id := range g.ids {
		g.at[id], g.base[i] = i, bases[id]
	}
	g.connect(edges)
	g.settle()
	return g
}

// clampToUnit moves a number into the range 0 to 1. NaN becomes 0.
func clampToUnit(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(x, 0), 1)
}

// connect fills in sources, in an order that depends only on the edges.
func (g *Graph) connect(edges []Edge) {
	g.sources = make([][]source, len(g.ids))
	for _, e := range edges {
		from, known := g.at[e.From]
		to, ok := g.at[e.To]
		w := clampToUnit(e.Weight)
		if !known || !ok || w == 0 || e.Supports && from == to {
			continue
		}
		if !e.Supports {
			w = -w
		}
		g.sources[to] = append(g.sources[to], source{from, w})
	}
	for to, list := range g.sources {
		slices.SortFunc(list, func(a, b source) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.weight, b.weight))
		})
		g.sources[to] = strongestSources(list)
	}
}

// strongestSources keeps one support and one attack from each source. The list must be sorted by
// source and weight, so that the strongest attack comes first and the strongest support last.
func strongestSources(list []source) []source {
	out := list[:0]
	for i, s := range list {
		first := i == 0 || list[i-1].from != s.from
		last := i+1 == len(list) || list[i+1].from != s.from
		if s.weight < 0 && first || s.weight > 0 && last {
			out = append(out, s)
		}
	}
	return out
}

// settle iterates from the base scores until no score moves.
func (g *Graph) settle() {
	g.scores = slices.Clone(g.base)
	next := make([]float64, len(g.ids))
	step, before := damping, math.Inf(1)
	for g.rounds < MaxRounds && !g.settled {
		g.rounds++
		change := 0.0
		for i := range next {
			move := energyScore(g.base[i], g.energy(i)) - g.scores[i]
			next[i] = g.scores[i] + step*move
			change = max(change, math.Abs(move))
		}
		g.scores, next = next, g.scores
		if change > before {
			step = max(step/2, leastDamping)
		}
		before = change
		g.settled = change <= Tolerance
	}
}

// energy returns the energy at a belief.
func (g *Graph) energy(i int) (sum float64) {
	for _, s := range g.sources[i] {
		sum += s.weight * g.scores[s.from]
	}
	return sum
}

// energyScore returns the score of the quadratic energy model.
func energyScore(base, energy float64) float64 {
	pull := energy * energy / (1 + energy*energy)
	if energy < 0 {
		return base - base*pull
	}
	return base + (1-base)*pull
}

// Score returns a belief's score. It returns false if the graph does not have the belief.
func (g *Graph) Score(id string) (float64, bool) {
	i, ok := g.at[id]
	if !ok {
		return 0, false
	}
	return g.scores[i], true
}

// Settled reports whether the scores settled within Tolerance, and after how many rounds. If not,
// they are the scores after MaxRounds.
func (g *Graph) Settled() (bool, int) { return g.settled, g.rounds }
