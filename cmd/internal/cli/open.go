package cli

import (
	"context"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"patina/actors"
	"patina/ask"
	"patina/ask/project"
	"patina/registry"
	"patina/store"
)

// Closing closes an engine after its answer. It waits at most a second. A hanging call ends with
// the process.
func Closing(e *actors.Engine) {
	end, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = e.Close(end)
}

// EnoughHeap is the heap size below which a command collects no garbage. One question allocates
// some 20 MB, and then the command ends.
const EnoughHeap = 256 << 20

// CollectLate puts off garbage collection until the heap reaches EnoughHeap. Then the old settings
// are restored, because live data above a memory limit would keep the collector busy. GOGC and
// GOMEMLIMIT in the environment take precedence.
func CollectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1)
	if percent < 0 {
		return // already put off
	}
	limit := debug.SetMemoryLimit(EnoughHeap)
	collected := new([64]*byte) // unreachable after return: the first collection finds it
	runtime.AddCleanup(collected, func(percent int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, percent)
}

func Open(ctx context.Context, p project.Place, within time.Duration) (*actors.Engine, error) {
	CollectLate()
	return UnlessOver(ctx, func() (*actors.Engine, error) { return project.Open(ctx, p, within) })
}

// UnlessOver returns the result of f, or the error from ctx if ctx ends first. An unfinished f is
// left running, because a read from a file or a terminal has no deadline.
func UnlessOver[T any](ctx context.Context, f func() (T, error)) (T, error) {
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

// Absent is the error for a project without an index. Its value is the root.
type Absent string

func (a Absent) Error() string { return "no index for " + Quoted(string(a)) }

func (Absent) Unwrap() error { return store.ErrNoIndex }

// Explained adds hints to a store's error. It returns nil for nil, and an error with hints
// unchanged.
func Explained(err error, p project.Place) error {
	if _, ok := errors.AsType[project.HintedError](err); ok || err == nil {
		return err
	}
	if e, ok := errors.AsType[*ask.MendError](err); ok {
		return Unfilled(e.Cause)
	}
	switch {
	case errors.Is(err, store.ErrNoIndex):
		return Hint(Absent(p.Root), `run "patina scrape" first`)
	case errors.Is(err, store.ErrNewer):
		return Hint(err, "install the newer patina, or build the index anew: patina clean && patina scrape")
	case errors.Is(err, store.ErrOlder), errors.Is(err, store.ErrDamaged):
		return Hint(err, "build the index anew: patina scrape --full")
	case errors.Is(err, store.ErrForeign) && p.Doubt == registry.DoubtOlder:
		return Hint(err, "build it anew: patina scrape")
	case errors.Is(err, store.ErrForeign):
		return Hint(err, "build one of your own: patina scrape",
			"or believe it, if you know where it comes from: patina trust")
	case errors.Is(err, context.DeadlineExceeded):
		return Hint(err, "wait longer: --timeout 60s")
	}
	return UnsafeFolder(err)
}
