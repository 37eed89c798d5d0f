package beliefcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver/beliefs"
	"patina/code/lookup"
)

// graph is the command that draws the links between beliefs.
func graph(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var format string
	c := &cobra.Command{
		Use:   "graph [ID]",
		Short: "Draw how beliefs support and attack each other",
		Long: `Draw how beliefs support, attack and supersede each other. This is an earlier
name of "patina belief list --graph", or with an ID of "patina belief show ID
--graph". Beliefs without any link are left out, and of more than 200 those that
stand lowest.

Formats: mermaid (for Markdown), dot (for Graphviz), svg (a drawing), json.`,
		Example: `  patina belief list --graph svg > beliefs.svg
  patina belief show sync-first --graph dot | dot -Tpdf > beliefs.pdf`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: complete(a),
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			if s.asJSON {
				format = "json"
			}
			around := ""
			if len(args) > 0 {
				around = beliefIDs(args)[0]
			}
			return s.graph(c.Context(), around, format)
		},
	}
	s.beliefFlags(c)
	c.Flags().StringVar(&format, "format", "mermaid", "the `form`: "+strings.Join(cli.GraphFormats, ", "))
	_ = c.RegisterFlagCompletionFunc("format",
		cobra.FixedCompletions(cli.GraphFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// graph draws beliefs in one of cli.GraphFormats: the ones near around, or all with links if around
// is empty.
func (s *command) graph(ctx context.Context, around, format string) error {
	if !slices.Contains(cli.GraphFormats, format) {
		return cli.Hint(fmt.Errorf("unknown format %q", format), "there are: "+strings.Join(cli.GraphFormats, ", "))
	}
	return s.ask(ctx, func(e api.Service) error {
		if around != "" {
			_, err := e.Beliefs(ctx, api.BeliefsRequest{ReadOptions: s.Call.Within(), IDs: []string{around}})
			if errors.Is(err, lookup.ErrNoDocument) {
				return cli.Hint(fmt.Errorf("no belief %q in the index", around), "for all: patina belief list --all")
			}
			if err != nil {
				return err
			}
		}
		a, err := e.Beliefs(ctx, api.BeliefsRequest{ReadOptions: s.Call.Within()})
		if err != nil {
			return err
		}
		a.Index = s.Call.State(a.Index)
		g := beliefs.GraphOf(a.Beliefs, around)
		if format == "json" {
			err = beliefs.GraphJSON(s.Out, a.Index, g)
		} else {
			err = beliefs.Graph(s.Out, g, format)
		}
		if err == nil && len(a.Beliefs) == 0 {
			return cli.Exit(cli.ExitNothing)
		}
		return err
	})
}
