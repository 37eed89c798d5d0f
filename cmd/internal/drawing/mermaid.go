package drawing

import (
	"fmt"
	"strings"

	"patina/cmd/internal/layout"
	"patina/graph"
)

// mermaid returns a graph for Mermaid. In a quoted label only entities are safe.
func mermaid(g *graph.Graph) string {
	var b strings.Builder
	b.WriteString("graph LR\n")
	for i, n := range g.Nodes {
		text := entities(label(n))
		if s := under(n); s != "" {
			text += "<br/>" + entities(s)
		}
		fmt.Fprintf(&b, "  n%d[\"%s\"]\n", i, text)
		switch {
		case n.Centre:
			fmt.Fprintf(&b, "  style n%d stroke-width:3px\n", i)
		case n.Faint:
			fmt.Fprintf(&b, "  style n%d stroke-dasharray:4 3\n", i)
		}
	}
	at := numbersOf(g)
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  n%d %s|\"%s\"| n%d\n", at[e.From], mermaidArrow(e), entities(edgeLabel(e)), at[e.To])
	}
	for i, line := range remarks(g) {
		fmt.Fprintf(&b, "  remark%d[\"%s\"]\n", i, entities(line))
	}
	return b.String()
}

// mermaidArrow returns the line of an edge: dots for a candidate, a cross if it opposes its end.
func mermaidArrow(e graph.Edge) string {
	head := ">"
	switch {
	case e.Kind == graph.Changes:
		head = "-"
	case e.Kind.Opposes():
		head = "x"
	}
	switch {
	case !e.Candidate:
		return "--" + head
	case head == "-":
		return "-.-"
	}
	return "-.-" + head
}

// entities writes every character as an entity, except letters, digits and plain punctuation. An
// empty text becomes a space, because Mermaid reads no empty quotes.
func entities(s string) string {
	var b strings.Builder
	if strings.TrimSpace(layout.Plain(s)) == "" {
		return "#160;"
	}
	for _, r := range layout.Plain(s) {
		if strings.ContainsRune(" .,:()-_/?", r) || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' ||
			r >= 'a' && r <= 'z' || r > 127 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
