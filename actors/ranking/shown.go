package ranking

import (
	"strings"

	"patina/code/lookup"
	"patina/fusion"
	"patina/store/doc"
)

// places returns the indexes of the results to show.
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

// ofNamedDocument returns the indexes of the sections of a document that a sentence names, or nil.
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
		sameKind := r.Key.Project == first.Project && r.Key.Kind == first.Kind
		if sameKind && strings.HasPrefix(r.Key.ID, first.ID+t.Separator) {
			sections = append(sections, i)
		}
	}
	return sections
}

// ofOneFile returns the indexes of the results for a question about one file: its documents, then a
// few of its many commits, which would hide them.
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

// fewest is the number of commits in an answer about one file that has documents.
const fewest = 3
