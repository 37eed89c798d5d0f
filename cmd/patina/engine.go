package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"patina/actors"
	"patina/actors/stall"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/store"
	"patina/store/scrape"
)

// withEngine opens an engine for the place and passes it to f. Without an index it offers to
// scrape. If within is not 0, opening waits no longer than that, and f must ask under a deadline.
func (s *scrying) withEngine(ctx context.Context, within time.Duration, f func(actors.Service) error) error {
	for tries := range mostGone {
		opened, err := s.lend(ctx, within, f)
		again := errors.Is(err, store.ErrNoIndex) && (!opened || s.tool != nil) || !opened && errors.Is(err, store.ErrForeign)
		if !again || tries+1 == mostGone || !s.agreed(ctx, err) {
			return s.explained(err)
		}
		s.place = s.place.Of(s.place.Root, s.place.Store)
		if s.tool == nil || tries > 0 || !s.place.Published() || !errors.Is(err, store.ErrNoIndex) {
			if err := s.build(ctx); err != nil {
				return err
			}
			s.place = s.place.Of(s.place.Root, s.place.Store)
		}
		s.begin()
	}
	return nil
}

// mostGone bounds the openings of an index that somebody removes again and again, under a server,
// between its being opened and being read.
const mostGone = 4

// lend passes an engine to f, if it can be opened.
func (s *scrying) lend(ctx context.Context, within time.Duration, f func(actors.Service) error) (ok bool, err error) {
	e, done, err := s.engine(ctx, within)
	if err != nil {
		return false, err
	}
	defer done()
	return true, f(e)
}

// build makes the first index of the project.
func (s *scrying) build(ctx context.Context) error {
	if s.tool != nil {
		return s.tool.warm.build(ctx, s.place, s.tool.tell)
	}
	_, err := s.Fill(ctx, s.place, scrape.Options{})
	return err
}

// asking passes an engine to f, with the command's deadline for every look-up.
func (s *scrying) asking(ctx context.Context, f func(actors.Service) error) error {
	s.stall = new(stall.Meter)
	s.stall.Start()
	defer s.stall.Stop()
	s.begin()
	return s.withEngine(ctx, s.settings.Timeout, func(e actors.Service) error {
		s.sighted = s.watch(ctx, e)
		defer s.sighted.release()
		if !s.beside {
			s.catchUp(ctx, s.sighted)
		}
		err := s.checkPackages(ctx, s.seen(e))
		if err == nil {
			err = f(s.seen(e))
		}
		s.lagging(err)
		return s.late(err)
	})
}

// begin starts the command's timeout.
func (s *scrying) begin() {
	if s.stall == nil {
		s.stall = new(stall.Meter) // that measures nothing: no timeout is kept
	}
	s.clock = stall.Begin(s.stall.Total, actors.MostStalled(s.settings.Timeout))
}

// late rewrites the error of a late look-up: it names the whole command's timeout.
func (s *scrying) late(err error) error {
	f, ok := errors.AsType[*actors.Failure](err)
	if !ok || f.Status != actors.Deadline {
		return err
	}
	_, why, _ := strings.Cut(f.Detail, ": ")
	err = fmt.Errorf("%s of %q: no answer within %s", f.Read, f.Project, s.settings.Timeout)
	if why != "" {
		err = fmt.Errorf("%w: %s", err, why)
	}
	return cli.Hint(err, s.waitLonger())
}

// waitLonger is the hint for an answer that came too late.
func (s *scrying) waitLonger() string {
	return s.either("wait longer: --timeout 60s", "wait longer: timeout=60 (seconds)")
}

// explained adds hints to a store's error, unless it has some.
func (s *scrying) explained(err error) error {
	if _, ok := errors.AsType[cli.Taught](err); !ok && s.tool != nil && errors.Is(err, context.DeadlineExceeded) {
		return cli.Hint(err, s.waitLonger())
	}
	return cli.Explained(err, s.place)
}

// least is enough time for an engine to report that no channel had any.
const least = 50 * time.Millisecond

// left returns the command's remaining time, and at least the time to report that none remains.
// Opening the index counts too.
func (s *scrying) left() time.Duration {
	whole := s.settings.Timeout
	return max(whole-s.clock.Elapsed(), min(whole, least))
}

// within returns the options for a look-up under the command's deadline.
func (s *scrying) within() actors.ReadOptions { return actors.ReadOptions{Timeout: s.left()} }

// agreed asks on a terminal whether to scrape now. A new working tree of a repository that has an
// index needs no asking: what other trees have is not read again. A tool makes a missing index
// unasked, and builds
// nothing in the place of a stranger's.
func (s *scrying) agreed(ctx context.Context, why error) bool {
	if s.tool != nil {
		return errors.Is(why, store.ErrNoIndex)
	}
	if errors.Is(why, store.ErrNoIndex) && s.place.Published() && !s.noRefresh {
		s.Warn("%s is a new working tree: reading what differs from the others", cli.Quoted(s.place.Root))
		return true
	}
	if !cli.Terminal(s.In) || !cli.Terminal(s.Errs) {
		return false
	}
	said := "no index for " + cli.Quoted(s.place.Root) + " yet"
	if errors.Is(why, store.ErrForeign) {
		said = deliver.Plain(why.Error())
	}
	fmt.Fprintf(s.Errs, "patina: %s. Scrape it now? [y/N] ", said)
	reply, _ := cli.UnlessOver(ctx, func() (string, error) { return bufio.NewReader(s.In).ReadString('\n') })
	reply = strings.ToLower(strings.TrimSpace(reply))
	return reply == "y" || reply == "yes"
}
