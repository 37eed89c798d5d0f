package ask

import (
	"context"
	"fmt"
	"slices"

	"patina/actors/api"
	"patina/graph"
)

// The maps of a Graph request.
const (
	PackageMap = "packages" // folders of code by imports
	BeliefMap  = "beliefs"  // beliefs by support and attack
	MotherMap  = "mother"   // the user's repositories by their links
)

// The bounds of a graph.
const (
	UsualNodes = 40  // if a request says nothing
	MostNodes  = 400 // a drawing with more helps nobody
	MostDepth  = 5
)

// drawGraph returns a map, or the surroundings of the document Name. The graph is tidy and has at
// most Request.Nodes nodes.
func drawGraph(ctx context.Context, c *Call, r Request) (*Answer, error) {
	out := &Answer{Form: Graph, Name: r.Name}
	if r.Nodes <= 0 {
		r.Nodes = UsualNodes
	}
	var err error
	if r.Map == MotherMap {
		out.Graph, err = MotherGraph(ctx, c.Place.Home)
	} else {
		err = c.read(ctx, r.Packages, true, func(e api.Service) (err error) {
			switch r.Map {
			case PackageMap:
				out.Graph, err = c.packageGraph(ctx, e, r)
			case BeliefMap:
				out.Graph, err = c.beliefGraph(ctx, e)
			case "":
				out.Graph, err = c.surroundings(ctx, e, r)
			default:
				err = fmt.Errorf("ask: unknown map %q", r.Map)
			}
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	out.Graph.Tidy()
	out.Graph.CutNodes(r.Nodes)
	dense := len(out.Graph.Edges) >= 2*len(out.Graph.Nodes)
	implied := 0
	if r.Map == PackageMap && dense {
		implied = out.Graph.DropImplied(graph.Imports)
	}
	out.Graph.CutEdges()
	if r.Map == PackageMap && dense { // more, for the cut has opened cycles
		implied += out.Graph.DropImplied(graph.Imports)
	}
	if implied > 0 {
		out.Graph.AddNote(graph.Thousands(implied) + " direct imports are not drawn, because longer ways show them")
	}
	return out, nil
}

// dropLone drops nodes without an edge, with a note that counts them: things without something.
func dropLone(g *graph.Graph, thing, what string) {
	linked := map[string]bool{}
	for _, e := range g.Edges {
		linked[e.From], linked[e.To] = true, true
	}
	all := len(g.Nodes)
	g.Nodes = slices.DeleteFunc(g.Nodes, func(n graph.Node) bool { return !linked[n.ID] })
	if left := all - len(g.Nodes); left > 0 {
		g.AddNote(fmt.Sprintf("%s without %s left out", plural(left, thing), what))
	}
}
