package deliver

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"patina/actors"
	"patina/store/audit"
	"patina/store/belief"
)

// A BeliefGraph holds beliefs and the links between them.
type BeliefGraph struct {
	Nodes []GraphNode `json:"nodes"`
	Edges []GraphEdge `json:"edges"`
	More  int         `json:"left_out"` // beliefs that were left out
}

// A GraphNode is a belief, or a position that a belief names and nobody holds.
type GraphNode struct {
	ID        string  `json:"id"`
	Statement string  `json:"statement"`
	Status    string  `json:"status"` // "none" for a position
	Standing  float64 `json:"standing"`
}

// A GraphEdge leads from a belief to what it supports, attacks or supersedes.
type GraphEdge struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Relation string `json:"relation"`
	Status   string `json:"status"`
}

// maxNodes bounds a graph: a larger one cannot be read.
const maxNodes = 200

// GraphOf returns the graph of some beliefs, or what is around one of them, at most two links away.
// Beliefs without a link are left out, unless they are alone. Those that stand highest stay.
func GraphOf(entries []audit.Entry, around string) BeliefGraph {
	var g BeliefGraph
	nodes := map[string]GraphNode{}
	for _, e := range entries {
		nodes[strings.ToLower(e.ID)] = GraphNode{e.ID, e.Statement, e.Status, number(e.Standing)}
	}
	seen := map[GraphEdge]bool{}
	add := func(from, to, relation, status string) {
		edge := GraphEdge{from, to, relation, status}
		if from == "" || to == "" || seen[edge] || seen[GraphEdge{from, to, relation, ""}] {
			return
		}
		seen[edge] = true
		for _, id := range []string{from, to} {
			if _, ok := nodes[strings.ToLower(id)]; !ok {
				nodes[strings.ToLower(id)] = GraphNode{ID: id, Status: "none"}
			}
		}
		g.Edges = append(g.Edges, edge)
	}
	for _, e := range entries {
		attacks := "attacks"
		if e.Source == belief.Decision {
			attacks = "supersedes"
		}
		for _, x := range e.Supports {
			add(e.ID, nameIn(nodes, x.Target), "supports", x.Status)
		}
		for _, x := range e.Attacks {
			add(e.ID, nameIn(nodes, x.Target), attacks, x.Status)
		}
		for _, x := range e.AttackedBy {
			add(nameIn(nodes, x.Target), e.ID, attacks, x.Status)
		}
	}
	g.keep(nodes, around)
	return g
}

// nameIn returns an id as its belief spells it.
func nameIn(nodes map[string]GraphNode, id string) string {
	id = strings.TrimPrefix(id, "belief:")
	if n, ok := nodes[strings.ToLower(id)]; ok {
		return n.ID
	}
	return id
}

// keep chooses the nodes, and drops the edges without them.
func (g *BeliefGraph) keep(nodes map[string]GraphNode, around string) {
	linked := map[string]int{}
	if around != "" {
		linked[strings.ToLower(around)] = 3
	}
	for range 2 {
		for _, e := range g.Edges {
			from, to := strings.ToLower(e.From), strings.ToLower(e.To)
			if around == "" {
				linked[from], linked[to] = 1, 1
				continue
			}
			linked[from], linked[to] = max(linked[from], linked[to]-1), max(linked[to], linked[from]-1)
		}
	}
	for id, n := range nodes {
		if linked[id] > 0 || len(nodes) == 1 {
			g.Nodes = append(g.Nodes, n)
		} else {
			g.More++
		}
	}
	slices.SortFunc(g.Nodes, func(a, b GraphNode) int {
		return cmp.Or(cmp.Compare(linked[strings.ToLower(b.ID)], linked[strings.ToLower(a.ID)]), cmp.Compare(b.Standing, a.Standing), cmp.Compare(a.ID, b.ID))
	})
	if n := len(g.Nodes) - maxNodes; n > 0 {
		g.Nodes, g.More = g.Nodes[:maxNodes], g.More+n
	}
	kept := map[string]bool{}
	for _, n := range g.Nodes {
		kept[n.ID] = true
	}
	g.Edges = slices.DeleteFunc(g.Edges, func(e GraphEdge) bool { return !kept[e.From] || !kept[e.To] })
}

// Graph writes a graph as "dot" (Graphviz), "mermaid" or "svg".
func Graph(w io.Writer, g BeliefGraph, format string) error {
	var b strings.Builder
	switch format {
	case "dot":
		g.dot(&b)
	case "mermaid":
		g.mermaid(&b)
	case "svg":
		g.svg(&b)
	default:
		return fmt.Errorf("unknown format %q", format)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// GraphJSON writes a graph by the schema in docs/beliefs.md.
func GraphJSON(w io.Writer, index actors.IndexState, g BeliefGraph) error {
	if g.Nodes == nil {
		g.Nodes = []GraphNode{}
	}
	if g.Edges == nil {
		g.Edges = []GraphEdge{}
	}
	return Encode(w, struct {
		jsonPreamble
		BeliefGraph
	}{preambleOf(index), g})
}

// rest says how many beliefs are left out. An empty id is no belief's.
func (g BeliefGraph) rest() string { return fmt.Sprintf("… %d more", g.More) }

// label is a node's id and how it stands, on one harmless line.
func (n GraphNode) label() string {
	id := clip(n.ID, maxName)
	switch n.Status {
	case "none":
		return id
	case belief.Active:
		return fmt.Sprintf("%s %.2f", id, n.Standing)
	}
	return fmt.Sprintf("%s %.2f (%s)", id, n.Standing, clip(n.Status, 20))
}

func (e GraphEdge) label() string {
	if e.Status == "" {
		return e.Relation
	}
	return e.Relation + " (" + clip(e.Status, 20) + ")"
}

// dot writes the graph for Graphviz. A quoted string of it knows two escapes.
func (g BeliefGraph) dot(b *strings.Builder) {
	quoted := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(Plain(s)) + `"`
	}
	b.WriteString("digraph beliefs {\n  rankdir=LR; node [shape=box, style=rounded];\n")
	for _, n := range g.Nodes {
		style := ""
		if n.Status == "none" {
			style = ", style=dashed"
		}
		fmt.Fprintf(b, "  %s [label=%s, tooltip=%s%s];\n", quoted(n.ID), quoted(n.label()), quoted(clip(n.Statement, maxLine)), style)
	}
	for _, e := range g.Edges {
		style := ""
		if e.Relation != "supports" {
			style = ", color=red, style=dashed"
		}
		fmt.Fprintf(b, "  %s -> %s [label=%s%s];\n", quoted(e.From), quoted(e.To), quoted(e.label()), style)
	}
	if g.More > 0 {
		fmt.Fprintf(b, "  \"\" [label=%s, shape=plaintext];\n", quoted(g.rest()))
	}
	b.WriteString("}\n")
}

// mermaid writes the graph for Mermaid. Its nodes have numbers: ids may hold any character. In a
// quoted label only entities are safe.
func (g BeliefGraph) mermaid(b *strings.Builder) {
	number := map[string]int{}
	b.WriteString("graph LR\n")
	for i, n := range g.Nodes {
		number[n.ID] = i
		fmt.Fprintf(b, "  n%d[\"%s\"]\n", i, entities(n.label()))
	}
	for _, e := range g.Edges {
		arrow := "-->"
		if e.Relation != "supports" {
			arrow = "-.->"
		}
		fmt.Fprintf(b, "  n%d %s|\"%s\"| n%d\n", number[e.From], arrow, entities(e.label()), number[e.To])
	}
	if g.More > 0 {
		fmt.Fprintf(b, "  more[\"%s\"]\n", g.rest())
	}
}

// entities writes all that is neither a letter, a digit nor plain punctuation as an entity.
func entities(s string) string {
	var b strings.Builder
	for _, r := range Plain(s) {
		if strings.ContainsRune(" .,:()-_/", r) || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 127 {
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

// svg draws the graph in columns: each belief stands right of those that lead to it, as far as
// there is no cycle.
func (g BeliefGraph) svg(b *strings.Builder) {
	columns := g.columns()
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
		if e.Relation != "supports" {
			style = "stroke=\"#c33\" stroke-dasharray=\"5 3\""
		}
		x1, x2 := from.x+boxWidth, to.x
		bend := max(40, (x2-x1)/2)
		fmt.Fprintf(b, "<path d=\"M%d %dC%d %d %d %d %d %d\" fill=\"none\" %s marker-end=\"url(#to)\"><title>%s</title></path>\n",
			x1, from.y+boxHeight/2, x1+bend, from.y+boxHeight/2, x2-bend, to.y+boxHeight/2, x2, to.y+boxHeight/2, style, escaped(e.From+" "+e.label()+" "+e.To))
	}
	for _, n := range g.Nodes {
		p := at[n.ID]
		style := "fill=\"#fff\" stroke=\"#555\""
		if n.Status == "none" {
			style = "fill=\"#f4f4f4\" stroke=\"#999\" stroke-dasharray=\"4 3\""
		}
		fmt.Fprintf(b, "<g><title>%s</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" %s/><text x=\"%d\" y=\"%d\">%s</text></g>\n",
			escaped(clip(n.Statement, maxLine)), p.x, p.y, boxWidth, boxHeight, style, p.x+8, p.y+boxHeight/2+4, escaped(middle(n.label(), 38)))
	}
	if g.More > 0 {
		fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+height*(boxHeight+gapY)+14, g.rest())
	}
	b.WriteString("</svg>\n")
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(Plain(s))) // a builder takes everything
	return b.String()
}

// columns places each node behind the longest way that leads to it. Rounds are bounded by the
// nodes, so that a cycle ends.
func (g BeliefGraph) columns() [][]string {
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
