package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
)

// recent is the command that lists recent changes.
func (a *app) recent() *cobra.Command {
	s := &askFlags{app: a}
	days := 0
	c := &cobra.Command{
		Use:   "recent",
		Short: "List what changed lately: commits, and the files they touched",
		Long: `List the newest commits and the files that they touched most: of the last 7
days, of --days, or from --since to --until.

A date is 2024, 2024-03, "3 months ago", "last week" and the like. What changed
in the work of one person, one folder or one language: --author, --path, --lang.
For a question about changes ask: patina scry what changed in the parser.`,
		Example: `  patina recent
  patina recent --days 30 --path 'src/**'
  patina recent --since "last week" --author ann
  patina recent --since 2026-01-01 --until 2026-03-31 -n 50`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Hint(fmt.Errorf("unexpected %q", args[0]),
					cli.Asking("to ask about changes: ", "what changed in "+strings.Join(args, " ")))
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := recentRequest(s.narrowed, days, c.Flags().Changed("days"))
			if err != nil {
				return err
			}
			return s.lookUp(c, r)
		},
	}
	f := c.Flags()
	f.IntVar(&days, "days", ask.UsualDays, "how many days back from now")
	f.IntP("limit", "n", 10, "most commits")
	s.repoFlag(c)
	s.filterFlags(c)
	s.outputFlags(c)
	dateFlags(c, &s.narrowed)
	hideFlags(c, "as-written")
	return c
}

// recentRequest returns the request for the changes of some days, or since the date in r. given
// reports whether the user gave days. Both together are an error.
func recentRequest(r ask.Request, days int, given bool) (ask.Request, error) {
	if r.Since != "" && given {
		return r, cli.Hint(errors.New("--days beside --since"), "both say where to begin: give one of them")
	}
	r.Form, r.Days = ask.Recent, days
	return r, nil
}
