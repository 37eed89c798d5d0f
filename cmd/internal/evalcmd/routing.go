package evalcmd

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/ask/visit"
	"patina/bench/eval/routes"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// routing is the command that asks questions across registered repositories.
func (a *app) routing() *cobra.Command {
	var file string
	var asJSON bool
	c := &cobra.Command{
		Use:   "routing -q FILE",
		Short: "Ask questions that another repository answers",
		Long: `Ask questions that another repository answers, where a user would ask them: at
home alone, along your links (as scry --all-repos), so without word weights, and
of all repositories of the set. Printed are how often the right repository was
asked and is among the first five and ten results, and how often its file is.

The set is {"questions": [{"id", "home", "query", "repo", "expect": [path]}]},
with names of registered repositories: patina repo add, patina repo link.

Exit codes: 0 measured, 2 error, 130 interrupted (what was measured is printed).`,
		Example: "  patina eval routing -q cross.json\n  patina eval routing -q cross.json --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return cli.Hint(errors.New("no questions"), "name a set: patina eval routing -q FILE")
			}
			qs, err := routes.Load(file)
			if err != nil {
				return err
			}
			p, err := a.Here()
			if err != nil {
				return err
			}
			o := routes.Options{
				Mother: a.Mother(p.Home),
				Named:  func(name string) (project.Place, error) { return visit.FindPlace(p, name) },
				Shared: func(p project.Place) []doc.Kind {
					kinds, _ := visit.SharedKinds(p) // empty if it shares nothing
					return kinds
				},
			}
			if cli.Terminal(a.Errs) {
				b := cli.NewBar(a.Errs, time.Now)
				o.OnProgress = func(done, total int) { b.Show("asked", done, total) }
				defer b.Clear()
			}
			report, err := routes.Run(c.Context(), qs, o)
			if report == nil || len(report.Rows) == 0 {
				return cli.Hint(err, "register them: patina repo add PATH; the names: patina repo list")
			}
			if asJSON {
				return errors.Join(err, layout.Encode(a.Out, report))
			}
			return errors.Join(err, report.Text(a.Out))
		},
	}
	c.Flags().StringVarP(&file, "questions", "q", "", "set of questions, a `file`")
	c.Flags().BoolVar(&asJSON, "json", false, "print the whole report as JSON")
	return c
}
