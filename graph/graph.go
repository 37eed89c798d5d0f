// Package graph holds small graphs, cuts them to a size that people can read, and lays them out.
//
// It is pure: no I/O, no clock, no random numbers. Equal input gives equal output. A layout is in
// layers (Sugiyama): edges lead from left to right, as far as there is no cycle. The texts in a
// graph may be hostile, and nothing here reads them. Whoever writes a graph must escape them.
package graph

import (
	"cmp"
	"maps"
	"slices"
)

// A Kind is the meaning of an edge. Edges may have others than these, such as the relations between
// repositories.
type Kind string

// The kinds of edges.
const (
	Calls      Kind = "calls"
	Imports    Kind = "imports"
	Changes    Kind = "changes with" // in both directions
	About      Kind = "is about"     // from a belief to code
	Touches    Kind = "touches"      // from a commit to a file
	Supports   Kind = "supports"
	Attacks    Kind = "attacks"
	Supersedes Kind = "supersedes"
)

// Opposes reports whether the start of an edge is against its end.
func (k Kind) Opposes() bool { return k == Attacks || k == Supersedes }

// A Node is a document, a folder, a repository or a name.
type Node struct {
	ID     string // unique in its graph; the doc_id of a document
	Kind   string // one word for people, such as "function", "file" or "belief"
	Label  string // one short line
	Under  string // a second line; may be empty
	Note   string // shown on demand; may be empty
	Weight float64
	Level  float64 // from 0 to 1, drawn as a bar; 0 draws no bar
	Centre bool    // the graph was asked about it
	Faint  bool    // it is only named, and nothing more is known
}

// An Edge is an arrow. Both ends must be nodes of the graph.
type Edge struct {
	From, To  string
	Kind      Kind
	Candidate bool // known by its name alone
	Weight    float64
	Note      string // shown on demand; may be empty
}

// A Graph is a drawing's content. Its zero value is empty.
type Graph struct {
	Title string
	Nodes []Node
	Edges []Edge
	Whole int      // number of nodes before the cut; 0 if nothing was cut
	Cut   string   // how the nodes were chosen; empty if nothing was cut
	Notes []string // the gaps, and the ways to fill them
}

// Tidy sorts a graph, so that equal contents are equal. Of nodes with the same ID the first stays.
// Of equal edges one stays, with the sum of weights; it is a candidate if all are. Edges without
// nodes are dropped.
func (g *Graph) Tidy() {
	seen := make(map[string]bool, len(g.Nodes))
	g.Nodes = slices.DeleteFunc(g.Nodes, func(n Node) bool {
		double := seen[n.ID]
		seen[n.ID] = true
		return double
	})
	slices.SortFunc(g.Nodes, compareNodes)
	type way struct {
		from, to string
		kind     Kind
	}
	edges := make(map[way]Edge, len(g.Edges))
	for _, e := range g.Edges {
		if !seen[e.From] || !seen[e.To] {
			continue
		}
		k := way{e.From, e.To, e.Kind}
		if e.Kind == Changes && e.From > e.To {
			k = way{e.To, e.From, e.Kind}
		}
		if old, ok := edges[k]; ok {
			weight := old.Weight + e.Weight
			if old.Candidate == e.Candidate {
				e.Note = cmp.Or(old.Note, e.Note)
			}
			if e.Candidate && !old.Candidate {
				e = old
			}
			e.Weight = weight
		}
		edges[k] = e
	}
	g.Edges = slices.SortedFunc(maps.Values(edges), compareEdges)
}

// compareNodes orders nodes: centres first, then the heaviest.
func compareNodes(a, b Node) int {
	switch {
	case a.Centre != b.Centre && a.Centre:
		return -1
	case a.Centre != b.Centre:
		return 1
	}
	return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.ID, b.ID))
}

func compareEdges(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Kind, b.Kind))
}

// Node returns the node with an ID.
func (g *Graph) Node(id string) (Node, bool) {
	for _, n := range g.Nodes {
		if n.ID == id {
			return n, true
		}
	}
	return Node{}, false
}

// AddNote adds a sentence about a gap, once.
func (g *Graph) AddNote(note string) {
	if note != "" && !slices.Contains(g.Notes, note) {
		g.Notes = append(g.Notes, note)
	}
}
