package ranking

import (
	"strings"

	"patina/code/lookup"
	"patina/fusion"
	"patina/store/doc"
)

// places returns the places of a ranking to show.
func (q Question) places(ranking []fusion.Result) []int {
	if q.Shown != nil {
		return q.Shown(ranking)
	}
	if sections := ofNamedDocument(q.Text, ranking); len(sections) > 0 {
		return sections[:min(q.Limit, len(sections))]
	}
	if _, ok := q.Filter.OneFile(); ok && len(q.Filter.Kinds) == 0 {
		return ofOneFile(ranking, q.Limit)
	}
	first := make([]int, min(q.Limit, len(ranking)))
	for i := range first {
		first[i] = i
	}
	return first
}

// ofNamedDocument returns the sections of the document that a question names in a sentence.
func ofNamedDocument(asked string, ranking []fusion.Result) (sections []int) {
	if len(ranking) == 0 || !ranking[0].Exact {
		return nil
	}
	first := ranking[0].Key
	t := doc.Kind(first.Kind).Traits()
	if _, ok := lookup.WrittenPath(asked); ok || t.Shape != doc.OfSections {
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
		if doc.Kind(r.Key.Kind).Traits().Shape == doc.OfRows {
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

// fewest is how many commits an answer about one file has.
const fewest = 3
