package beliefs

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/ask"
	"patina/belief/audit"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/drawing"
	"patina/cmd/internal/layout"
	"patina/graph"
)

// A BeliefGraph holds beliefs and the links between them.
type BeliefGraph struct {
	Nodes []GraphNode `json:"nodes"`
	Edges []GraphEdge `json:"edges"`
	More  int         `json:"left_out"` // number of beliefs left out

	links *graph.Graph // of all beliefs
}

// A GraphNode is a belief, or a position that a belief names without being a belief itself.
type GraphNode struct {
	ID        string  `json:"id"`
	Statement string  `json:"statement"`
	Status    string  `json:"status"` // "none" for a position
	Standing  float64 `json:"standing"`
}

// A GraphEdge leads from a belief to a belief or position that it supports, attacks or supersedes.
type GraphEdge struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Relation string `json:"relation"`
	Status   string `json:"status"`
}

// maxNodes bounds a graph. Nobody can read a larger one.
const maxNodes = 200

// GraphOf returns the graph of some beliefs. If around is not empty, it holds only nodes at most
// two links away from that belief. Beliefs without a link are left out, unless they are alone. If
// the graph is too large, the beliefs of highest standing stay.
func GraphOf(entries []audit.Entry, around string) BeliefGraph {
	links := ask.BeliefLinks(entries)
	g, nodes := BeliefGraph{links: links}, map[string]GraphNode{}
	for _, e := range entries {
		nodes[strings.ToLower(e.ID)] = GraphNode{e.ID, e.Statement, e.Status, layout.Round(e.Standing)}
	}
	for _, n := range links.Nodes {
		if n.Faint {
			nodes[strings.ToLower(n.Label)] = GraphNode{ID: n.Label, Status: "none"}
		}
	}
	for _, e := range links.Edges {
		from, to := strings.TrimPrefix(e.From, ask.BeliefPrefix), strings.TrimPrefix(e.To, ask.BeliefPrefix)
		g.Edges = append(g.Edges, GraphEdge{from, to, string(e.Kind), e.Note})
	}
	g.keep(nodes, around)
	return g
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
		return cmp.Or(cmp.Compare(linked[strings.ToLower(b.ID)], linked[strings.ToLower(a.ID)]),
			cmp.Compare(b.Standing, a.Standing), cmp.Compare(a.ID, b.ID))
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

// Graph writes a graph in a form of package drawing.
func Graph(w io.Writer, g BeliefGraph, format string) error {
	d := &graph.Graph{Title: "beliefs", Edges: g.links.Edges}
	for _, n := range g.Nodes {
		if x, ok := g.links.Node(ask.BeliefPrefix + n.ID); ok {
			d.Nodes = append(d.Nodes, x)
		}
	}
	if g.More > 0 {
		d.AddNote(fmt.Sprintf("%s more left out", graph.Thousands(g.More)))
	}
	d.Tidy()
	return drawing.Write(w, d, format)
}

// GraphJSON writes a graph by the schema in docs/knowledge.md. Nil lists become empty.
func GraphJSON(w io.Writer, index api.IndexState, g BeliefGraph) error {
	if g.Nodes == nil {
		g.Nodes = []GraphNode{}
	}
	if g.Edges == nil {
		g.Edges = []GraphEdge{}
	}
	return layout.Encode(w, struct {
		deliver.Preamble
		BeliefGraph
	}{deliver.PreambleOf(index), g})
}
