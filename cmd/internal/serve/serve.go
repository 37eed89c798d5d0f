// Package serve is "patina mcp", which answers the tools of agents (toolbox.go), and "patina
// serve", which lends engines to the user's other processes (lend.go). Both keep engines open
// (pool.go).
//
// It turns a tool's arguments into the options and the request of one call (package ask), and
// prints the answer like a command (package print). client.go finds the project that a client
// means, and decides which other projects the client may see.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/ask"
	"patina/ask/embedders"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/mcp"
	"patina/registry"
	"patina/registry/querylog"
	"patina/wire/local"
	"patina/wire/mother"
)

// MCP is the command that serves tools to agents.
func MCP(a *cli.App) *cobra.Command {
	var projects []string
	var logFile, listen, tokenFile string
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents by the Model Context Protocol",
		Long: `Serve the tools scry, context, assay and remember to an agent, by the Model
Context Protocol (docs/agents.md); patina agent install sets it up. They answer
in the words of the commands.

The project is the one whose folder the client names as its root, else that of
--project, else the repository around the working folder. The first call in a
repository without an index makes one.

Messages go over standard input and output; with --listen over HTTP instead
(http://ADDRESS/mcp), for any number of clients. An address that other machines
may reach wants a token: each request must bear the first line of --token-file.`,
		Example: `  claude mcp add patina -- patina mcp
  patina mcp --project ~/src/app --log-file /tmp/patina.log
  patina mcp --listen 127.0.0.1:7717 --project ~/src/app`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			log, closeLog, err := openLog(a, logFile)
			if err != nil {
				return err
			}
			defer closeLog()
			http := mcp.HTTPOptions{Address: listen}
			if http.Token, err = token(tokenFile); err != nil {
				return err
			}
			return serve(c.Context(), a, projects, http, log)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&projects, "project", nil, "a `folder` to answer about, if the client names none")
	f.StringVar(&listen, "listen", "", "serve HTTP at this `address`: 127.0.0.1:PORT")
	f.StringVar(&tokenFile, "token-file", "", "with --listen: the `file` with the token")
	f.StringVar(&logFile, "log-file", "", "write the log, with every call, to this `file`")
	return c
}

// openLog opens the log file. Without a file, warnings go to standard error.
func openLog(a *cli.App, file string) (log *slog.Logger, done func(), err error) {
	if file == "" {
		return slog.New(slog.NewTextHandler(a.Errs, &slog.HandlerOptions{Level: slog.LevelWarn})), func() {}, nil
	}
	const private = 0o600 // it contains questions
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, private)
	if err != nil {
		return nil, nil, fmt.Errorf("open the log: %w", err)
	}
	return slog.New(slog.NewTextHandler(f, nil)), func() { _ = f.Close() }, nil
}

// maxToken bounds the file of a token, in bytes.
const maxToken = 4 << 10

// token returns the first line of a file, or "" if file is empty.
func token(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxToken))
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	line, _, _ := strings.Cut(string(b), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "", fmt.Errorf("read the token: the first line of %q is empty", file)
	}
	return line, nil
}

// serve answers until the client is gone, or over HTTP until it is interrupted.
func serve(ctx context.Context, a *cli.App, projects []string, http mcp.HTTPOptions, log *slog.Logger) error {
	for i, p := range projects {
		var err error
		if projects[i], err = filepath.Abs(p); err != nil {
			return err
		}
	}
	signal.Ignore(syscall.SIGPIPE) // writing to a closed pipe must return an error instead
	home, err := registry.Home()
	if err != nil {
		return err
	}
	// Only the user's settings count, because the process serves many repositories.
	chosen, _, err := project.Place{Home: home}.Settings(nil)
	if err != nil {
		return err
	}
	actors.Reside()
	embedders.Reside()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	folder, _ := os.Getwd() // if it fails, the roots of clients are used
	lender := &local.Client{Home: home, Version: cli.Version, Keep: true}
	defer lender.Close()
	t := &toolbox{
		lender: lender,
		store:  a.Store, folder: folder, projects: projects, pool: NewPool(ctx, log, chosen), log: log,
		started: querylog.NewSession(time.Now()), repos: ask.Parts([]string{chosen.Repos}),
	}
	defer t.pool.Close()
	client := mother.New(home)
	defer client.Close()
	t.mother = client
	s := mcp.New(mcp.Options{Version: cli.Version, Toolbox: t, Log: log})
	if http.Address != "" {
		l, err := http.Listen()
		if errors.Is(err, mcp.ErrNoToken) {
			return cli.Hint(err, "for this machine alone: --listen 127.0.0.1:PORT", "for others: --token-file FILE")
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Errs, "patina: listening at http://%s%s\n", l.Addr(), mcp.Endpoint)
		return s.ServeHTTP(ctx, l, http)
	}
	err = s.Serve(ctx, a.In, a.Out)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		log.Warn("the client has gone", "error", err)
		return nil
	}
	return err
}
