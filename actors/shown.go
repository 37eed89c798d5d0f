package actors

import (
	"strings"

	"patina/fusion"
	"patina/store"
	"patina/store/lookup"
)

// ofNamedDocument returns the sections of the document that a question names in a sentence.
func ofNamedDocument(asked string, ranking []fusion.Result) (sections []int) {
	if len(ranking) == 0 || !ranking[0].Exact {
		return nil
	}
	first := ranking[0].Key
	t := store.Kind(first.Kind).Traits()
	if _, ok := lookup.WrittenPath(asked); ok || t.Shape != store.OfSections {
		return nil
	}
	for i, r := range ranking {
		if r.Key.Project == first.Project && r.Key.Kind == first.Kind && strings.HasPrefix(r.Key.ID, first.ID+t.Separator) {
			sections = append(sections, i)
		}
	}
	return sections
}

// ofOneFile returns the places of a ranking about one file: its documents, then a few of its
// commits, which are many and would hide them.
func ofOneFile(ranking []fusion.Result, limit int) []int {
	var documents, commits []int
	for i, r := range ranking {
		if store.Kind(r.Key.Kind).Traits().Shape == store.OfRows {
			commits = append(commits, i)
		} else {
			documents = append(documents, i)
		}
	}
	documents = documents[:min(len(documents), limit)]
	if len(documents) > 0 {
		commits = commits[:min(len(commits), fewest)]
	}
	return append(documents, commits[:min(len(commits), limit-len(documents))]...)
}

// What is enough for a question that names its answer: the documents named, and up to fewest in all
// with a score near to the first.
const (
	fewest    = 3
	nearScore = 0.8
	defines   = 0.6 // X of a type or function in the same case
)

// enough returns how many results a ranking needs where the first one is named by the question; all
// of them where none is.
func enough(ranking []fusion.Result) int {
	named := func(r fusion.Result) bool { return r.Exact || r.Evidence.Symbol >= defines }
	if len(ranking) == 0 || !named(ranking[0]) {
		return len(ranking)
	}
	n := 1
	for n < len(ranking) && (named(ranking[n]) || n < fewest && ranking[n].Score >= nearScore*ranking[0].Score) {
		n++
	}
	return n
}
