package fusion

import "slices"

// visitPlaces are kept for results from other projects, counted from 1. On 109 questions with the
// answer elsewhere, these show the right file for 93 and the right project in five for 103; 3, 5,
// 8 and 10 did for 91 and 103 (bench/history/repositories.md, "Questions across repositories").
var visitPlaces = []int{4, 5, 8, 9, 10}

// keptPart is what a result from another project must have of the best number from home to take a
// kept place. It spares the questions about home a fifth of their loss. 0.5 to 0.6 is a plateau; at
// 0.65 the first of the 109 questions miss their project.
const keptPart = 0.55

// Visit merges what other projects know into what home does.
//
// It leaves out the projects that know no answer. Where nobody knows one, these are all of them,
// and a document from elsewhere must pass a higher floor to be one. A project that does shows its
// weaker documents, too.
//
// Places 4, 5, 8, 9 and 10 are kept, each for the best of a project that no place before has shown,
// or for the next best of all, if its number is near that of home's best. So each project asked is
// seen, behind the three best from home, unless it knows far less. Where the question names a
// document at home, no place is kept: it asks about that one.
func Visit(rs []Result) []Result {
	know := answeringProjects(rs)
	rs = slices.DeleteFunc(slices.Clone(rs), func(r Result) bool { return r.Foreign && !know[r.Key.Project] })
	if slices.ContainsFunc(rs, func(r Result) bool { return r.Exact && !r.Foreign }) {
		return rs
	}
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

// nextVisitor finds the result from another project for a place: the best of a project not seen, or
// the best of all, from a position on. One behind the place needs a number. It is -1 if there is
// none. Of each project only the next result counts, so that its order stays.
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

// answeringProjects returns the projects with a document at least as relevant as an answer from
// home must be. It is empty where nothing answers the question.
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
