package nodecmd

import (
	"errors"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
)

// Node is the command for repositories on other machines.
func Node(shared *cli.App) *cobra.Command {
	a := &app{shared}
	c := &cobra.Command{
		Use:   "node",
		Short: "Serve repositories to other machines, and ask those",
		Long: `Serve repositories to other machines. A node hosts repositories: it clones,
reads and answers for them. A front knows all nodes and passes questions on. A
user knows one or two fronts, and asks as if the repositories were here.

Two files say what there is: nodes.toml and repositories.toml. Without
certificates only this machine is answered.`,
		Example: `  patina node plan
  patina node serve node-0 --config deploy/cluster
  patina node front front-0 --config deploy/cluster`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command node "+cli.Quoted(args[0])), `run "patina node --help"`)
		},
	}
	for _, create := range []func() *cobra.Command{
		a.init, a.up, a.serve, a.front, a.drain, a.plan, a.status, a.list,
		a.ca, a.invite, a.join, a.renew, a.revoke,
	} {
		c.AddCommand(create())
	}
	return c
}
