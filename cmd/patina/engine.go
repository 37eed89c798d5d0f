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
	"patina/store/scrape/history"
)

// withEngine runs f with an engine for the place. Without an index it offers to make one. What opens the index waits no longer than
// within, if that is not 0: f must then ask under a deadline.
func (s *scrying) withEngine(ctx context.Context, within time.Duration, f func(*actors.Engine) error) error {
	e, err := open(ctx, s.place, within)
	if (errors.Is(err, store.ErrNoIndex) || errors.Is(err, store.ErrForeign)) && s.agreed(ctx, err) {
		if _, err := s.fill(ctx, s.place, scrape.Options{}); err != nil {
			return err
		}
		s.place.Project = registry.Lookup(s.place.home, s.place.Root, s.place.Store)
		e, err = open(ctx, s.place, within)
	}
	if err != nil {
		return explained(err, s.place)
	}
	defer func() {
		end, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = e.Close(end) // the answer is out; a call that does not return ends with the process
	}()
	return f(e)
}

// enoughHeap is up to where a command collects no garbage: it answers one question, which makes some 20 MB, and ends.
const enoughHeap = 256 << 20

// collectLate puts garbage collection off until the heap has enoughHeap; from then on it works as ever, for a limit that what is alive
// has passed would have it work without end. Who has set GOGC or GOMEMLIMIT knows better.
func collectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1)
	if percent < 0 {
		return // it is put off already
	}
	limit := debug.SetMemoryLimit(enoughHeap)
	collected := new([64]*byte) // unreachable from now on: the first collection finds it
	runtime.AddCleanup(collected, func(percent int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, percent)
}

func open(ctx context.Context, p place, within time.Duration) (*actors.Engine, error) {
	collectLate()
	return unlessOver(ctx, func() (*actors.Engine, error) {
		seal, err := p.sealed(ctx)
		if err != nil {
			return nil, err
		}
		return actors.Open(actors.Options{
			Projects: []actors.Project{{ID: p.ID, Name: p.Name, Root: p.Root, StoreDir: p.Store, Seal: seal, View: p.view()}},
			Fresh:    fresh,
			Within:   within,
		})
	})
}

// unlessOver returns what f does, or the error of ctx if that ends before: a read of a file or of a terminal has no deadline, so what
// does not end goes on beside, and ends with the process.
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

// agreed asks on a terminal whether to scrape now.
func (s *scrying) agreed(ctx context.Context, why error) bool {
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

// absent is the error of a project that has no index yet; its argument is the root.
type absent string

func (a absent) Error() string { return "no index for " + quoted(string(a)) }
func (absent) Unwrap() error   { return store.ErrNoIndex }

// explained turns what a store says into what to type.
func explained(err error, p place) error {
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
		return hint(fmt.Errorf("read index: not in time: %w", err), "wait longer: --timeout 10s")
	}
	return unsafeFolder(err)
}

// freshWithin bounds what a question waits for git, which is started only if HEAD has moved since the scrape.
const freshWithin = 300 * time.Millisecond

// fresh tells how many commits an index is behind its working tree.
func fresh(p actors.Project, g store.Generation) (behind int, note string) {
	ctx, cancel := context.WithTimeout(context.Background(), freshWithin)
	defer cancel()
	return behindHead(ctx, p.Root, g)
}

// behindHead counts the commits that HEAD has and an index lacks: -1 where that cannot be told, with a note if it matters.
func behindHead(ctx context.Context, root string, g store.Generation) (behind int, note string) {
	tree, err := history.Find(root)
	if err != nil {
		return -1, ""
	}
	head, _, err := tree.Head()
	switch {
	case err != nil || head == "":
		return -1, ""
	case head == g.Head:
		return 0, ""
	}
	if n, err := tree.Behind(ctx, g.Head, head); err == nil && n > 0 {
		return n, ""
	}
	return -1, "the index is of another commit than HEAD"
}
