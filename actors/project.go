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

// stored is the index of a project on this machine. It is opened by the first pin that finds one, so that an engine which
// runs on sees the first scrape of a project.
type stored struct {
	dir, view string
	seal      store.Seal
	mu        sync.Mutex
	s         *store.Store
}

func (x *stored) open() (*store.Store, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.s != nil {
		return x.s, nil
	}
	s, err := store.OpenSealed(x.dir, x.view, x.seal)
	if err != nil {
		return nil, err
	}
	x.s = s
	return s, nil
}

// pin begins n+1 readers of one generation: n for oracles, and the desk.
func (x *stored) pin(ctx context.Context, n int) (*pinned, error) {
	s, err := x.open()
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
	case ctx.Err() != nil:
		return Deadline, "no free connection to the index in time"
	}
	return Failed, err.Error()
}
