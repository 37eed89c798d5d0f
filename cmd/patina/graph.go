package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/drawing"
)

// graphFlags are the flags of graph.
type graphFlags struct {
	*app
	packages, beliefs, mother bool
	asJSON, noRefresh         bool
	form                      string
	depth, nodes              int
}

// graph is the command that draws a map, or the surroundings of a document.
func (a *app) graph() *cobra.Command {
	s := &graphFlags{app: a}
	c := &cobra.Command{
		Use:   "graph DOC_ID | --packages | --beliefs | --mother",
		Short: "Draw what is around a document, or a map of the project",
		Long: `Draw what is around a document: who calls it and what it calls, imports, files
that change with it, and beliefs about it. Or draw a map: folders of code by
imports, beliefs by support and attack, repositories by their links.

Formats: svg, dot (Graphviz), mermaid (Markdown), json, html (one page that
needs no other file), text. A terminal gets text, a file or a pipe svg.
A dashed edge or a "?" is a candidate: known by its name alone.
A large graph is cut, and the drawing says to what.

Exit codes: 0 drawn, 1 nothing to draw, 2 error.`,
		Example: `  patina graph Writer.Publish
  patina graph store/store.go --depth 2 --format html > around.html
  patina graph --packages > packages.svg
  patina graph --beliefs --format dot | dot -Tpdf > beliefs.pdf`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              s.draw,
	}
	f := c.Flags()
	f.BoolVar(&s.packages, "packages", false, "the folders of code, by imports")
	f.BoolVar(&s.beliefs, "beliefs", false, "the beliefs, by support and attack")
	f.BoolVar(&s.mother, "mother", false, "your repositories, by their links")
	f.StringVar(&s.form, "format", "", "the `form`: "+strings.Join(drawing.Forms(), ", ")+", text")
	f.IntVar(&s.depth, "depth", 0, "steps from the document; with --packages parts of a folder")
	f.IntVar(&s.nodes, "nodes", ask.UsualNodes, "most `boxes`")
	f.StringArrayVar(&s.Repos, "repo", nil, "in this project: its `name`, or its path")
	f.BoolVar(&s.asJSON, "json", false, "the same as --format json (docs/graph.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "do not look for changes since the scrape")
	f.Duration("timeout", graphTime, "longest wait")
	_ = c.RegisterFlagCompletionFunc("format",
		cobra.FixedCompletions(append(drawing.Forms(), drawing.Text), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// graphTime is the shortest timeout of a graph, unless the user sets one. A graph makes many
// look-ups.
const graphTime = 30 * time.Second

// draw asks for the graph and writes it.
func (s *graphFlags) draw(c *cobra.Command, args []string) error {
	r, err := s.request(args)
	if err != nil {
		return err
	}
	place, err := s.Indexed()
	if r.Map == ask.MotherMap {
		place, err = s.Here()
	}
	if err != nil {
		return err
	}
	o := s.CallOptions(place, cli.Given(c), s.noRefresh)
	o.LooksUp, o.AtLeast = true, graphTime
	o.Sent.Tool, o.Sent.Mode = "graph", r.Map
	call, err := ask.Begin(o)
	if err != nil {
		return err
	}
	p := s.printer(call)
	p.Form = s.form
	return p.AskAndPrint(c.Context(), r)
}

// request returns the request for the flags and the arguments. It completes the format.
func (s *graphFlags) request(args []string) (ask.Request, error) {
	r := ask.Request{Form: ask.Graph, Depth: s.depth, Nodes: s.nodes}
	switch {
	case s.asJSON && s.form != "" && s.form != "json":
		return r, cli.Hint(errors.New("--json beside --format "+cli.Quoted(s.form)), "give one of them")
	case s.asJSON:
		s.form = "json"
	case s.form == "" && cli.Terminal(s.Out):
		s.form = drawing.Text
	case s.form == "":
		s.form = "svg"
	}
	if forms := append(drawing.Forms(), drawing.Text); !slices.Contains(forms, s.form) {
		return r, cli.Hint(fmt.Errorf("unknown format %q", s.form), "there are: "+strings.Join(forms, ", "))
	}
	if s.depth < 0 || s.depth > ask.MostDepth {
		return r, fmt.Errorf("--depth %d: want 1 to %d", s.depth, ask.MostDepth)
	}
	if s.nodes < 1 || s.nodes > ask.MostNodes {
		return r, fmt.Errorf("--nodes %d: want 1 to %d", s.nodes, ask.MostNodes)
	}
	for _, x := range []struct {
		given bool
		name  string
	}{{s.packages, ask.PackageMap}, {s.beliefs, ask.BeliefMap}, {s.mother, ask.MotherMap}} {
		switch {
		case !x.given:
		case r.Map != "":
			return r, cli.Hint(fmt.Errorf("--%s beside --%s", x.name, r.Map), "give one of them")
		default:
			r.Map = x.name
		}
	}
	switch {
	case r.Map != "" && len(args) > 0:
		return r, cli.Hint(fmt.Errorf("unexpected %q beside --%s", args[0], r.Map), "want a document or a map")
	case r.Map == "" && len(args) == 0:
		return r, cli.Hint(errors.New("nothing to draw"),
			"name a file, a symbol, a belief or a commit, or give --packages, --beliefs or --mother")
	case len(args) > 1:
		return r, cli.Hint(fmt.Errorf("unexpected %q after the name", args[1]), "want one document")
	case len(args) == 1:
		r.Name = args[0]
	}
	return r, nil
}
