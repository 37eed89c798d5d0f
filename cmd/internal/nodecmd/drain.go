package nodecmd

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/registry"
)

// drainPoll is how often it is looked whether the process has ended.
const drainPoll = 50 * time.Millisecond

func (a *app) drain() *cobra.Command {
	return &cobra.Command{
		Use:   "drain",
		Short: "Let the node or front of this machine finish, and end it",
		Long: `Let the node or front that works in PATINA_HOME finish, and wait for its end. It
refuses new questions at once, so that other replicas are asked, and answers
those that it has, for half a minute at most. A signal TERM does the same.

Exit codes: 0 it has ended, 1 there was none, 2 error.`,
		Example: `  patina node drain`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			home, err := registry.Home()
			if err != nil {
				return err
			}
			p, err := runningProcess(home)
			if errors.Is(err, errNoProcess) {
				fmt.Fprintf(a.Out, "%v in %s\n", err, home)
				return cli.Exit(cli.ExitNothing)
			}
			if err != nil {
				return err
			}
			if err := p.Signal(syscall.SIGTERM); err != nil {
				return fmt.Errorf("end process %d: %w", p.Pid, err)
			}
			for {
				now, err := runningProcess(home)
				if errors.Is(err, errNoProcess) || err == nil && now.Pid != p.Pid {
					return nil
				}
				select {
				case <-c.Context().Done():
					return c.Context().Err()
				case <-time.After(drainPoll):
				}
			}
		},
	}
}
