package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"patina/oracles"
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

// A host is what the actors of one project share. It is never changed.
type host struct {
	project Project
	index   *index
	oracles []*channel
	texts   *texts // the engine's
	fresh   func(Project, store.Generation) (behind int, note string)
	log     *slog.Logger
	work    *sync.WaitGroup // goroutines that run calls
	life    context.Context // ends with the project
}

func (e *Engine) newHost(life context.Context, p Project) *host {
	o := e.options
	h := &host{project: p, index: newIndex(p, o), texts: e.texts, fresh: o.Fresh, log: o.Logger, work: &sync.WaitGroup{}, life: life}
	for _, x := range o.Oracles {
		h.oracles = append(h.oracles, &channel{oracle: x, project: oracles.Project{Name: p.Name, Root: p.Root, StoreDir: p.StoreDir}})
	}
	return h
}

// channels names what the project can be asked.
func (h *host) channels() []string {
	var names []string
	for _, x := range h.oracles {
		names = append(names, x.oracle.Name())
	}
	return names
}

// close closes what is open. No call may be under way.
func (h *host) close() error {
	var errs []error
	for _, x := range h.oracles {
		if err := guarded(h.log, x.close); err != nil {
			errs = append(errs, fmt.Errorf("close oracle %q of %q: %w", x.oracle.Name(), h.project.Name, err))
		}
	}
	if err := h.index.close(); err != nil {
		errs = append(errs, fmt.Errorf("close index of %q: %w", h.project.Name, err))
	}
	return errors.Join(errs...)
}

// showing is the index as an answer shows it.
func (h *host) showing(g store.Generation) IndexState {
	return IndexState{Project: h.project.Name, Root: h.project.Root, Generation: g, Behind: -1}
}
