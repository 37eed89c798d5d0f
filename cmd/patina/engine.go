package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"patina/actors"
	"patina/cmd/internal/deliver"
	"patina/registry"
	"patina/store"
	"patina/store/scrape"
	"patina/workspace"
)

// withEngine opens an engine for the place and passes it to f. Without an index it offers to
// scrape. If within is not 0, opening waits no longer than that, and f must ask under a deadline.
func (s *scrying) withEngine(ctx context.Context, within time.Duration, f func(actors.Service) error) error {
	e, done, err := s.engine(ctx, within)
	if (errors.Is(err, store.ErrNoIndex) || errors.Is(err, store.ErrForeign)) && s.agreed(ctx, err) {
		if err := s.build(ctx); err != nil {
			return err
		}
		s.place = s.place.Of(s.place.Root, s.place.Store)
		s.began = time.Now()
		e, done, err = s.engine(ctx, within)
	}
	if err != nil {
		return s.explained(err)
	}
	defer done()
	return s.explained(f(e))
}

// build makes the first index of the project.
func (s *scrying) build(ctx context.Context) error {
	if s.tool != nil {
		return s.tool.warm.build(ctx, s.place, s.tool.tell)
	}
	_, err := s.fill(ctx, s.place, scrape.Options{})
	return err
}

// closing closes an engine after its answer. A call that does not return ends with the process.
func closing(e *actors.Engine) {
	end, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = e.Close(end)
}

// asking passes an engine to f, with the command's deadline for every look-up.
func (s *scrying) asking(ctx context.Context, f func(actors.Service) error) error {
	s.began = time.Now()
	return s.withEngine(ctx, s.settings.Timeout, func(e actors.Service) error {
		s.sighted = s.watch(ctx, e)
		defer s.sighted.release()
		if !s.beside {
			s.catchUp(ctx, s.sighted)
		}
		err := s.checkPackages(ctx, e)
		if err == nil {
			err = f(e)
		}
		s.lagging(err)
		return s.late(err)
	})
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
	return hint(err, s.waitLonger())
}

// waitLonger is the hint for an answer that came too late.
func (s *scrying) waitLonger() string {
	return s.either("wait longer: --timeout 10s", "wait longer: the setting timeout (patina config --help)")
}

// explained adds hints to a store's error, unless it has some.
func (s *scrying) explained(err error) error {
	if _, ok := errors.AsType[taught](err); !ok && s.tool != nil && errors.Is(err, context.DeadlineExceeded) {
		return hint(err, s.waitLonger())
	}
	return explained(err, s.place)
}

// least is enough time for an engine to report that no channel had any.
const least = 50 * time.Millisecond

// left returns the command's remaining time, and at least the time to report that none remains.
// Opening the index counts too.
func (s *scrying) left() time.Duration {
	whole := s.settings.Timeout
	return max(whole-time.Since(s.began), min(whole, least))
}

// within returns the options for a look-up under the command's deadline.
func (s *scrying) within() actors.ReadOptions { return actors.ReadOptions{Timeout: s.left()} }

// enoughHeap is the heap size below which a command collects no garbage. One question allocates
// some 20 MB, and then the command ends.
const enoughHeap = 256 << 20

// collectLate puts off garbage collection until the heap reaches enoughHeap. From then on the old
// settings hold: live data above a memory limit would keep the collector busy without end. GOGC and
// GOMEMLIMIT in the environment take precedence.
func collectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1)
	if percent < 0 {
		return // already put off
	}
	limit := debug.SetMemoryLimit(enoughHeap)
	collected := new([64]*byte) // unreachable from here: the first collection finds it
	runtime.AddCleanup(collected, func(percent int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, percent)
}

func open(ctx context.Context, p workspace.Place, within time.Duration) (*actors.Engine, error) {
	collectLate()
	return unlessOver(ctx, func() (*actors.Engine, error) { return workspace.Open(ctx, p, within) })
}

// unlessOver returns the result of f, or the error from ctx if ctx ends first. A read from a file
// or a terminal has no deadline: an unfinished f ends with the process.
func unlessOver[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return *new(T), ctx.Err()
	}
}

// agreed asks on a terminal whether to scrape now. A tool makes a missing index unasked, and builds
// nothing in the place of a stranger's.
func (s *scrying) agreed(ctx context.Context, why error) bool {
	if s.tool != nil {
		return errors.Is(why, store.ErrNoIndex)
	}
	if !terminal(s.in) || !terminal(s.errs) {
		return false
	}
	said := "no index for " + quoted(s.place.Root) + " yet"
	if errors.Is(why, store.ErrForeign) {
		said = deliver.Plain(why.Error())
	}
	fmt.Fprintf(s.errs, "patina: %s. Scrape it now? [y/N] ", said)
	reply, _ := unlessOver(ctx, func() (string, error) { return bufio.NewReader(s.in).ReadString('\n') })
	reply = strings.ToLower(strings.TrimSpace(reply))
	return reply == "y" || reply == "yes"
}

// absent is the error for a project without an index; its value is the root.
type absent string

func (a absent) Error() string { return "no index for " + quoted(string(a)) }
func (absent) Unwrap() error   { return store.ErrNoIndex }

// explained adds hints to a store's error, unless it has some.
func explained(err error, p workspace.Place) error {
	if _, ok := errors.AsType[taught](err); ok || err == nil {
		return err
	}
	switch {
	case errors.Is(err, store.ErrNoIndex):
		return hint(absent(p.Root), `run "patina scrape" first`)
	case errors.Is(err, store.ErrNewer):
		return hint(err, "install the newer patina, or build the index anew: patina clean && patina scrape")
	case errors.Is(err, store.ErrOlder), errors.Is(err, store.ErrDamaged):
		return hint(err, "build the index anew: patina scrape --full")
	case errors.Is(err, store.ErrForeign) && p.Doubt == registry.DoubtOlder:
		return hint(err, "build it anew: patina scrape")
	case errors.Is(err, store.ErrForeign):
		return hint(err, "build one of your own: patina scrape", "or believe it, if you know where it comes from: patina trust")
	case errors.Is(err, context.DeadlineExceeded):
		return hint(err, "wait longer: --timeout 10s")
	}
	return unsafeFolder(err)
}
