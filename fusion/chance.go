package fusion

import "math"

// Constants for the score shown: the chance that a first result with these numbers is right
// (docs/ranking.md, "The score shown"). They are round numbers near a logistic regression over the
// open sets, checked on repositories that it had not seen. The constants for other kinds were
// chosen later, in the same way.
const (
	chanceBase     = -7.5
	chanceMerged   = 2   // for the number by which kinds are merged
	chanceKnown    = 6   // for the part of the question's words that the project knows
	chanceCoverage = 2   // for the part shared by the question and the file's name
	chanceLead     = 2   // for the lead in agreement before the next of its kind
	chancePassage  = 0.5 // for the best passage, times its weight
	chanceOther    = 1.4 // for other kinds than code, because they come first only if far ahead
	chanceRival    = 1.5 // subtracted if another kind earned as much; less with a margin
	fullMargin     = 0.1 // margin from which another kind is no rival
	// chanceNamed is the share of first results that are right if the question names them exactly.
	chanceNamed = 0.97
)

// chance returns the probability that a result is right, from its own numbers and its margin before
// other kinds. It rises with each of them. A result may come before one with a higher chance,
// because the order uses more than these numbers.
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

// setLeads sets the lead of each document: its agreement minus the best agreement of another
// document of its kind. It is negative for all but the best.
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
	led := false // if several share the best agreement, all have lead 0 or less
	for i := range rs {
		other := first
		if !led && rs[i].Agreement == first {
			other, led = second, true
		}
		rs[i].Lead = rs[i].Agreement - other
	}
}

// setMargins sets the margin of each result in the list of one project: its merged number minus the
// best one of another kind. The margin is at most fullMargin, also if there is no other kind. A
// small margin lowers the chance, because the question does not say which of the two kinds it asks
// for.
func setMargins(list ranked) {
	rs := list.results
	second := 1 // index of the best result whose kind is not that of the first
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

// setGuestMargins sets the margins of guests to the list of their project, which their own numbers
// do not change.
func setGuestMargins(guests, list ranked) {
	if len(list.results) == 0 {
		setMargins(guests)
		return
	}
	for i := range guests.results {
		guests.results[i].Margin = min(fullMargin, guests.scores[i]-list.scores[0])
	}
}

// Placed is the reason why a result comes before one with a higher chance. It is empty if no later
// result has a higher chance.
type Placed string

// The reasons for a place.
const (
	PlacedExact Placed = "exact"  // the question names it
	PlacedKind  Placed = "kind"   // by the order of its kind, in which a later one earned more
	PlacedMerge Placed = "merged" // the merge of kinds uses other numbers than the chance
	// PlacedReserved is the reason if a place is reserved for the best result of a kind.
	PlacedReserved Placed = "reserved"
	// PlacedForeign is the reason if a place is reserved for results from other projects.
	PlacedForeign Placed = "foreign"
)

// estimateChances sets the chance of each result, and its reason if a later result has a higher
// one.
func estimateChances(out ranked) {
	highest := 0.0
	type list struct{ project, kind string }
	behind := map[list]float64{} // the highest Own behind, by kind
	for i := len(out.results) - 1; i >= 0; i-- {
		r := &out.results[i]
		r.Merged = out.scores[i]
		r.Chance = weightOf(r.Weight) * r.chance()
		own, of := r.Own(), list{r.Key.Project, r.Key.Kind}
		switch {
		case r.Chance >= highest:
			highest = r.Chance
		case r.Exact:
			r.Placed = PlacedExact
		case behind[of] > own:
			r.Placed = PlacedKind
		default:
			r.Placed = PlacedMerge
		}
		behind[of] = max(behind[of], own)
	}
}
