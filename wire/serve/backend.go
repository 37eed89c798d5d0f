package serve

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"patina/actors"
	"patina/actors/api"
	"patina/wire/nodepb"
)

// A Backend answers for the repositories that a server hosts. It is safe for concurrent use.
type Backend interface {
	// Repositories returns the hosted repositories. The caller must not change them, and an entry
	// that changes is another pointer, because watchers are told of new pointers only.
	Repositories() []*nodepb.Hosted
	// Target returns the repository with a name on the wire. It reports false for an unknown name.
	Target(repository string) (api.Target, bool)
	// Beat returns nil if whoever owns the actors of the repositories is at work. It returns an
	// error by the end of ctx at the latest.
	Beat(ctx context.Context) error
}

// An Engine is a Backend of repositories that an engine has on this machine.
type Engine struct {
	engine *actors.Engine

	mu     sync.Mutex
	hosted map[string]hostedProject // by name on the wire
}

type hostedProject struct {
	state   *nodepb.Hosted
	project string // its name or id in the engine
	hidden  bool   // others are told that it is gone
}

// NewEngine returns a Backend without repositories. The caller keeps and closes the engine, after
// the server has ended.
func NewEngine(e *actors.Engine) *Engine {
	return &Engine{engine: e, hosted: map[string]hostedProject{}}
}

// Host lets others ask a project of the engine by the name in h, which must not be changed
// afterwards. It is told again when the head or another part of h has changed. It returns an error
// for an h without a name, and one that wraps api.ErrNoProject if the engine has no such project.
func (e *Engine) Host(h *nodepb.Hosted, project string) error {
	if h.GetRepository() == "" {
		return fmt.Errorf("host project %q: the repository has no name", project)
	}
	if _, err := e.engine.Target(project); err != nil {
		return fmt.Errorf("host %q: %w", h.GetRepository(), err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hosted[h.GetRepository()] = hostedProject{state: h, project: project}
	return nil
}

// Hide tells others that a repository is gone, and answers those who have not heard of it yet. Host
// ends that, and so does Drop.
func (e *Engine) Hide(repository string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if h, ok := e.hosted[repository]; ok {
		h.hidden = true
		e.hosted[repository] = h
	}
}

// Drop takes a repository away from others. The engine keeps the project.
func (e *Engine) Drop(repository string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.hosted, repository)
}

// Repositories implements Backend. They are sorted by name.
func (e *Engine) Repositories() []*nodepb.Hosted {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []*nodepb.Hosted
	for _, name := range slices.Sorted(maps.Keys(e.hosted)) {
		if h := e.hosted[name]; !h.hidden {
			out = append(out, h.state)
		}
	}
	return out
}

// Target implements Backend.
func (e *Engine) Target(repository string) (api.Target, bool) {
	e.mu.Lock()
	h, ok := e.hosted[repository]
	e.mu.Unlock()
	if !ok {
		return nil, false
	}
	t, err := e.engine.Target(h.project)
	return t, err == nil
}

// Beat implements Backend.
func (e *Engine) Beat(ctx context.Context) error { return e.engine.Beat(ctx) }
