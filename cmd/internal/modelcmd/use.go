package modelcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/oracles/transformer"
	"patina/registry/models"
)

// useModel is the command that chooses a model.
func useModel(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var list string
	var everywhere bool
	c := &cobra.Command{
		Use:   "use NAME",
		Short: "Choose a model for some texts of this project",
		Long: `Choose a model for some texts of this project, or with --everywhere for those of
all projects that choose nothing themselves. It first says how many texts are to
be embedded, and how long that takes, from two seconds of them.

The next patina scrape embeds them, or a running patina mcp or serve beside its
answers; until then the built-in model answers. "use built-in" goes back.

Exit codes: 0 chosen, 2 error.`,
		Example: `  patina model use e5-base-v2
  patina model use e5-base-v2 --for notes --everywhere
  patina model use minilm --for code,commits
  patina model use built-in`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeModels(true),
	}
	c.RunE = s.prepared(func(ctx context.Context, args []string) error {
		groups := models.UsualGroups()
		if c.Flags().Changed("for") {
			var err error
			if groups, err = splitGroups(list); err != nil {
				return err
			}
		} else if isBuiltIn(args[0]) {
			groups = models.Groups()
		}
		return s.chooseFor(ctx, args[0], groups, everywhere)
	})
	f := c.Flags()
	f.StringVar(&list, "for", "beliefs,notes,sessions,documents", "the `texts`, also commits and code; built-in takes all")
	f.BoolVar(&everywhere, "everywhere", false, "for all projects that choose nothing themselves")
	_ = c.RegisterFlagCompletionFunc("for", completeGroups)
	s.jsonFlag(c)
	return c
}

func isBuiltIn(name string) bool { return name == models.BuiltIn || name == "none" }

func (s *command) chooseFor(ctx context.Context, name string, groups []string, everywhere bool) error {
	p, err := s.Here()
	if err != nil && !everywhere {
		return err
	}
	if p.ID == "" && !everywhere {
		return cli.Hint(cli.Absent(p.Root), `run "patina scrape" first`, "or choose for all projects: --everywhere")
	}
	id := p.ID
	if everywhere {
		id = ""
	}
	if isBuiltIn(name) {
		return s.useBuiltIn(id, groups)
	}
	m, err := s.findModel(name)
	if err != nil {
		return err
	}
	costs, missing, err := s.costHere(ctx, p, m, groups)
	if err != nil {
		return err
	}
	if !s.asJSON {
		s.writeCosts(costs)
	}
	if err := models.Choose(s.home, id, name, groups); err != nil {
		return err
	}
	if s.asJSON {
		err = s.writeUsedJSON(name, id, groups, costs)
	} else {
		fmt.Fprintf(s.Out, "%s is chosen for %s%s.\n", m.Name, strings.Join(groups, ", "), scopeText(id))
		if everywhere || slices.ContainsFunc(costs, func(c cost) bool { return c.Left > 0 }) {
			fmt.Fprintln(s.Out, "The next patina scrape makes the vectors (or a running patina mcp or serve); "+
				"until then the built-in model answers.")
		}
	}
	if missing != nil {
		s.Warn("no vectors can be made yet: %v", missing)
	}
	return err
}

func scopeText(id string) string {
	if id == "" {
		return " in all projects that choose nothing themselves"
	}
	return " in this project"
}

func (s *command) useBuiltIn(id string, groups []string) error {
	if err := models.Choose(s.home, id, models.BuiltIn, groups); err != nil {
		return err
	}
	if s.asJSON {
		return s.writeUsedJSON(models.BuiltIn, id, groups, nil)
	}
	fmt.Fprintf(s.Out, "The built-in model is chosen for %s%s.\n", strings.Join(groups, ", "), scopeText(id))
	return nil
}

// costHere returns the costs in a project. missing is the error of a library that is not there; the
// other costs are then counted, but not measured.
func (s *command) costHere(
	ctx context.Context, p project.Place, m models.Model, groups []string,
) (costs []cost, missing, err error) {
	e, err := s.openModel(ctx, m, 0)
	if errors.Is(err, transformer.ErrNoRuntime) {
		costs, failed := s.costs(ctx, p, m, groups, nil)
		return costs, err, failed
	}
	if err != nil {
		return nil, nil, unopened(err, m)
	}
	costs, err = s.costs(ctx, p, m, slices.Clone(groups), e)
	return costs, nil, errors.Join(err, e.Close())
}
