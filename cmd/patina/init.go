package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"patina/cmd/internal/layout"
	"patina/internal/printable"
)

func (a *app) init() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Prepare a folder for an index",
		Long: `Prepare a folder for an index: make the store folder (.patina, which git
ignores) and give the project its id. "patina scrape" does this too: init shows
what would be where before anything is read.`,
		Example: `  patina init
  patina init --store /var/tmp/index   # for a tree that cannot be written`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p, err := a.Here()
			if err != nil {
				return err
			}
			if p, err = a.Claim(p); err != nil {
				return err
			}
			fmt.Fprintf(a.Out, "project %s (%s)\n  root   %s\n  store  %s\n  home   %s\nnext: patina scrape\n",
				spelled(p.Name), p.ID, spelled(p.Root), spelled(p.Store), spelled(p.Home))
			return nil
		},
	}
}

// spelled quotes a path for a shell. If no shell could read it back, it returns one harmless line.
func spelled(path string) string { return cmp.Or(printable.ShellQuote(path), layout.OneLine(path)) }
