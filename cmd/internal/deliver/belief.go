package deliver

import (
	"fmt"
	"io"
	"strings"

	"patina/actors/api"
	"patina/belief"
	"patina/belief/knowledge"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// A belief is named by its id, with its statement below.
func init() {
	printers[doc.Belief] = printer{
		name:    beliefName,
		excerpt: stated,
		above:   stated,
		json:    beliefInJSON,
	}
}

func beliefName(d doc.Description) string {
	if d.Belief == nil {
		return place(d, d.Symbol)
	}
	return place(d, d.Belief.ID)
}

// stated returns a belief's statement and its support: how firmly it is held, how much evidence it
// has and how much of that is in the index, and how many beliefs and sessions cite it. A decision
// record has its date instead. A status other than active comes first. It returns nil for a
// document that is not a belief.
func stated(d doc.Description) []string {
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

// maxSourcesShown bounds the evidence and the files in the view of a belief.
const maxSourcesShown = 8

// Believed writes one belief: its statement, its evidence with the targets, the beliefs that it
// supports and attacks, and the code that it is about. d.Belief must not be nil.
func Believed(w io.Writer, d doc.Description, about []knowledge.Reached, o Options) error {
	n := d.Belief
	lines := []layout.Line{
		layout.Strong(fmt.Sprintf("belief:%s  %s, standing %.2f", layout.Clip(n.ID, layout.MaxName),
			layout.Clip(n.Status, 20), n.Standing)),
		layout.Text(fmt.Sprintf("%s%s:%d", layout.Indent, layout.OpenPath(d.Path), n.Line)),
	}
	for _, text := range stated(d) {
		lines = append(lines, layout.Text(layout.Indent+text))
	}
	for i, c := range n.Sources {
		if i == maxSourcesShown {
			lines = append(lines, layout.Faint(fmt.Sprintf("%sand %d more", layout.Indent, len(n.Sources)-i)))
			break
		}
		lines = append(lines, layout.Text(layout.Indent+"evidence: "+sourceText(c)))
	}
	for _, l := range d.Links {
		if l.Relation != "co-changes" && l.Relation != beliefReaches { // listed below, with reasons
			lines = append(lines, layout.Text(layout.Indent+"→ "+Link(l, layout.MaxPath)))
		}
	}
	for i, r := range about {
		if i == maxSourcesShown {
			lines = append(lines, layout.Faint(fmt.Sprintf("%s(+%d files)", layout.Indent, len(about)-i)))
			break
		}
		lines = append(lines,
			layout.Text(fmt.Sprintf("%s→ reaches %s (%.2f, %s)", layout.Indent, layout.Middle(r.Path, layout.MaxPath),
				r.Score, ReachReason(r))))
	}
	calls := []string{o.Dialect.Why(shownID(d)), o.Dialect.Describe(shownID(d), 1)}
	if len(about) > 0 {
		calls = append(calls, o.Dialect.Reach(n.ID))
	}
	return layout.Write(w, append(lines, layout.Faint("Dig deeper: "+layout.JoinCalls(calls))), o.Colour)
}

// sourceText returns the target of a piece of evidence, as far as it is known.
func sourceText(c belief.Shown) string {
	switch {
	case c.Target == "":
		return fmt.Sprintf("line %d, which names nothing", c.Line)
	case c.DocID == "":
		return layout.Clip(c.Target, layout.MaxName) + " (not in the index)"
	}
	return TargetID(c.DocID)
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

// impact returns the line about the beliefs among the results, or "". The call shows the first
// belief, in the project that holds it.
func impact(results []api.Result, o Options) string {
	n, call, others := 0, "", false
	for _, r := range results {
		if r.Description.Belief == nil {
			continue
		}
		if n++; n == 1 {
			call = o.dialectOfResult(r).Believe(r.Description.Belief.ID)
		}
		others = others || r.Description.Belief.ByOthers
	}
	if call == "" {
		return ""
	}
	what := layout.Count(n, "belief")
	if others {
		what += " " + OfOthers
	}
	return fmt.Sprintf("Belief impact: %s matched: %s", what, call)
}

// ReachReason returns why a file is reached, and the symbol named with it.
func ReachReason(r knowledge.Reached) string {
	s := layout.Clip(r.Reason, layout.MaxLine)
	if r.Symbol != "" {
		s += " → " + layout.Clip(r.Symbol, layout.MaxName)
	}
	return s
}

// TargetID names a belief or a session by its id, and anything else by its doc_id.
func TargetID(docID string) string {
	t := doc.KindOf(docID).Traits()
	if path, ok := strings.CutPrefix(docID, t.Prefix); ok && t.Named != "" && strings.HasSuffix(path, ".md") {
		docID = t.Prefix + strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
	}
	return layout.ShortPath(docID, layout.MaxPath)
}
