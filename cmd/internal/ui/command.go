package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/ask/embedders"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/loopback"
	"patina/cmd/internal/serve"
)

// mostConnections bounds the connections at the same time. A browser opens six. Those without the
// token yield to new ones.
const mostConnections = 64

// Command is the command that opens pages of the project.
func Command(a *cli.App) *cobra.Command {
	var port int
	var quiet bool
	c := &cobra.Command{
		Use:   "ui",
		Short: "Show the project in a browser: ask, walk, see why",
		Long: `Show the project in a browser: ask it, open a thing whole with what calls it
and what it calls, walk from one to the next, and see why a result has its rank.
Notes and beliefs can be written there, too.

It listens on this machine alone and opens the link, which holds a token. The
link is also printed, for another browser. It ends by Ctrl-C.`,
		Example: `  patina ui
  patina ui --port 8100 --no-open`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return cli.Hint(fmt.Errorf("--port %d", port), "want 1 to 65535, or 0 for any free one")
			}
			return servePages(c.Context(), a, port, quiet)
		},
	}
	f := c.Flags()
	f.IntVar(&port, "port", 0, "listen at this `port`; 0: any free one")
	f.BoolVar(&quiet, "no-open", false, "print the link, and open no browser")
	return c
}

// servePages serves pages until ctx ends.
func servePages(ctx context.Context, a *cli.App, port int, quiet bool) error {
	place, err := a.Indexed()
	if err != nil {
		return err
	}
	place.From = place.Root
	chosen, _, err := place.Settings(nil)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return cli.Hint(err, "give another port, or none: patina ui")
	}
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	actors.Reside()
	embedders.Reside()
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	pool := serve.NewPool(life, log, chosen)
	defer pool.Close()
	s, err := NewServer(Options{App: a, Place: place, Address: l.Addr().String(), Pool: pool})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%s\n", s.Link())
	fmt.Fprintln(a.Errs, "patina: the link above opens the pages, on this machine alone; Ctrl-C ends them")
	if !place.Published() {
		a.Warn("there is no index of %s yet: the pages answer once it is made by patina scrape", cli.Quoted(place.Root))
	}
	if !quiet {
		closeLink, err := openLink(ctx, place.Home, s.Link())
		defer closeLink()
		if err != nil {
			a.Warn("no browser was opened: %v", err)
		}
	}
	return s.Serve(ctx, loopback.Yield(l, mostConnections))
}
