package actors

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"patina/store"
)

// A Project is a repository that an engine answers for.
type Project struct {
	ID       string // random, lasting
	Name     string // shown; the one name by which an Answer speaks of it; unique in an engine
	Root     string // of the working tree that the index describes
	StoreDir string
	Seal     store.Seal
	View     string // the working tree, where several share the store; store.MainView for the main one
}

// errSlow says that an index was not open in time.
var errSlow = errors.New("the index was not open in time")

// stored is the index of a project on this machine. It is opened by the first pin that finds one, so that an engine which
// runs on sees the first scrape of a project. The opening goes on when who asked for it waits no longer: a disk may hang, and a
// read has no deadline.
type stored struct {
	log  *slog.Logger
	load func() (*store.Store, error)

	mu      sync.Mutex
	s       *store.Store
	opening *opening // nil: none is under way
	closed  bool
}

// An opening is one try to open an index.
type opening struct {
	done chan struct{}
	s    *store.Store
	err  error
}

// open returns the index, or says why there is none; errSlow if ctx ends before.
func (x *stored) open(ctx context.Context) (*store.Store, error) {
	x.mu.Lock()
	if x.s != nil {
		defer x.mu.Unlock()
		return x.s, nil
	}
	o := x.opening
	if o == nil {
		o = &opening{done: make(chan struct{})}
		x.opening = o
		go x.run(o)
	}
	x.mu.Unlock()
	select {
	case <-o.done:
		return o.s, o.err
	case <-ctx.Done():
		return nil, errors.Join(errSlow, ctx.Err())
	}
}

// waited reports whether the index is still being opened.
func (x *stored) waited() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.opening != nil
}

// run tries to open the index. One that nobody wants any more is closed.
func (x *stored) run(o *opening) {
	err := guarded(x.log, func() (err error) {
		o.s, err = x.load()
		return err
	})
	o.err = err
	x.mu.Lock()
	defer x.mu.Unlock()
	defer close(o.done)
	x.opening = nil
	if x.closed && o.s != nil {
		_ = o.s.Close()
		o.s, o.err = nil, ErrClosed
	}
	x.s = o.s
}

// pin begins n+1 readers of one generation: n for oracles, and the desk.
func (x *stored) pin(ctx context.Context, n int) (*pinned, error) {
	s, err := x.open(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Pin(ctx, n+1)
	if err != nil {
		return nil, err
	}
	return &pinned{Pin: p, oracles: p.Readers[:n], desk: p.Readers[n]}, nil
}

func (x *stored) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.closed = true
	if x.s == nil {
		return nil
	}
	return x.s.Close()
}

// A host is what the actors of one project share. It is never changed.
type host struct {
	project Project
	index   *stored
	fresh   func(Project, store.Generation) (behind int, note string)
	log     *slog.Logger
	work    *sync.WaitGroup // the engine's: all goroutines
	life    context.Context // ends with the engine
}

// showing is the index as an answer shows it.
func (h *host) showing(g store.Generation) IndexState {
	return IndexState{Project: h.project.Name, Root: h.project.Root, Generation: g, Behind: -1}
}

// blame is the status of every channel when the index itself cannot be read.
func blame(ctx context.Context, err error) (Status, string) {
	switch {
	case errors.Is(err, store.ErrNoIndex):
		return Unavailable, "no index"
	case errors.Is(err, errSlow):
		return Deadline, errSlow.Error()
	case ctx.Err() != nil:
		return Deadline, "no free connection to the index in time"
	}
	return Failed, err.Error()
}
