package fusion

import "math"

// Constants for the score shown: the chance that a first result with these numbers is right
// (docs/ranking.md, "The score shown"). Round numbers near a logistic regression over the open
// sets, checked on repositories left out of it; those for other kinds were chosen later, likewise.
const (
	chanceBase     = -7.5
	chanceMerged   = 2   // for the number that merges the kinds
	chanceKnown    = 6   // for the part of the question's words that the project knows
	chanceCoverage = 2   // for the part shared by the question and the file's name
	chanceLead     = 2   // for the lead in agreement before the next of its kind
	chancePassage  = 0.5 // for the best passage, as far as it counts
	chanceOther    = 1.4 // for a kind other than code, which stands first only if it is far ahead
	chanceRival    = 1.5 // against a result with another kind's beside it, less with a margin
	fullMargin     = 0.1 // of the merged number above another kind's, which then is no rival
	// chanceNamed is the share of first results right where the question names them exactly.
	chanceNamed = 0.97
)

// chance is the probability that a result is right, by its own numbers and its margin before other
// kinds. It rises with each of them. A result may stand before one with a higher chance: the order
// has more to go by.
func (r *Result) chance() float64 {
	if r.Exact {
		return chanceNamed
	}
	z := chanceBase + chanceMerged*r.full() + chanceKnown*r.Evidence.Known +
		chanceCoverage*r.Evidence.Coverage + chanceLead*r.Lead + chancePassage*r.Passage
	if r.Key.Kind != codeKind {
		z += chanceOther
	}
	z -= chanceRival * (1 - max(0, r.Margin/fullMargin))
	return 1 / (1 + math.Exp(-z))
}

// setLeads sets each document's lead: its agreement above the best other one in its kind. Below the
// best it is negative.
func setLeads(rs []Result) {
	first, second := 0.0, 0.0
	for i := range rs {
		switch a := rs[i].Agreement; {
		case a > first:
			first, second = a, first
		case a > second:
			second = a
		}
	}
	led := false // of several with the best agreement none leads
	for i := range rs {
		other := first
		if !led && rs[i].Agreement == first {
			other, led = second, true
		}
		rs[i].Lead = rs[i].Agreement - other
	}
}

// setMargins sets by how much each result's merged number is above the best one of another kind in
// a list of one project: at most fullMargin, which it is without another kind. Where two kinds earn
// nearly the same, the question does not say which of them it asks for.
func setMargins(list ranked) {
	rs := list.results
	second := 1 // the best of another kind than the best of all
	for second < len(rs) && rs[second].Key.Kind == rs[0].Key.Kind {
		second++
	}
	for i := range rs {
		rs[i].Margin = fullMargin
		if second >= len(rs) {
			continue
		}
		rival := second
		if rs[i].Key.Kind != rs[0].Key.Kind {
			rival = 0
		}
		rs[i].Margin = min(fullMargin, list.scores[i]-list.scores[rival])
	}
}

// Placed says why a result stands before one with a higher chance. It is empty if none follows.
type Placed string

// The reasons for a place.
const (
	PlacedExact Placed = "exact"  // the question names it
	PlacedKind  Placed = "kind"   // by the order of its kind: one behind it earned more
	PlacedMerge Placed = "merged" // the kinds are merged by other numbers than the chance
	// PlacedReserved says that a place is kept for the best one of its kind.
	PlacedReserved Placed = "reserved"
	// PlacedForeign says that a place is kept for results from other projects.
	PlacedForeign Placed = "foreign"
)

// estimateChances gives each result its chance, and its reason if a later one has a higher chance.
func estimateChances(out ranked) {
	highest := 0.0
	for i := len(out.results) - 1; i >= 0; i-- {
		r := &out.results[i]
		r.Merged = out.scores[i]
		r.Chance = weightOf(r.Weight) * r.chance()
		switch {
		case r.Chance >= highest:
			highest = r.Chance
		case r.Exact:
			r.Placed = PlacedExact
		case r.Merged > r.Own():
			r.Placed = PlacedKind
		default:
			r.Placed = PlacedMerge
		}
	}
}
