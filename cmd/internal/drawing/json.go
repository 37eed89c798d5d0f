package drawing

import (
	"patina/cmd/internal/layout"
	"patina/graph"
)

// A jsonGraph is a graph as docs/graph.md describes it.
type jsonGraph struct {
	Schema int        `json:"schema"`
	Title  string     `json:"title"`
	Nodes  []jsonNode `json:"nodes"`
	Edges  []jsonEdge `json:"edges"`
	Whole  int        `json:"whole"` // number of nodes before the cut
	Cut    string     `json:"cut,omitempty"`
	Notes  []string   `json:"notes"`
}

type jsonNode struct {
	ID     string  `json:"id"`
	Kind   string  `json:"kind"`
	Label  string  `json:"label"`
	Under  string  `json:"under,omitempty"`
	Note   string  `json:"note,omitempty"`
	Weight float64 `json:"weight"`
	Centre bool    `json:"centre,omitempty"`
	Named  bool    `json:"only_named,omitempty"`
}

type jsonEdge struct {
	From      string  `json:"from"`
	To        string  `json:"to"`
	Kind      string  `json:"kind"`
	Candidate bool    `json:"candidate"`
	Weight    float64 `json:"weight"`
	Note      string  `json:"note,omitempty"`
}

func jsonOf(g *graph.Graph) jsonGraph {
	out := jsonGraph{
		Schema: layout.Schema, Title: g.Title, Whole: max(g.Whole, len(g.Nodes)), Cut: g.ShownOf(),
		Nodes: []jsonNode{}, Edges: []jsonEdge{}, Notes: layout.NonNil(g.Notes),
	}
	for _, n := range g.Nodes {
		out.Nodes = append(out.Nodes, jsonNode{n.ID, n.Kind, n.Label, n.Under, n.Note, layout.Round(n.Weight), n.Centre, n.Faint})
	}
	for _, e := range g.Edges {
		out.Edges = append(out.Edges, jsonEdge{e.From, e.To, string(e.Kind), e.Candidate, layout.Round(e.Weight), e.Note})
	}
	return out
}
