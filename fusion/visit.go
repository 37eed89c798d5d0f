package fusion

import "slices"

// visitPlaces are reserved for results from other projects, counted from 1. Of 109 questions with
// the answer in another project, these show the right file for 93 and the right project in the
// first five for 103; places 3, 5, 8 and 10 did for 91 and 103 (bench/history/repositories.md,
// "Questions across repositories").
var visitPlaces = []int{4, 5, 8, 9, 10}

// keptPart is the part of home's best number that a result from another project must have to take a
// reserved place. It spares the questions about home a fifth of their loss. 0.5 to 0.6 is a
// plateau; at 0.65 the first of the 109 questions miss their project.
const keptPart = 0.55

// Visit merges results of other projects with those of home. It does not change rs.
//
// It removes the projects without an answer. A foreign document must pass a higher floor to be an
// answer, so if nothing passes, all other projects are removed. A project with an answer also shows
// its weaker documents.
//
// Of the results above any place, at most half are from other projects, as long as home has more.
// They may be one more if one of them, times the weight of its route, accounts for more of the
// question than home does.
//
// Places 4, 5, 8, 9 and 10 are reserved, each for the best result of a project that is not shown
// above it, or else for the next best of all. The result must have a number near the best one of
// home. So each project is seen after the three best results of home, unless it knows far less. If
// the question names a document of home, no place is reserved, because the question is about that
// document.
func Visit(rs []Result) []Result {
	know := answeringProjects(rs)
	rs = slices.DeleteFunc(slices.Clone(rs), func(r Result) bool { return r.Foreign && !know[r.Key.Project] })
	if slices.ContainsFunc(rs, func(r Result) bool { return r.Exact && !r.Foreign }) {
		return rs
	}
	rs = alternate(rs)
	home := 0.0
	for i := range rs {
		if !rs[i].Foreign {
			home = max(home, rs[i].Merged)
		}
	}
	seen, from := map[string]bool{}, 0
	for _, place := range visitPlaces {
		at := nextVisitor(rs, from, place, keptPart*home, seen)
		if at < 0 {
			continue
		}
		if at >= place {
			r := rs[at]
			r.Placed = PlacedForeign
			rs = slices.Insert(slices.Delete(rs, at, at+1), place-1, r)
			at = place - 1
		}
		for _, r := range rs[from : at+1] {
			seen[r.Key.Project] = true
		}
		from = at + 1
	}
	return rs
}

// alternate moves results of home up, so that those of other projects are at most as many above any
// place, or one more. The order within home, and within all others, stays.
func alternate(rs []Result) []Result {
	var home, foreign []int
	known, elsewhere := 0.0, 0.0
	for i := range rs {
		switch r := &rs[i]; {
		case !r.Foreign:
			home, known = append(home, i), max(known, r.accounted())
		default:
			foreign, elsewhere = append(foreign, i), max(elsewhere, weightOf(r.Weight)*r.accounted())
		}
	}
	ahead := 0 // by so many may others outnumber home
	if elsewhere > known {
		ahead = 1
	}
	out := make([]Result, 0, len(rs))
	for h, f := 0, 0; len(out) < len(rs); {
		if f < len(foreign) && (h == len(home) || foreign[f] < home[h] && f < h+ahead) {
			out = append(out, rs[foreign[f]])
			f++
		} else {
			out = append(out, rs[home[h]])
			h++
		}
	}
	return out
}

// nextVisitor returns the index of the foreign result for a place: the first one of a project not
// in seen, or else the first of all, from index from on. A result that must move up needs at least
// the given number. It returns -1 if there is no such result. Only the next result of each project
// counts, because the order within a project must stay.
func nextVisitor(rs []Result, from, place int, number float64, seen map[string]bool) int {
	at, tried := -1, map[string]bool{}
	for i := from; i < len(rs); i++ {
		r := &rs[i]
		if !r.Foreign || tried[r.Key.Project] {
			continue
		}
		tried[r.Key.Project] = true
		switch {
		case i >= place && r.Merged < number:
		case !seen[r.Key.Project]:
			return i
		case at < 0:
			at = i
		}
	}
	return at
}

// answeringProjects returns the projects that have a document at least as relevant as an answer
// from home must be. It returns an empty map if no document answers the question.
func answeringProjects(rs []Result) map[string]bool {
	out, answered := map[string]bool{}, false
	for i := range rs {
		r := &rs[i]
		answered = answered || r.Exact || r.aboveFloor()
		if r.Exact || r.accounted() >= irrelevantBelow {
			out[r.Key.Project] = true
		}
	}
	if !answered {
		clear(out)
	}
	return out
}
