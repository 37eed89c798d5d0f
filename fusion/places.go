package fusion

import "slices"

// OnePlace moves each document to the end if an earlier one is a part of the same whole. whole
// returns the name of the whole, or "" for a document that is no part. Documents that the question
// names stay. It does not change rs.
func OnePlace(rs []Result, whole func(Key) string) []Result {
	type place struct{ project, kind, whole string }
	seen := map[place]bool{}
	var later []int
	for i := range rs {
		k := rs[i].Key
		w := whole(k)
		if w == "" {
			continue
		}
		p := place{k.Project, k.Kind, w}
		if seen[p] && !rs[i].Exact {
			later = append(later, i)
		}
		seen[p] = true
	}
	if len(later) == 0 {
		return rs
	}
	out := make([]Result, 0, len(rs))
	from := 0
	for _, i := range later {
		out = append(out, rs[from:i]...)
		from = i + 1
	}
	out = append(out, rs[from:]...)
	for _, i := range later {
		out = append(out, rs[i])
	}
	return out
}

// AboveFloor removes the documents of kinds other than code that account for too little of the
// question by their words and by their meaning. A document that the question names stays. If no
// document is relevant, all stay as the nearest, except those of kinds for which never returns
// true. Kinds for which outside returns true come from outside the projects (Guest): such a
// document makes none of the others relevant. It does not change rs.
func AboveFloor(rs []Result, never, outside func(kind string) bool) []Result {
	none := !slices.ContainsFunc(rs, func(r Result) bool {
		return !outside(r.Key.Kind) && (r.Exact || r.aboveFloor())
	})
	return slices.DeleteFunc(slices.Clone(rs), func(r Result) bool {
		if r.Key.Kind == codeKind || r.Exact || r.aboveFloor() {
			return false
		}
		return !none || never(r.Key.Kind)
	})
}

const (
	// reservedShare is the share of the question that a document must account for to get a reserved
	// place. With it, not one of 50 absurd questions shows a belief.
	reservedShare = 0.25
	// reservedPart is the part of the best share that it must have, too. With 0.6, 0.37 of the
	// questions that ask for no belief show one, and of these 43% are pertinent; without it, 0.64
	// and 35%.
	reservedPart = 0.6
)

// Reserve moves the best document of a kind up to a place, counted from 1, if it accounts for
// enough of the question. A place below 1 moves nothing. Place 5 costs the other kinds 0.001 MRR,
// place 2 0.012, place 1 0.148 (bench/history/beliefs.md, "A place for a belief").
//
// If a task is set, it is enough that the document is relevant, because code says the task in more
// words than the belief that governs it (bench/history/kinds-merge.md, "Tasks by their form").
func Reserve(rs []Result, kind string, place int, intent Intent) []Result {
	at := slices.IndexFunc(rs, func(r Result) bool { return r.Key.Kind == kind })
	if place < 1 || at < place {
		return rs
	}
	best := 0.0
	for _, r := range rs {
		best = max(best, r.Share)
	}
	r := rs[at]
	enough := r.Share >= max(reservedShare, reservedPart*best)
	if !enough && (intent != Task || !r.aboveFloor()) {
		return rs
	}
	r.Placed = PlacedReserved
	return slices.Insert(slices.Delete(slices.Clone(rs), at, at+1), place-1, r)
}

// Guest keeps at most one document of a kind that comes from outside the projects: the best one, if
// it accounts for enough of the question. It is put at a place, counted from 1, or at the end of a
// shorter list. If no other document is relevant, it comes first. Results above its place do not
// move.
func Guest(rs []Result, kind string, place int) []Result {
	is := func(r Result) bool { return r.Key.Kind == kind && !r.Exact }
	at := slices.IndexFunc(rs, is)
	if at < 0 {
		return rs
	}
	guest, others := rs[at], slices.DeleteFunc(slices.Clone(rs), is)
	best := 0.0
	for _, r := range others {
		best = max(best, r.Share)
	}
	alone := RelevanceOf(others) == Irrelevant
	if guest.Share < reservedShare || !alone && guest.Share < reservedPart*best {
		return others
	}
	to := min(place-1, len(others))
	if alone {
		to = 0
	}
	if to < at {
		guest.Placed = PlacedReserved
	}
	return slices.Insert(others, to, guest)
}

// deferredPart is the part of a section's number that a file must have to come before it. 0.75 and
// 0.7 gain a little more on questions about code; with each step, texts about use lose 0.01 to 0.05
// MRR (bench/history/ranking.md, "Manuals after the code they describe").
const deferredPart = 0.8

// CodeBeforeManuals moves sections of a manual after the first file of code of their project, if
// the file accounts for nearly as much. It does so because a manual describes the code in the words
// of the question. A section that the question names keeps its place. If the question asks why,
// nothing moves, because reasons are written in manuals: there 48 of 280 such questions lost a
// place, and of 359 about comments 2 gained one.
func CodeBeforeManuals(rs []Result, intent Intent) []Result {
	if intent == Rationale {
		return rs
	}
	at := slices.IndexFunc(rs, func(r Result) bool { return r.Key.Kind == codeKind })
	if at < 0 {
		return rs
	}
	file := rs[at]
	defers := func(r Result) bool {
		return r.Key.Project == file.Key.Project && !r.Exact && isManual(&r) && file.Merged >= deferredPart*r.Merged
	}
	before, later := make([]Result, 0, len(rs)), []Result(nil)
	for _, r := range rs[:at] {
		if defers(r) {
			later = append(later, r)
			if r.Chance > file.Chance && file.Placed == "" {
				file.Placed = PlacedReserved
			}
			continue
		}
		before = append(before, r)
	}
	if len(later) == 0 {
		return rs
	}
	return slices.Concat(before, []Result{file}, later, rs[at+1:])
}

// isManual reports whether a document is a section with the demotion of a manual.
func isManual(r *Result) bool {
	d := r.Evidence.Demotion
	return r.Key.Kind != codeKind && d > 0 && d < 1
}
