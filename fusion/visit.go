package fusion

import "slices"

// visitPlaces are kept for results from other projects, counted from 1. On 109 questions with the
// answer elsewhere, 3, 6 and 9 whatever the project put the right one among the first five for 96,
// these for 104; the place at 10 shows the right file for 3 more. Questions about home lose
// 0.0003 MRR by the difference (bench/RESULTS.md, "Questions across projects").
var visitPlaces = []int{3, 5, 8, 10}

// Visit merges what other projects know into what home does.
//
// It leaves out the projects that know no answer. Where nobody knows one, these are all of them,
// and a document from elsewhere must pass a higher floor to be one. A project that does shows its
// weaker documents, too.
//
// Places 3, 5, 8 and 10 are kept, each for the best of a project that no place before has shown,
// or for the next best of all. So each project asked is seen, behind the two best from home. Where
// the question names a document at home, no place is kept: it asks about that one.
func Visit(rs []Result) []Result {
	know := knowing(rs)
	rs = slices.DeleteFunc(slices.Clone(rs), func(r Result) bool { return r.Foreign && !know[r.Key.Project] })
	if slices.ContainsFunc(rs, func(r Result) bool { return r.Exact && !r.Foreign }) {
		return rs
	}
	seen, from := map[string]bool{}, 0
	for _, place := range visitPlaces {
		at := slices.IndexFunc(rs[from:], func(r Result) bool { return r.Foreign && !seen[r.Key.Project] })
		if at < 0 {
			at = slices.IndexFunc(rs[from:], func(r Result) bool { return r.Foreign })
		}
		if at < 0 {
			break
		}
		if at += from; at >= place {
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

// knowing returns the projects with a document at least as relevant as an answer from home must be.
// It is empty where nothing answers the question.
func knowing(rs []Result) map[string]bool {
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
