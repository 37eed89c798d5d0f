package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/ask/embedders"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/registry"
	"patina/wire/local"
)

// Pages serves pages of a project by the engines of a pool, until ctx ends (package ui).
type Pages func(ctx context.Context, pool *Pool, s local.Site, ready func(address string)) error

// Serve is the command that keeps engines open for the user's other processes, and serves the pages
// that they ask for.
func Serve(a *cli.App, pages Pages) *cobra.Command {
	var idle time.Duration
	var logFile string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Keep indexes open for other patina processes",
		Long: `Keep the indexes of your projects open, so that commands and servers of agents
need not open them: a question takes half the time, and ten servers need one
engine. It also serves the pages of patina ui. Everything answers the same as
without it, and goes on without it if it ends.

It listens on a socket in $PATINA_HOME that only your own processes may use,
follows the files of open projects, and closes a project after the time without
a question that the setting mcp.idle names. It ends by Ctrl-C or SIGTERM.`,
		Example: `  patina serve
  patina serve --idle 30m --log-file /tmp/patina-serve.log
  systemd-run --user --unit patina-serve patina serve`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if idle < 0 {
				return cli.Hint(fmt.Errorf("--idle %s is negative", idle), "0 means that it does not end by itself")
			}
			log, closeLog, err := openServeLog(a, logFile)
			if err != nil {
				return err
			}
			defer closeLog()
			return lend(c.Context(), pages, idle, log)
		},
	}
	f := c.Flags()
	f.DurationVar(&idle, "idle", 0, "end after this `time` without a question; 0: never")
	f.StringVar(&logFile, "log-file", "", "write the log to this `file` instead of standard error")
	return c
}

// openServeLog opens the log, with one line for each change of state.
func openServeLog(a *cli.App, file string) (*slog.Logger, func(), error) {
	if file != "" {
		return openLog(a, file)
	}
	return slog.New(slog.NewTextHandler(a.Errs, nil)), func() {}, nil
}

// lend lends engines until ctx ends, or no question was asked for the time idle.
func lend(ctx context.Context, pages Pages, idle time.Duration, log *slog.Logger) error {
	home, err := registry.Home()
	if err != nil {
		return err
	}
	// Only the user's settings count, because the process serves many repositories.
	chosen, _, err := project.Place{Home: home}.Settings(nil)
	if err != nil {
		return err
	}
	l, err := local.Listen(home, log)
	if running, ok := errors.AsType[*local.RunningError](err); ok {
		return cli.Hint(fmt.Errorf("patina serve: %w", err), stopHint(running.PID))
	}
	if errors.Is(err, local.ErrTooLong) {
		return cli.Hint(err, "set XDG_RUNTIME_DIR, or PATINA_HOME to a shorter path")
	}
	if err != nil {
		return err
	}
	actors.Reside()
	embedders.Reside()
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	pool := NewLender(life, log, chosen)
	defer pool.Close()
	log.Info("serving", "socket", l.Path())
	err = local.NewServer(local.Options{
		Home: home, Version: cli.Version, Lender: pool, Log: log, Idle: idle,
		Pages: func(ctx context.Context, s local.Site, ready func(string)) error { return pages(ctx, pool, s, ready) },
	}).Serve(ctx, l)
	log.Info("ended")
	return err
}

func stopHint(pid int) string {
	if pid == 0 {
		return ""
	}
	return fmt.Sprintf("to end it: kill %d", pid)
}
