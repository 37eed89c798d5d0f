package ask

import (
	"context"
	"fmt"
	"strings"

	"patina/actors/api"
	"patina/belief"
	"patina/belief/audit"
	"patina/graph"
)

// beliefGraph returns the beliefs that are linked.
func (c *Call) beliefGraph(ctx context.Context, e api.Service) (*graph.Graph, error) {
	a, err := e.Beliefs(ctx, api.BeliefsRequest{ReadOptions: c.Within()})
	if err != nil {
		return nil, err
	}
	g := BeliefLinks(a.Beliefs)
	g.Title = "beliefs of " + a.Index.Project
	if len(a.Beliefs) == 0 {
		g.AddNote(`no belief is written down: patina belief add "STATEMENT" writes one, patina belief proposed finds some`)
		return g, nil
	}
	if len(g.Edges) == 0 {
		g.AddNote("no belief supports or attacks another one: docs/knowledge.md says how a file does")
		return g, nil
	}
	dropLone(g, "belief", "a link to another one")
	return g, nil
}

// BeliefLinks returns the graph of some beliefs and of the positions that they name. Its edges are
// those that either end writes down, each once.
func BeliefLinks(entries []audit.Entry) *graph.Graph {
	g, nodes := &graph.Graph{}, map[string]graph.Node{}
	for _, e := range entries {
		n := graph.Node{
			ID: BeliefPrefix + e.ID, Kind: "belief", Label: e.ID, Note: e.Statement, Weight: e.Standing, Level: e.Standing,
			Under: fmt.Sprintf("standing %.2f", e.Standing),
		}
		if e.Status != belief.Active {
			n.Under += ", " + e.Status
		}
		if e.Source == belief.Decision {
			n.Kind = "decision"
		}
		nodes[strings.ToLower(e.ID)] = n
	}
	ends := func(id string) string { // in the spelling of its belief
		id = strings.TrimPrefix(id, BeliefPrefix)
		n, ok := nodes[strings.ToLower(id)]
		if !ok {
			n = graph.Node{ID: BeliefPrefix + id, Kind: "position", Label: id, Faint: true}
			nodes[strings.ToLower(id)] = n
		}
		return n.ID
	}
	seen := map[[3]string]bool{}
	add := func(from, to string, kind graph.Kind, status string) {
		if strings.TrimPrefix(from, BeliefPrefix) == "" || strings.TrimPrefix(to, BeliefPrefix) == "" {
			return
		}
		x := graph.Edge{From: ends(from), To: ends(to), Kind: kind, Weight: 1, Note: status}
		if k := [3]string{x.From, x.To, string(kind)}; !seen[k] {
			seen[k] = true
			g.Edges = append(g.Edges, x)
		}
	}
	for _, e := range entries {
		against := graph.Attacks
		if e.Source == belief.Decision {
			against = graph.Supersedes
		}
		for _, x := range e.Supports {
			add(e.ID, x.Target, graph.Supports, x.Status)
		}
		for _, x := range e.Attacks {
			add(e.ID, x.Target, against, x.Status)
		}
		for _, x := range e.AttackedBy {
			add(x.Target, e.ID, against, x.Status)
		}
	}
	links := map[string]int{}
	for _, x := range g.Edges {
		links[x.From]++
		links[x.To]++
	}
	for _, n := range nodes {
		n.Weight += float64(links[n.ID])
		g.Nodes = append(g.Nodes, n)
	}
	g.Tidy()
	return g
}
