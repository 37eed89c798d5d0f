package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry/querylog"
	"patina/store"
)

func (a *app) clean() *cobra.Command {
	var queries bool
	c := &cobra.Command{
		Use:   "clean",
		Short: "Remove the index, or the query log",
		Long: `Remove the index of this project. Everything in it is derived, so nothing is
asked: patina scrape makes it again. Files in its folder that are not patina's
are kept, and named. Notes (patina memory) are elsewhere, and stay.

With --queries the log of your questions is removed instead, of all projects.`,
		Example: `  patina clean
  patina clean --queries`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p, err := a.Here()
			if err != nil {
				return err
			}
			if queries {
				n, err := querylog.In(p.Home).Clear()
				if err == nil {
					fmt.Fprintf(a.Out, "removed the query log (%s)\n", cli.Plural(n, "day"))
				}
				return err
			}
			return a.cleanStore(p)
		},
	}
	c.Flags().BoolVar(&queries, "queries", false, "remove the query log instead")
	return c
}

func (a *app) cleanStore(p project.Place) error {
	dir := p.Store
	kept, err := p.Clear()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Fprintf(a.Out, "nothing to remove: no store at %s\n", layout.Plain(dir))
		return nil
	case errors.Is(err, store.ErrLocked):
		return cli.Hint(errors.New("clean: a scrape is under way"), "wait until it has finished")
	case err != nil:
		return cli.UnsafeFolder(fmt.Errorf("clean: %w", err))
	}
	fmt.Fprintf(a.Out, "removed the index at %s\n", layout.Plain(dir))
	if len(kept) > 0 {
		fmt.Fprintf(a.Out, "kept, since patina did not make it: %s\n", layout.Plain(strings.Join(kept, ", ")))
	}
	return nil
}
