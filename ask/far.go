package ask

import (
	"context"
	"sync"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/ask/visit"
)

// A farEngines opens engines on repositories that other machines answer for. It implements Engines.
type farEngines struct {
	mother visit.Mother
	seen   *farIndex
}

// A farIndex is the index of another machine that has answered last.
type farIndex struct {
	mu    sync.Mutex
	state api.IndexState
	ok    bool
}

func (f *farIndex) set(x api.IndexState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state, f.ok = x, true
}

// FarIndex returns the index of another machine that the call has looked up in. ok is false if it
// was in a project of this machine, or if nobody answered.
func (c *Call) FarIndex() (x api.IndexState, ok bool) {
	c.far.mu.Lock()
	defer c.far.mu.Unlock()
	x = c.far.state
	x.Project = c.Place.Project.Name
	return x, c.far.ok
}

// Open implements Engines. An engine of one far repository costs nothing until it asks.
func (f farEngines) Open(_ context.Context, p project.Place, _ time.Duration) (api.Service, func(), error) {
	e, err := visit.OpenFar(p, seenTarget{visit.FarTarget(f.mother, p.Far), f.seen})
	if err != nil {
		return nil, nil, err
	}
	return e, func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = e.Close(ctx)
	}, nil
}

// Mend implements Engines. No index is missing here.
func (farEngines) Mend(context.Context, project.Place, Missing) (bool, error) { return false, nil }

// Turn implements Engines.
func (farEngines) Turn(context.Context, project.Place) func() { return func() {} }

// Follow implements Engines.
func (farEngines) Follow(project.Place, api.Service) Follower { return nil }

// A seenTarget is a target that notes the index of each answer.
type seenTarget struct {
	api.Target
	seen *farIndex
}

// Ask implements api.Target.
func (s seenTarget) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	l, err := s.Target.Ask(ctx, m)
	if err == nil {
		s.seen.set(l.Index)
	}
	return l, err
}

// Read implements api.Target.
func (s seenTarget) Read(ctx context.Context, r api.Lookup) (any, error) {
	a, err := s.Target.Read(ctx, r)
	if x := api.IndexOf(a); err == nil && x != nil {
		s.seen.set(*x)
	}
	return a, err
}
