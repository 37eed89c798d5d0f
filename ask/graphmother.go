package ask

import (
	"context"
	"fmt"
	"strings"

	"patina/graph"
	"patina/registry"
	"patina/registry/mother"
)

// MotherGraph returns the user's repositories and the links between them, with their weights and
// use. A repository without a link is in the graph too.
func MotherGraph(ctx context.Context, home string) (*graph.Graph, error) {
	edges, err := mother.Edges(ctx, home, "")
	if err != nil {
		return nil, err
	}
	known, err := mother.Repositories(ctx, home)
	if err != nil {
		return nil, err
	}
	projects, err := registry.Projects(home)
	if err != nil {
		return nil, err
	}
	for _, p := range projects {
		known = append(known, mother.Repository{ID: p.ID, Name: p.Name, Root: p.Root})
	}
	g := &graph.Graph{Title: "repositories and their links"}
	weights := map[string]float64{}
	for _, e := range edges {
		weights[e.To] += e.Weight
		note := fmt.Sprintf("weight %.2f", e.Weight)
		if e.Asked > 0 {
			note += fmt.Sprintf(", asked %d, shown %d, used %d", e.Asked, e.Shown, e.Used)
		}
		g.Edges = append(g.Edges, graph.Edge{
			From: e.From, To: e.To, Kind: graph.Kind(strings.ToLower(e.Relation)), Weight: e.Weight, Note: note,
		})
	}
	for _, r := range known {
		n := graph.Node{ID: r.ID, Kind: "repository", Label: r.Name, Note: r.Root, Weight: weights[r.ID]}
		if r.Far != "" {
			n.Under, n.Note = "on another machine", r.Far
		} else {
			n.Under = strings.Join(r.Languages, ", ")
		}
		g.Nodes = append(g.Nodes, n)
	}
	switch {
	case len(known) == 0:
		g.AddNote("no repository is known: patina scrape in one makes it known")
	case len(edges) == 0:
		g.AddNote("no link: patina repo suggest finds some, patina repo link A B USES makes one")
	}
	g.Tidy()
	return g, nil
}
