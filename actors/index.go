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

// index is the index of a project on this machine. The first pin that finds one opens it, so a
// running engine sees the first scrape of a project. The opening goes on after its asker has
// stopped waiting: a disk may hang, and a read has no deadline.
type index struct {
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

func newIndex(p Project, o Options) *index {
	return &index{log: o.Logger, load: func() (*store.Store, error) { return o.load(p) }}
}

func loadIndex(p Project) (*store.Store, error) { return store.OpenSealed(p.StoreDir, p.View, p.Seal) }

// openIndex returns the index, or an error if there is none: ErrNotOpen if ctx ends before.
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

// waited reports whether the index is still being opened.
func (x *index) waited() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.opening != nil
}

// tryOpening tries to open the index. If nobody wants it any more, run closes it.
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

// pin begins n+1 readers in one generation: n for oracles, and the desk.
func (x *index) pin(ctx context.Context, n int) (*pinned, error) {
	return x.pinFor(ctx, func(doc.Generation) int { return n })
}

// pinFor is pin for as many oracles as a generation needs. It begins again if a scrape has added
// some.
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

// statusOfIndex is the status of every channel when the index itself cannot be read.
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
