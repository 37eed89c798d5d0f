package beliefs

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/belief"
	"patina/belief/audit"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
)

// A BeliefGraph holds beliefs and the links between them.
type BeliefGraph struct {
	Nodes []GraphNode `json:"nodes"`
	Edges []GraphEdge `json:"edges"`
	More  int         `json:"left_out"` // number of beliefs left out
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
	var g BeliefGraph
	nodes := map[string]GraphNode{}
	for _, e := range entries {
		nodes[strings.ToLower(e.ID)] = GraphNode{e.ID, e.Statement, e.Status, layout.Round(e.Standing)}
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

// nameIn returns an id in the spelling of its belief.
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

// Graph writes a graph as "dot" (Graphviz), "mermaid" or "svg".
func Graph(w io.Writer, g BeliefGraph, format string) error {
	d := layout.Graph{Name: "beliefs", More: g.More}
	for _, n := range g.Nodes {
		d.Nodes = append(d.Nodes, layout.Node{
			ID: n.ID, Label: n.label(),
			Text: layout.Clip(n.Statement, layout.MaxLine), Faint: n.Status == "none",
		})
	}
	for _, e := range g.Edges {
		d.Edges = append(d.Edges,
			layout.Edge{From: e.From, To: e.To, Label: e.label(), Against: e.Relation != "supports"})
	}
	return layout.WriteGraph(w, d, format)
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

// label returns a node's id and standing on one harmless line.
func (n GraphNode) label() string {
	id := layout.Clip(n.ID, layout.MaxName)
	switch n.Status {
	case "none":
		return id
	case belief.Active:
		return fmt.Sprintf("%s %.2f", id, n.Standing)
	}
	return fmt.Sprintf("%s %.2f (%s)", id, n.Standing, layout.Clip(n.Status, 20))
}

func (e GraphEdge) label() string {
	if e.Status == "" {
		return e.Relation
	}
	return e.Relation + " (" + layout.Clip(e.Status, 20) + ")"
}
