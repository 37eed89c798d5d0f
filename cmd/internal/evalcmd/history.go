package evalcmd

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"patina/bench/eval/record"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

// history is the command that shows earlier measurements.
func (a *app) history() *cobra.Command {
	var picture string
	var asJSON bool
	c := &cobra.Command{
		Use:   "history",
		Short: "Show what patina eval has measured here before",
		Long: `Draw the mean reciprocal rank of what patina eval has measured here, over time,
and list the measurements. Compare two only if their samples and seeds are
alike; the intervals say how far chance goes.

Exit codes: 0 found, 1 nothing measured yet, 2 error.`,
		Example: "  patina eval history\n  patina eval history --svg history.svg\n  patina eval history --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p, err := a.Indexed()
			if err != nil {
				return err
			}
			entries, broken, err := record.Read(p.Home, p.ID)
			if err != nil {
				return err
			}
			if broken > 0 {
				a.Warn("%s of %q not read", cli.Plural(broken, "line"), record.File(p.Home, p.ID))
			}
			switch {
			case asJSON:
				err = layout.Encode(a.Out, append([]record.Entry{}, entries...))
			case len(entries) == 0:
				fmt.Fprintln(a.Out, "nothing measured yet: patina eval")
			case picture == "":
				err = record.Text(a.Out, entries)
			}
			if err != nil || len(entries) == 0 {
				return errors.Join(err, cli.Exit(cli.ExitNothing))
			}
			if picture != "" {
				return drawChart(picture, entries)
			}
			return nil
		},
	}
	c.Flags().StringVar(&picture, "svg", "", "draw into this `file` instead")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, an entry a measurement")
	return c
}

func drawChart(file string, entries []record.Entry) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(record.SVG(f, entries), f.Close())
}
