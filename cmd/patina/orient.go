package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/print"
)

// orient is the command that gives an overview of a folder.
func (a *app) orient() *cobra.Command {
	s := &askFlags{app: a}
	c := &cobra.Command{
		Use:   "orient [DIR]",
		Short: "Print what a folder holds: README, central files, tests",
		Long: `Print what a folder of the project holds: its packages, README, central files,
entry points, folders and tests. Without DIR, or with ".", it is this folder.

The use of a file is counted by imports and names: it ranks files, and proves
nothing. What to know before a change, by topic: patina context.`,
		Example: `  patina orient
  patina orient src/store --limit 5
  patina orient --json | jq -r '.central[].path'`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, args []string) error {
			name := "."
			if len(args) > 0 {
				name = args[0]
			}
			return s.run(c, "orient", true, func(p *print.Printer) error {
				folder, ok, err := p.Call.Place.Folder(name)
				if err == nil && !ok {
					err = cli.Hint(fmt.Errorf("no folder %q in this project", name),
						"to ask about it: patina scry "+cli.Quoted(name), "for the folders: patina orient .")
				}
				if err != nil {
					return err
				}
				r := s.narrowed
				r.Form, r.Name = ask.Orient, folder
				a, err := p.Call.Ask(c.Context(), r)
				return p.Print(a, err)
			})
		},
	}
	c.Flags().IntP("limit", "n", 10, "most entries of each list")
	s.repoFlag(c)
	s.outputFlags(c)
	return c
}

// completeFiles completes only the first argument with files.
func completeFiles(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveDefault
}
