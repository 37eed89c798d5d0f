package layout

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// A Graph is a drawing of nodes and edges. Its texts may be hostile: WriteGraph escapes them.
type Graph struct {
	Name  string // for Graphviz: must be letters only
	Nodes []Node
	Edges []Edge // must be between nodes of the graph
	More  int    // number of nodes left out
}

// A Node is a box.
type Node struct {
	ID    string
	Label string // one line
	Text  string // shown on demand, as a tooltip
	Faint bool
}

// An Edge is an arrow.
type Edge struct {
	From, To string
	Label    string
	Against  bool // dashed, in red
}

// WriteGraph writes a graph as "dot" (Graphviz), "mermaid" or "svg". It returns an error for
// another format.
func WriteGraph(w io.Writer, g Graph, format string) error {
	p := &pen{Graph: g}
	switch format {
	case "dot":
		p.dot()
	case "mermaid":
		p.mermaid()
	case "svg":
		p.svg()
	default:
		return fmt.Errorf("unknown format %q", format)
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

// A pen writes one graph.
type pen struct {
	Graph
	b strings.Builder
}

// rest returns the line about nodes left out. Its node has an empty id, because no other node has
// one.
func (g *pen) rest() string { return fmt.Sprintf("… %d more", g.More) }

// dot writes the graph for Graphviz, whose quoted strings have two escapes.
func (g *pen) dot() {
	quoted := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Plain(s)) + `"`
	}
	b := &g.b
	b.WriteString("digraph " + g.Name + " {\n  rankdir=LR; node [shape=box, style=rounded];\n")
	for _, n := range g.Nodes {
		style := ""
		if n.Faint {
			style = ", style=dashed"
		}
		fmt.Fprintf(b, "  %s [label=%s, tooltip=%s%s];\n", quoted(n.ID), quoted(n.Label), quoted(n.Text), style)
	}
	for _, e := range g.Edges {
		style := ""
		if e.Against {
			style = ", color=red, style=dashed"
		}
		fmt.Fprintf(b, "  %s -> %s [label=%s%s];\n", quoted(e.From), quoted(e.To), quoted(e.Label), style)
	}
	if g.More > 0 {
		fmt.Fprintf(b, "  \"\" [label=%s, shape=plaintext];\n", quoted(g.rest()))
	}
	b.WriteString("}\n")
}

// mermaid writes the graph for Mermaid. Its nodes are numbered, because ids may contain any
// character. In a quoted label only entities are safe.
func (g *pen) mermaid() {
	b, number := &g.b, map[string]int{}
	b.WriteString("graph LR\n")
	for i, n := range g.Nodes {
		number[n.ID] = i
		fmt.Fprintf(b, "  n%d[\"%s\"]\n", i, g.entities(n.Label))
	}
	for _, e := range g.Edges {
		arrow := "-->"
		if e.Against {
			arrow = "-.->"
		}
		fmt.Fprintf(b, "  n%d %s|\"%s\"| n%d\n", number[e.From], arrow, g.entities(e.Label), number[e.To])
	}
	if g.More > 0 {
		fmt.Fprintf(b, "  more[\"%s\"]\n", g.rest())
	}
}

// entities writes every character as an entity, except letters, digits and plain punctuation.
func (g *pen) entities(s string) string {
	var b strings.Builder
	for _, r := range Plain(s) {
		if strings.ContainsRune(" .,:()-_/", r) || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' ||
			r >= 'a' && r <= 'z' || r > 127 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// The sizes of a drawing, in pixels.
const (
	boxWidth, boxHeight = 260, 34
	gapX, gapY          = 120, 18
	margin              = 20
)

// svg draws the graph in columns. Each node is to the right of the nodes that lead to it, unless
// there is a cycle.
func (g *pen) svg() {
	b, columns := &g.b, g.columns()
	type point struct{ x, y int }
	at := map[string]point{}
	height := 0
	for c, ids := range columns {
		for i, id := range ids {
			at[id] = point{margin + c*(boxWidth+gapX), margin + i*(boxHeight+gapY)}
		}
		height = max(height, len(ids))
	}
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n",
		2*margin+len(columns)*(boxWidth+gapX)-min(gapX, len(columns)*gapX), 2*margin+height*(boxHeight+gapY)+20)
	b.WriteString("<defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n")
	for _, e := range g.Edges {
		from, to := at[e.From], at[e.To]
		style := "stroke=\"#2a7\""
		if e.Against {
			style = "stroke=\"#c33\" stroke-dasharray=\"5 3\""
		}
		x1, x2 := from.x+boxWidth, to.x
		bend := max(40, (x2-x1)/2)
		fmt.Fprintf(b, "<path d=\"M%d %dC%d %d %d %d %d %d\" fill=\"none\" %s marker-end=\"url(#to)\"><title>%s</title></path>\n",
			x1, from.y+boxHeight/2, x1+bend, from.y+boxHeight/2, x2-bend, to.y+boxHeight/2, x2, to.y+boxHeight/2, style,
			g.escaped(e.From+" "+e.Label+" "+e.To))
	}
	for _, n := range g.Nodes {
		p := at[n.ID]
		style := "fill=\"#fff\" stroke=\"#555\""
		if n.Faint {
			style = "fill=\"#f4f4f4\" stroke=\"#999\" stroke-dasharray=\"4 3\""
		}
		fmt.Fprintf(b, "<g><title>%s</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" %s/><text x=\"%d\" y=\"%d\">%s</text></g>\n",
			g.escaped(n.Text), p.x, p.y, boxWidth, boxHeight, style, p.x+8, p.y+boxHeight/2+4,
			g.escaped(Middle(n.Label, 38)))
	}
	if g.More > 0 {
		fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+height*(boxHeight+gapY)+14, g.rest())
	}
	b.WriteString("</svg>\n")
}

func (g *pen) escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(Plain(s))) // writing to a builder cannot fail
	return b.String()
}

// columns places each node after the longest path that leads to it. The number of rounds is bounded
// by the nodes, so that a cycle ends.
func (g *pen) columns() [][]string {
	place := map[string]int{}
	most := min(len(g.Nodes), 12)
	for range most {
		moved := false
		for _, e := range g.Edges {
			if e.From != e.To && place[e.To] < place[e.From]+1 && place[e.From]+1 < most {
				place[e.To], moved = place[e.From]+1, true
			}
		}
		if !moved {
			break
		}
	}
	var out [][]string
	for _, n := range g.Nodes {
		for len(out) <= place[n.ID] {
			out = append(out, nil)
		}
		out[place[n.ID]] = append(out[place[n.ID]], n.ID)
	}
	return out
}
