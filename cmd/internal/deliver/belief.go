package deliver

import (
	"fmt"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/belief"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// A belief is named by its id, with its statement below.
func init() {
	printers[doc.Belief] = printer{
		name:    beliefName,
		excerpt: BeliefLines,
		above:   BeliefLines,
		json:    beliefInJSON,
	}
}

func beliefName(d doc.Description) string {
	if d.Belief == nil {
		return place(d, d.Symbol)
	}
	return place(d, d.Belief.ID)
}

// BeliefLines returns a belief's statement and its support: how firmly it is held, how much
// evidence it has and how much of that is in the index, and how many beliefs and sessions cite it.
// A decision record has its date instead. A status other than active comes first. It returns nil
// for a document that is not a belief.
func BeliefLines(d doc.Description) []string {
	n := d.Belief
	if n == nil {
		return nil
	}
	s := layout.Quote(n.Statement, layout.MaxLine) + " (" + AuthorMark(n.ByOthers)
	if n.Status != belief.Active {
		s += layout.Clip(n.Status, 20) + ", "
	}
	if n.Source == belief.Decision {
		s += "decision record"
		if n.Extracted != "" {
			s += " of " + layout.Clip(n.Extracted, 20)
		}
		return []string{s + ")"}
	}
	return []string{s + fmt.Sprintf("entrenchment: %g, evidence: %d/%d, use: %d+%d)", n.Entrenchment, len(n.Sources),
		n.Resolved, n.Beliefs, n.Sessions)}
}

// A jsonBelief is the belief in a result, in JSON.
type jsonBelief struct {
	ID           string  `json:"id"`
	Statement    string  `json:"statement"`
	Status       string  `json:"status"`
	Source       string  `json:"source"`
	Others       bool    `json:"by_others,omitempty"`
	Entrenchment float64 `json:"entrenchment"`
	Standing     float64 `json:"standing"`
	Evidence     int     `json:"evidence"`
	Resolved     int     `json:"resolved"`
	Beliefs      int     `json:"cited_by_beliefs"`
	Sessions     int     `json:"cited_by_sessions"`
}

func beliefInJSON(r *jsonResult, d doc.Description) {
	partOfFile(r, d)
	n := d.Belief
	if n == nil {
		return
	}
	r.Belief = &jsonBelief{
		n.ID, n.Statement, n.Status, string(n.Source), n.ByOthers, n.Entrenchment, n.Standing, len(n.Sources),
		n.Resolved, n.Beliefs, n.Sessions,
	}
}

// Known returns a document's links to beliefs, then a session's links to its commits.
func Known(d doc.Description) []doc.Link {
	var beliefs, commits []doc.Link
	for _, l := range d.Links {
		switch {
		case doc.KindOf(l.Target) == doc.Belief:
			beliefs = append(beliefs, l)
		case d.Kind.Traits().Named != "" && l.Relation == "commit":
			commits = append(commits, l)
		}
	}
	return append(beliefs, commits...)
}

// halfTheBest is the part of the best result's chance from which a belief shares the matter of a
// question. On 110 pairs of questions and beliefs that answers showed, judged by hand, 44 were
// pertinent. firmShare alone keeps 68, 38 of them pertinent; with halfTheBest 41 and 31
// (bench/history/delivery.md).
const halfTheBest = 0.5

// sharesMatter reports whether a belief among the results is about the question's matter.
func sharesMatter(r api.Result, best float64) bool {
	return r.Belief != nil && r.Share >= firmShare && r.Score >= halfTheBest*best
}

// beliefImpact returns the lines about the beliefs that share the question's matter, with a call
// for each, or nil. The call shows the code that the belief is about. A belief about no code is
// shown itself.
func beliefImpact(results []api.Result, o Options) []layout.Line {
	best := 0.0
	for _, r := range results {
		best = max(best, r.Score)
	}
	var calls []string
	others := false
	for _, r := range results {
		if !sharesMatter(r, best) {
			continue
		}
		call := o.dialectOfResult(r).Believe
		if slices.ContainsFunc(r.Links, func(l doc.Link) bool { return l.Relation == ReachesRelation }) {
			call = o.dialectOfResult(r).Reach
		}
		if s := layout.JoinCalls([]string{call(r.Belief.ID)}); s != "" && !slices.Contains(calls, s) {
			calls, others = append(calls, s), others || r.Belief.ByOthers
		}
	}
	if len(calls) == 0 {
		return nil
	}
	matched := layout.Count(len(calls), "belief")
	if others {
		matched += " " + OfOthers
	}
	lines := []layout.Line{
		layout.Faint("--- Belief Impact ---"), layout.Faint(matched + " matched — dig deeper:"),
	}
	for _, s := range calls {
		lines = append(lines, layout.Faint("  "+s))
	}
	return lines
}

// TargetID names a belief or a session by its id, and anything else by its doc_id.
func TargetID(docID string) string {
	t := doc.KindOf(docID).Traits()
	if path, ok := strings.CutPrefix(docID, t.Prefix); ok && t.Named != "" && strings.HasSuffix(path, ".md") {
		docID = t.Prefix + strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
	}
	return layout.ShortPath(docID, layout.MaxPath)
}
