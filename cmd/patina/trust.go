package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/registry"
)

// trust is the command that adopts an index not made by this user.
func (a *app) trust() *cobra.Command {
	return &cobra.Command{
		Use:   "trust",
		Short: "Believe an index that somebody else has made",
		Long: `Believe the index of this project as it is, although no scrape of yours has
made it: one that a cache of CI has brought back, that was moved with its
folder, or that a team shares.

An index that comes with a clone is not believed by itself: whoever made it
could answer what he likes. "patina scrape" builds your own in its place. Where
no home is kept, as in a container, PATINA_TRUST_STORE=1 does it for one call.`,
		Example: `  patina trust
  patina trust --store /srv/team/index
  PATINA_TRUST_STORE=1 patina scry how are rows locked`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := a.Indexed()
			if err != nil {
				return err
			}
			already, err := p.Trust(c.Context())
			if errors.Is(err, registry.ErrUnused) {
				a.NotNoted(err)
				err = nil
			}
			switch {
			case err != nil:
				return cli.Explained(err, p)
			case already:
				fmt.Fprintf(a.Out, "%s is trusted already\n", cli.Quoted(p.Store))
			default:
				fmt.Fprintf(a.Out, "%s is trusted from now on\n", cli.Quoted(p.Store))
			}
			return nil
		},
	}
}
