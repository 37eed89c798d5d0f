package nodecmd

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/cmd/internal/layout"
	"patina/wire/config"
	"patina/wire/placement"
)

func (a *app) plan() *cobra.Command {
	var f folders
	var from string
	c := &cobra.Command{
		Use:   "plan",
		Short: "Show which node hosts what, and what a change moves",
		Long: `Show which nodes host each repository by nodes.toml and repositories.toml. Every
node computes the same, so nothing is started or asked. With --from, show only
what moves if the files of that folder are replaced by these.`,
		Example: `  patina node plan --config deploy/cluster
  patina node plan --config new --from deploy/cluster`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := f.setDefaults(); err != nil {
				return err
			}
			plan, err := readPlan(f.config)
			if err != nil {
				return err
			}
			if from == "" {
				a.printPlan(plan)
				return nil
			}
			before, err := readPlan(from)
			if err != nil {
				return err
			}
			a.printMoves(placement.Moves(before, plan))
			return nil
		},
	}
	addFolderFlags(c, &f)
	c.Flags().StringVar(&from, "from", "", "`folder` of the files that are in force")
	return c
}

func readPlan(dir string) (placement.Plan, error) {
	cfg, err := config.Read(dir)
	if err != nil {
		return nil, err
	}
	return cfg.Plan()
}

func (a *app) printPlan(plan placement.Plan) {
	for _, name := range slices.Sorted(maps.Keys(plan)) {
		fmt.Fprintf(a.Out, "%s: %s\n", layout.Plain(name), layout.Plain(strings.Join(plan[name], ", ")))
	}
}

func (a *app) printMoves(moves []placement.Move) {
	for _, m := range moves {
		fmt.Fprintf(a.Out, "%s: from %s to %s\n", layout.Plain(m.Repository),
			layout.Plain(cmp.Or(m.From, "none")), layout.Plain(cmp.Or(m.To, "none")))
	}
}
