package nodecmd

import (
	"errors"

	"github.com/spf13/cobra"
)

func (a *app) status() *cobra.Command {
	var f folders
	var self, ready bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Show how the nodes are, and which repositories have none",
		Long: `Show how the nodes are, as a front sees them: since when, how fast they answer,
how old their indexes are, how long their certificates last. Below are the
repositories that no node answers for.

With --self, say in one line whether the node or front of this PATINA_HOME is at
work, for the health check of a container. --ready asks, too, whether it takes
questions, and has its repositories.

Exit codes: 0 all repositories are answered for, 1 some are not, 2 no front
could be asked. With --self: 0 it is at work, 1 it is not.`,
		Example: `  patina node status
  patina node status --self --ready`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.fill(); err != nil {
				return err
			}
			if self {
				return a.statusOfSelf(c.Context(), &f, ready)
			}
			return errors.New("not yet")
		},
	}
	c.Flags().BoolVar(&self, "self", false, "only this node or front, in one line")
	c.Flags().BoolVar(&ready, "ready", false, "with --self: whether it takes questions, too")
	c.Flags().StringVar(&f.certificates, "certificates", "", "`folder` of tls.key, tls.crt and ca.crt")
	return c
}
