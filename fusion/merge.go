package fusion

import (
	"cmp"
	"slices"
)

// foreignWeight is the weight of results from other projects than home. With it, 142 questions
// about home lose nothing on average to three other projects (docs/repositories.md, "Asking several
// repositories").
const foreignWeight = 0.9

// mostScore is the highest score that a document can earn: the whole question, with all channels
// agreed. Exact documents have this score.
const mostScore = 1 + agreementWeight

// ranked is a list in its own order. Its scores are for the merge: they must never rise, and may be
// above 1.
type ranked struct {
	results []Result
	scores  []float64
}

// scoreByPlace gives each result the number by which its kind is merged: its own, times placeFactor
// for each place before it, or a higher such number behind it. Code keeps its own numbers in a
// project without beliefs and sessions.
func scoreByPlace(rs []Result) ranked {
	out := ranked{rs, make([]float64, len(rs))}
	factor := 1.0
	for i := range rs {
		out.scores[i] = factor * rs[i].full()
		if rs[i].Key.Kind != codeKind || rs[i].Recorded {
			factor *= placeFactor
		}
	}
	lift(out.scores)
	return out
}

// scoreByOwn gives each result in the list of one project its own number, or the highest one behind
// it. Exact results keep theirs.
func scoreByOwn(list ranked) ranked {
	exact := 0
	for exact < len(list.results) && list.results[exact].Exact {
		exact++
	}
	for i := exact; i < len(list.results); i++ {
		list.scores[i] = list.results[i].full()
	}
	lift(list.scores[exact:])
	return list
}

// lift replaces each number by the highest from it to the end.
func lift(scores []float64) {
	behind := 0.0
	for i, x := range slices.Backward(scores) {
		behind = max(behind, x)
		scores[i] = behind
	}
}

// mergeLists merges lists by their first items, the highest score first, and puts them after the
// results in first. Another list does not change the order of the others.
func mergeLists(first ranked, lists []ranked) ranked {
	if len(lists) == 1 && len(first.results) == 0 {
		return lists[0]
	}
	total := len(first.results)
	for _, l := range lists {
		total += len(l.results)
	}
	out := ranked{make([]Result, 0, total), make([]float64, 0, total)}
	out.results, out.scores = append(out.results, first.results...), append(out.scores, first.scores...)
	at := make([]int, len(lists))
	for len(out.results) < total {
		best := -1
		for i, l := range lists {
			if at[i] == len(l.results) {
				continue
			}
			if best < 0 || mergesBefore(l, at[i], lists[best], at[best]) {
				best = i
			}
		}
		l, i := lists[best], at[best]
		out.results, out.scores = append(out.results, l.results[i]), append(out.scores, l.scores[i])
		at[best]++
	}
	return out
}

// mergesBefore reports whether item i of list a is merged before item j of list b.
func mergesBefore(a ranked, i int, b ranked, j int) bool {
	return cmp.Or(cmp.Compare(b.scores[j], a.scores[i]), compareTies(&a.results[i], &b.results[j])) < 0
}

// Fuse makes one ranking from all lists. It does not change in.
//
// Each project is fused by itself, so other projects do not change its numbers. The rankings are
// then merged by Own, which is comparable between projects: the part of the question accounted for,
// and the agreement between channels, times the weight of the project's route. The merge keeps the
// order within each project. Ties go to exact documents, then by share, then project, then id.
//
// Score is another number: the chance to be right, made descending (Descend).
func Fuse(in Input) []Result {
	var all []ranked
	for _, p := range splitByProject(in) {
		r, guests := fuseProject(p.Input)
		setMargins(r)
		setGuestMargins(guests, r)
		for _, list := range []ranked{r, guests} {
			for i := range list.results {
				list.results[i].Weight, list.results[i].Foreign = p.weight, p.foreign
				list.scores[i] *= p.weight
			}
			if len(list.results) > 0 {
				all = append(all, list)
			}
		}
	}
	out := mergeLists(ranked{}, all)
	estimateChances(out)
	Descend(out.results, Relevant)
	return out.results
}

// FuseDeep returns the ranking that Fuse makes of the first depth hits in each list. Documents from
// longer lists follow, in the order of Fuse. So the beginning does not depend on how many more hits
// the lists have.
//
// It must not fuse whole lists at once, because more hits in a list change the agreement of all
// documents.
func FuseDeep(in Input, depth int) []Result {
	first := Fuse(limitDepth(in, depth))
	if !slices.ContainsFunc(in.Lists, func(l List) bool { return len(l.Hits) > depth }) {
		return first
	}
	seen := make(map[Key]bool, len(first))
	for _, r := range first {
		seen[r.Key] = true
	}
	return append(first, slices.DeleteFunc(Fuse(in), func(r Result) bool { return seen[r.Key] })...)
}

// limitDepth returns the input with the first depth hits of each list.
func limitDepth(in Input, depth int) Input {
	in.Lists = slices.Clone(in.Lists)
	for i, l := range in.Lists {
		in.Lists[i].Hits = l.Hits[:min(len(l.Hits), depth):min(len(l.Hits), depth)]
	}
	return in
}

// project is the input for one project, and the weight of the route to it.
type project struct {
	Input
	weight  float64
	foreign bool
}

// splitByProject returns one input for each project, sorted by name.
func splitByProject(in Input) []project {
	var names []string
	note := func(k Key) {
		if !slices.Contains(names, k.Project) {
			names = append(names, k.Project)
		}
	}
	for _, l := range in.Lists {
		for _, h := range l.Hits {
			note(h.Key)
		}
	}
	for _, k := range in.Exact {
		note(k)
	}
	slices.Sort(names)
	out := make([]project, len(names))
	for i, name := range names {
		out[i] = project{in, weightOf(in.Weights[name]), in.Home != "" && name != in.Home}
		if out[i].foreign {
			out[i].weight *= foreignWeight
		}
		if len(names) > 1 {
			out[i].Input = inputOfProject(in, name)
		}
	}
	return out
}

// inputOfProject returns the part of an input that is about one project.
func inputOfProject(in Input, name string) Input {
	lists := make([]List, 0, len(in.Lists))
	for _, l := range in.Lists {
		of := l
		of.Hits = nil
		for _, h := range l.Hits {
			if h.Key.Project == name {
				of.Hits = append(of.Hits, h)
			}
		}
		if len(of.Hits) > 0 {
			lists = append(lists, of)
		}
	}
	in.Lists = lists
	in.Exact = slices.DeleteFunc(slices.Clone(in.Exact), func(k Key) bool { return k.Project != name })
	return in
}

// weightOf returns the weight of a route: 1 if it is not set, and never more. A weight above 1
// would let foreign documents crowd out those of home.
func weightOf(w float64) float64 {
	if w = finitePositive(w); w == 0 {
		return 1
	}
	return min(1, w)
}
