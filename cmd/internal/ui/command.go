package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/ask/embedders"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/loopback"
	"patina/cmd/internal/serve"
	"patina/wire/local"
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

// servePages serves pages until ctx ends. Where "patina serve" runs, that process serves them, and
// this one goes on with the same link if it ends.
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
	site := local.Site{Place: place, Port: port, Secret: newSecret()}
	remove := func() {}
	defer func() { remove() }()
	ready := func(address string) { remove = announce(ctx, a, site, address, quiet) }
	if a.Store == "" { // the server knows the places of the user's records
		resident := &local.Client{Home: place.Home, Version: cli.Version}
		// An error says why this process must serve, or go on.
		_ = resident.ServePages(ctx, site, func(address string) {
			ready(address)
			_, p, _ := net.SplitHostPort(address)
			site.Port, _ = strconv.Atoi(p)
			ready = func(string) {} // the link stays the same
		})
		if ctx.Err() != nil {
			return nil
		}
	}
	actors.Reside()
	embedders.Reside()
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	pool := serve.NewPool(life, slog.New(slog.DiscardHandler), chosen)
	defer pool.Close()
	return serveSite(ctx, Options{App: a, Pool: pool}, site, ready)
}

// announce prints the link to a site, and opens it unless quiet is true. The caller must call
// remove at the end.
func announce(ctx context.Context, a *cli.App, s local.Site, address string, quiet bool) (remove func()) {
	link := linkOf(address, s.Secret)
	fmt.Fprintf(a.Out, "%s\n", link)
	fmt.Fprintln(a.Errs, "patina: the link above opens the pages, on this machine alone; Ctrl-C ends them")
	if !s.Place.Published() {
		a.Warn("there is no index of %s yet: the pages answer once it is made by patina scrape", cli.Quoted(s.Place.Root))
	}
	if quiet {
		return func() {}
	}
	remove, err := openLink(ctx, s.Place.Home, link)
	if err != nil {
		a.Warn("no browser was opened: %v", err)
	}
	return remove
}

// ServeSite serves the pages of a project in the process that lends engines, by those of its pool,
// until ctx ends. It calls ready with the address once it listens.
func ServeSite(ctx context.Context, pool *serve.Pool, s local.Site, ready func(address string)) error {
	nobody := &cli.App{In: strings.NewReader(""), Out: io.Discard, Errs: io.Discard}
	defer nobody.LeaveMother()
	s.Place.From = s.Place.Root
	return serveSite(ctx, Options{App: nobody, Pool: pool, Lends: true}, s, ready)
}

// serveSite listens and serves. The options have an app and a pool.
func serveSite(ctx context.Context, o Options, s local.Site, ready func(address string)) error {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return cli.Hint(err, "give another port, or none: patina ui")
	}
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	o.Place, o.Secret, o.Address = s.Place, s.Secret, l.Addr().String()
	server, err := NewServer(o)
	if err != nil {
		return err
	}
	ready(o.Address)
	return server.Serve(ctx, loopback.Yield(l, mostConnections))
}
