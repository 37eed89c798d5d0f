// Package drawing writes a graph as SVG, for Graphviz or Mermaid, as JSON, as a page of HTML or as
// a text, one file a form.
//
// In every form a candidate edge looks different from a certain one. All texts of a graph may be
// hostile: they become harmless lines of bounded length, and are escaped by the rules of the form.
// The cut of a graph and its notes are part of the drawing.
package drawing

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"patina/cmd/internal/layout"
	"patina/graph"
)

// Forms lists the values of form that Write knows, except Text.
func Forms() []string { return []string{"svg", "dot", "mermaid", "json", "html"} }

// Text is the form for terminals.
const Text = "text"

// The bounds of texts in a drawing, in bytes.
const (
	maxLabel = 38
	maxUnder = 46
	maxKind  = 24
)

// Write writes a graph in a form of Forms, or as Text. It returns an error for any other form. The
// graph must be tidy.
func Write(w io.Writer, g *graph.Graph, form string) error {
	var out string
	switch form {
	case "svg":
		out = SVG(g, Look{Alone: true})
	case "dot":
		out = dot(g)
	case "mermaid":
		out = mermaid(g)
	case "json":
		return layout.Encode(w, jsonOf(g))
	case "html":
		return writeHTML(w, g)
	case Text:
		out = tree(g)
	default:
		return fmt.Errorf("unknown format %q", form)
	}
	_, err := io.WriteString(w, out)
	return err
}

func label(n graph.Node) string { return layout.Middle(cmp.Or(n.Label, n.ID), maxLabel) }

func under(n graph.Node) string { return layout.Middle(n.Under, maxUnder) }

func kindOf(k graph.Kind) string { return layout.Clip(string(k), maxKind) }

// tip returns the line about a node that is shown on demand.
func tip(n graph.Node) string {
	parts := []string{layout.OpenPath(n.ID)}
	for _, s := range []string{n.Kind, n.Note} {
		if s != "" {
			parts = append(parts, layout.Clip(s, layout.MaxLine))
		}
	}
	return strings.Join(parts, " · ")
}

// edgeLabel returns the words about an edge. A candidate begins with "?".
func edgeLabel(e graph.Edge) string {
	s := kindOf(e.Kind)
	if e.Candidate {
		s = "? " + s
	}
	if e.Note != "" {
		s += ", " + layout.Clip(e.Note, 2*maxLabel)
	}
	return s
}

// remarks returns the lines below a drawing: the cut and the notes.
func remarks(g *graph.Graph) (lines []string) {
	if s := g.ShownOf(); s != "" {
		lines = append(lines, s)
	}
	for _, note := range g.Notes {
		lines = append(lines, layout.Clip(note, layout.MaxLine))
	}
	if len(g.Nodes) == 0 && len(lines) == 0 {
		lines = append(lines, "nothing to draw")
	}
	return lines
}

// numbersOf returns the place of each node. Forms name nodes by it, because an ID may hold any
// character.
func numbersOf(g *graph.Graph) map[string]int {
	at := make(map[string]int, len(g.Nodes))
	for i, n := range g.Nodes {
		at[n.ID] = i
	}
	return at
}

// hasCandidate reports whether some edge is a candidate.
func hasCandidate(g *graph.Graph) bool {
	for _, e := range g.Edges {
		if e.Candidate {
			return true
		}
	}
	return false
}
