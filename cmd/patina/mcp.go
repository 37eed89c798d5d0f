package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"patina/cmd/internal/mcp"
)

// mcp is the command that serves tools to agents.
func (a *app) mcp() *cobra.Command {
	var projects []string
	var logFile string
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents by the Model Context Protocol",
		Long: `Serve the tools scry, context and assay to an agent, by the Model Context Protocol (docs/mcp.md). They answer as the commands of
these names do, in the same words; only the calls that an answer prints are spelled as calls of tools.

The project is the one whose folder the client names as its root; else the one of --project; else the git repository around the
working folder. The first call in a repository without an index makes one.

Messages go over standard input and output, and nothing else is written there: the log goes to standard error, or to --log-file.`,
		Example: `  patina mcp
  patina mcp --project ~/src/app --log-file /tmp/patina.log
  claude mcp add patina -- patina mcp`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			log, closeLog, err := a.logTo(logFile)
			if err != nil {
				return err
			}
			defer closeLog()
			return a.serve(c.Context(), projects, log)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&projects, "project", nil, "a `folder` to answer about, if the client names no roots (repeatable)")
	f.StringVar(&logFile, "log-file", "", "write the log to the end of this `file`, with every call; without it, warnings go to standard error")
	return c
}

// logTo opens the log.
func (a *app) logTo(file string) (log *slog.Logger, done func(), err error) {
	if file == "" {
		return slog.New(slog.NewTextHandler(a.errs, &slog.HandlerOptions{Level: slog.LevelWarn})), func() {}, nil
	}
	const private = 0o600 // it holds questions
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, private)
	if err != nil {
		return nil, nil, fmt.Errorf("open the log: %w", err)
	}
	return slog.New(slog.NewTextHandler(f, nil)), func() { _ = f.Close() }, nil
}

// serve answers until the client has gone.
func (a *app) serve(ctx context.Context, projects []string, log *slog.Logger) error {
	for i, p := range projects {
		var err error
		if projects[i], err = filepath.Abs(p); err != nil {
			return err
		}
	}
	signal.Ignore(syscall.SIGPIPE) // a client that has gone is an error of a write
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &toolbox{store: a.store, projects: projects, warm: newWarm(ctx), log: log}
	defer t.warm.close()
	s := mcp.New(mcp.Options{Version: version, Toolbox: t, Log: log})
	err := s.Serve(ctx, a.in, a.out)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		log.Warn("the client has gone", "error", err)
		return nil
	}
	return err
}
