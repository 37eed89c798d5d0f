package actors

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"patina/actors/api"
	"patina/store"
	"patina/store/doc"
)

// index is the index of a project on this machine. The first pin that finds one opens it, so that a
// running engine sees the first scrape of a project. Opening goes on after its caller has stopped
// waiting, because a read from a disk that hangs has no deadline.
type index struct {
	log  *slog.Logger
	load func() (*store.Store, error)

	mu      sync.Mutex
	s       *store.Store
	opening *opening // nil if not being opened
	closed  bool
}

// An opening is one attempt to open an index.
type opening struct {
	done chan struct{}
	s    *store.Store
	err  error
}

func newIndex(p Project, o Options) *index {
	return &index{log: o.Logger, load: func() (*store.Store, error) { return o.load(p) }}
}

func loadIndex(p Project) (*store.Store, error) { return store.OpenSealed(p.StoreDir, p.View, p.Seal) }

// openIndex returns the index or an error. It returns api.ErrNotOpen if ctx ends before.
func (x *index) openIndex(ctx context.Context) (*store.Store, error) {
	x.mu.Lock()
	switch {
	case x.closed:
		x.mu.Unlock()
		return nil, api.ErrClosed
	case x.s != nil:
		defer x.mu.Unlock()
		return x.s, nil
	}
	o := x.opening
	if o == nil {
		o = &opening{done: make(chan struct{})}
		x.opening = o
		go x.tryOpening(o)
	}
	x.mu.Unlock()
	select {
	case <-o.done:
		return o.s, o.err
	case <-ctx.Done():
		return nil, errors.Join(api.ErrNotOpen, ctx.Err())
	}
}

// isOpen reports whether the index is open.
func (x *index) isOpen() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.s != nil
}

// waited reports whether the index is being opened.
func (x *index) waited() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.opening != nil
}

// tryOpening tries to open the index. It closes the index again if x was closed meanwhile.
func (x *index) tryOpening(o *opening) {
	err := recoverPanic(x.log, func() (err error) {
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
		o.s, o.err = nil, api.ErrClosed
	}
	x.s = o.s
}

// pin pins n readers for oracles and the desk, all in one generation.
func (x *index) pin(ctx context.Context, n int) (*pinned, error) {
	return x.pinFor(ctx, func(doc.Generation) int { return n })
}

// pinFor is pin for as many oracles as a generation needs. It tries again if a scrape has published
// a generation that needs more.
func (x *index) pinFor(ctx context.Context, needs func(doc.Generation) int) (*pinned, error) {
	s, err := x.openIndex(ctx)
	if err != nil {
		return nil, err
	}
	for {
		n := needs(s.Last())
		p, err := s.Pin(ctx, n+1)
		if err != nil {
			return nil, err
		}
		desk := p.Readers[n]
		if needs(desk.Generation()) <= n {
			return &pinned{Pin: p, oracles: p.Readers[:n], desk: desk}, nil
		}
		p.Close()
	}
}

func (x *index) closeIndex() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.closed = true
	if x.s == nil {
		return nil
	}
	return x.s.Close()
}

// statusOfIndex returns the status of every channel if the index itself cannot be read.
func statusOfIndex(ctx context.Context, err error) (api.Status, string) {
	switch {
	case errors.Is(err, store.ErrNoIndex):
		return api.Unavailable, "no index"
	case errors.Is(err, api.ErrNotOpen):
		return api.Deadline, api.ErrNotOpen.Error()
	case ctx.Err() != nil:
		return api.Deadline, "no free connection to the index in time"
	}
	return api.Failed, err.Error()
}
