package graph

import (
	"cmp"
	"fmt"
	"slices"
)

// EdgesPerNode bounds the edges that CutEdges keeps. A layered drawing with more is a felt.
const EdgesPerNode = 4

// CutEdges keeps the certain and heavy edges, at most EdgesPerNode times the nodes, and notes how
// many it dropped. Each node keeps its best edge. The graph must be tidy.
func (g *Graph) CutEdges() {
	most := EdgesPerNode * len(g.Nodes)
	if len(g.Edges) <= most {
		return
	}
	slices.SortStableFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(rank(a.Candidate)-rank(b.Candidate), cmp.Compare(b.Weight, a.Weight))
	})
	joined := make(map[string]bool)
	var best, rest []Edge
	for _, e := range g.Edges {
		if e.From != e.To && (!joined[e.From] || !joined[e.To]) {
			joined[e.From], joined[e.To] = true, true
			best = append(best, e)
		} else {
			rest = append(rest, e)
		}
	}
	g.AddNote(fmt.Sprintf("%d of %s edges shown: the certain and heaviest", most, Thousands(len(g.Edges))))
	g.Edges = append(best, rest[:most-len(best)]...)
	slices.SortFunc(g.Edges, compareEdges)
}

// CutNodes keeps at most n nodes: those nearest to a centre, then the heaviest, then those with
// most edges. It says so in Cut. Edges without both ends are dropped. The graph must be tidy.
func (g *Graph) CutNodes(n int) {
	if len(g.Nodes) <= n {
		return
	}
	far, degree := g.distances(), make(map[string]int)
	for _, e := range g.Edges {
		degree[e.From]++
		degree[e.To]++
	}
	g.Whole = max(g.Whole, len(g.Nodes))
	centred := false
	for _, x := range g.Nodes {
		centred = centred || x.Centre
	}
	slices.SortFunc(g.Nodes, func(a, b Node) int {
		return cmp.Or(
			cmp.Compare(far[a.ID], far[b.ID]), cmp.Compare(b.Weight, a.Weight),
			cmp.Compare(degree[b.ID], degree[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	g.Nodes = g.Nodes[:n]
	if g.Cut = "those with most edges and weight"; centred {
		g.Cut = "the nearest, then those with most weight"
	}
	kept := make(map[string]bool, n)
	for _, x := range g.Nodes {
		kept[x.ID] = true
	}
	g.Edges = slices.DeleteFunc(g.Edges, func(e Edge) bool { return !kept[e.From] || !kept[e.To] })
	slices.SortFunc(g.Nodes, compareNodes)
}

// distances returns the number of edges from a centre to each node, in any direction. Nodes that no
// centre reaches are one step beyond the farthest. Without a centre all are 0.
func (g *Graph) distances() map[string]int {
	beside := make(map[string][]string)
	for _, e := range g.Edges {
		beside[e.From] = append(beside[e.From], e.To)
		beside[e.To] = append(beside[e.To], e.From)
	}
	far, next := make(map[string]int), []string{}
	for _, n := range g.Nodes {
		if n.Centre {
			far[n.ID] = 0
			next = append(next, n.ID)
		}
	}
	most := 0
	for len(next) > 0 {
		id := next[0]
		next = next[1:]
		for _, to := range beside[id] {
			if _, ok := far[to]; !ok {
				far[to] = far[id] + 1
				most = max(most, far[to])
				next = append(next, to)
			}
		}
	}
	if len(far) == 0 {
		return far
	}
	for _, n := range g.Nodes {
		if _, ok := far[n.ID]; !ok {
			far[n.ID] = most + 1
		}
	}
	return far
}

// ShownOf returns the words about a cut, or "" if nothing was cut.
func (g *Graph) ShownOf() string {
	if g.Cut == "" {
		return ""
	}
	return fmt.Sprintf("%s of %s shown: %s", Thousands(len(g.Nodes)), Thousands(g.Whole), g.Cut)
}

// Thousands spells a number with commas.
func Thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// DropImplied drops edges of a kind that longer paths of the same kind imply: from a to c beside
// those from a to b and from b to c. Edges in a cycle stay. It returns the number of dropped edges.
// The time grows with the product of nodes and edges, so the graph must be cut before.
func (g *Graph) DropImplied(kind Kind) int {
	next := make(map[string][]string)
	for _, e := range g.Edges {
		if e.Kind == kind && e.From != e.To {
			next[e.From] = append(next[e.From], e.To)
		}
	}
	reach := make(map[string]map[string]bool, len(g.Nodes))
	for _, n := range g.Nodes {
		reach[n.ID] = reachable(next, n.ID)
	}
	before := len(g.Edges)
	g.Edges = slices.DeleteFunc(g.Edges, func(e Edge) bool {
		if e.Kind != kind || reach[e.To][e.From] {
			return false
		}
		for _, via := range next[e.From] {
			if reach[via][e.To] && !reach[via][e.From] && !reach[e.To][via] {
				return true
			}
		}
		return false
	})
	return before - len(g.Edges)
}

func reachable(next map[string][]string, from string) map[string]bool {
	seen, todo := make(map[string]bool), slices.Clone(next[from])
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[id] {
			seen[id] = true
			todo = append(todo, next[id]...)
		}
	}
	return seen
}
