package drawing

import (
	"fmt"
	"strings"

	"patina/cmd/internal/layout"
	"patina/graph"
)

// tree returns a graph as lines for a terminal. Around a centre it is a tree of the ways from
// there. Other graphs are a list of nodes, each with the edges that lead from it.
func tree(g *graph.Graph) string {
	t := &branches{g: g, told: map[string]bool{}, used: make([]bool, len(g.Edges))}
	for _, n := range g.Nodes {
		if n.Centre {
			t.told[n.ID] = true
		}
	}
	for _, n := range g.Nodes {
		if n.Centre {
			t.b.WriteString(nodeLine(n) + "\n")
			t.writeBelow(n.ID, "", graph.Edge{})
		}
	}
	if len(t.told) == 0 {
		t.writeList()
	}
	for _, s := range remarks(g) {
		t.b.WriteString(s + "\n")
	}
	if hasCandidate(g) {
		t.b.WriteString("?: a candidate, known by its name alone\n")
	}
	return t.b.String()
}

type branches struct {
	g    *graph.Graph
	b    strings.Builder
	told map[string]bool // nodes that were printed
	used []bool          // edges that were
}

// A branch is an edge as seen from one of its ends.
type branch struct {
	graph.Edge
	to, how string
}

// writeBelow prints the nodes beside one, and below each the nodes beside that. A node that was
// printed is only named again. All nodes beside one count as printed before the first of them is
// followed, so that a near node is not below a far one.
func (t *branches) writeBelow(id, indent string, came graph.Edge) {
	var all []branch
	for i, e := range t.g.Edges {
		if t.used[i] || e == came {
			continue
		}
		switch id {
		case e.From:
			all = append(all, branch{e, e.To, string(e.Kind)})
		case e.To:
			all = append(all, branch{e, e.From, passive(e.Kind)})
		default:
			continue
		}
		t.used[i] = true
	}
	known := make([]bool, len(all))
	for i, x := range all {
		known[i] = t.told[x.to]
		t.told[x.to] = true
	}
	for i, x := range all {
		n, _ := t.g.Node(x.to)
		mark, more := "├─ ", "│  "
		if i == len(all)-1 {
			mark, more = "└─ ", "   "
		}
		how := layout.Clip(x.how, maxKind)
		if x.Candidate {
			how = "? " + how
		}
		text := nodeLine(n)
		if known[i] {
			text = label(n) + " (above)"
		}
		if x.Note != "" {
			text += " · " + layout.Clip(x.Note, 2*maxLabel)
		}
		fmt.Fprintf(&t.b, "%s%s%s %s\n", indent, mark, how, text)
		if !known[i] {
			t.writeBelow(x.to, indent+more, x.Edge)
		}
	}
}

// writeList prints each node with the edges that lead from it, by kind.
func (t *branches) writeList() {
	for _, n := range t.g.Nodes {
		t.b.WriteString(nodeLine(n) + "\n")
		var kinds []string
		ends := map[string][]string{}
		for _, e := range t.g.Edges {
			if e.From != n.ID {
				continue
			}
			to, _ := t.g.Node(e.To)
			k, name := kindOf(e.Kind), label(to)
			if e.Candidate {
				name = "? " + name
			}
			if len(ends[k]) == 0 {
				kinds = append(kinds, k)
			}
			ends[k] = append(ends[k], name)
		}
		for _, k := range kinds {
			t.b.WriteString("  " + k + " " + strings.Join(ends[k], ", ") + "\n")
		}
	}
}

// nodeLine returns the line about a node.
func nodeLine(n graph.Node) string {
	s := label(n)
	if n.Under != "" {
		s += "  " + under(n)
	}
	if n.Kind != "" {
		s += " (" + layout.Clip(n.Kind, maxKind) + ")"
	}
	return s
}

// passive returns the words of an edge as seen from its end.
func passive(k graph.Kind) string {
	switch k {
	case graph.Calls:
		return "called by"
	case graph.Imports:
		return "imported by"
	case graph.About:
		return "governed by"
	case graph.Touches:
		return "touched by"
	case graph.Supports:
		return "supported by"
	case graph.Attacks:
		return "attacked by"
	case graph.Supersedes:
		return "superseded by"
	case graph.Changes:
		return string(k)
	}
	return string(k) + " from"
}
