package beliefs

import (
	"fmt"
	"io"

	"patina/belief"
	"patina/belief/knowledge"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// maxSourcesShown bounds the evidence and the files in the view of a belief.
const maxSourcesShown = 8

// Believed writes one belief: its statement, its evidence with the targets, the beliefs that it
// supports and attacks, and the code that it is about. d.Belief must not be nil.
func Believed(w io.Writer, d doc.Description, about []knowledge.Reached, o deliver.Options) error {
	n := d.Belief
	lines := []layout.Line{
		layout.Strong(fmt.Sprintf("belief:%s  %s, standing %.2f", layout.Clip(n.ID, layout.MaxName),
			layout.Clip(n.Status, 20), n.Standing)),
		layout.Text(fmt.Sprintf("%s%s:%d", layout.Indent, layout.OpenPath(d.Path), n.Line)),
	}
	for _, text := range deliver.BeliefLines(d) {
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
		if l.Relation != "co-changes" && l.Relation != deliver.ReachesRelation { // below, with reasons
			lines = append(lines, layout.Text(layout.Indent+"→ "+deliver.Link(l, layout.MaxPath)))
		}
	}
	for i, r := range about {
		if i == maxSourcesShown {
			lines = append(lines, layout.Faint(fmt.Sprintf("%s(+%d files)", layout.Indent, len(about)-i)))
			break
		}
		lines = append(lines,
			layout.Text(fmt.Sprintf("%s→ reaches %s (%.2f, %s)", layout.Indent, layout.Middle(r.Path, layout.MaxPath),
				r.Score, reachReason(r))))
	}
	calls := []string{o.Dialect.Why(deliver.ShownID(d)), o.Dialect.Describe(deliver.ShownID(d), 1)}
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
	return deliver.TargetID(c.DocID)
}

// reachReason returns why a file is reached, and the symbol named with it.
func reachReason(r knowledge.Reached) string {
	s := layout.Clip(r.Reason, layout.MaxLine)
	if r.Symbol != "" {
		s += " → " + layout.Clip(r.Symbol, layout.MaxName)
	}
	return s
}
