package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// A member is a project in an engine, and the actor that answers for it.
type member struct {
	target
	id    string
	host  *host          // nil for a project somewhere else
	users sync.WaitGroup // queries that may still ask it; none begins once it has left
	work  *sync.WaitGroup
	end   context.CancelFunc // for all work in its name
}

// Add makes the engine answer for one more project. The first question opens its index. Until there
// is one, answers say so.
func (e *Engine) Add(p Project) error {
	life, end := context.WithCancel(e.life)
	h := e.newHost(life, p)
	r := newRepo(h, e.options.Slots)
	return e.join(&member{
		target: target{awaited: awaited{from: p.Name, project: p.Name, channels: h.channels()}},
		id:     p.ID, host: h, work: h.work, end: end,
	}, "repo/", r)
}

// AddTarget makes the engine ask a project somewhere else.
func (e *Engine) AddTarget(t Target) error {
	life, end := context.WithCancel(e.life)
	p := newPeer(life, t, e.options.Logger)
	return e.join(&member{
		target: target{awaited: awaited{from: p.name, project: p.name, channels: p.channels}},
		work:   &p.work, end: end,
	}, "peer/", p)
}

// join starts the actor of a member.
func (e *Engine) join(m *member, prefix string, a actor.Actor) (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.life.Err() != nil:
		err = ErrClosed
	case slices.ContainsFunc(e.members, func(x *member) bool { return x.from == m.from }):
		err = fmt.Errorf("start project %q: there is one of that name", m.from)
	default:
		e.joined++ // one with this name may still be leaving
		name := fmt.Sprintf("%s%s.%d", prefix, m.from, e.joined)
		m.pid, err = e.system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return a }), name)
	}
	if err != nil {
		m.end()
		return err
	}
	e.members = append(e.members, m)
	return nil
}

// Remove takes a project out of the engine: no new query asks it. Running ones finish, and then its
// index is closed. If ctx ends before, Remove returns and the rest goes on.
func (e *Engine) Remove(ctx context.Context, project string) error {
	e.mu.Lock()
	m, err := e.find(project)
	if err != nil {
		e.mu.Unlock()
		return err
	}
	e.members = slices.DeleteFunc(e.members, func(x *member) bool { return x == m })
	done := make(chan error, 1)
	e.leaving.Go(func() { done <- e.retire(context.Background(), m) })
	e.mu.Unlock()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("remove project %q: %w", project, ctx.Err())
	}
}

// retire ends a member no longer in use by new queries. When ctx ends it waits no longer.
func (e *Engine) retire(ctx context.Context, m *member) error {
	err := wait(ctx, m.users.Wait)
	m.end()
	err = errors.Join(err, wait(ctx, func() { _ = e.system.Root.PoisonFuture(m.pid).Wait() }), wait(ctx, m.work.Wait))
	if m.host != nil {
		err = errors.Join(err, m.host.close())
	}
	return err
}

// find returns the member with a name or an id, or an error. The caller holds mu.
func (e *Engine) find(project string) (*member, error) {
	i := slices.IndexFunc(e.members, func(m *member) bool { return m.from == project || m.id != "" && m.id == project })
	if i >= 0 {
		return e.members[i], nil
	}
	if len(e.members) == 0 {
		return nil, fmt.Errorf("no project %q; there is none", project)
	}
	var names []string
	for _, m := range e.members {
		names = append(names, m.from)
	}
	return nil, fmt.Errorf("no project %q; there are %s", project, strings.Join(names, ", "))
}

// use returns the members named, or all, in the order in which they joined. release must follow.
func (e *Engine) use(projects []string) ([]*member, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.members) == 0 && len(projects) == 0 {
		return nil, errors.New("no project to ask")
	}
	var named []*member
	for _, p := range projects {
		m, err := e.find(p)
		if err != nil {
			return nil, err
		}
		named = append(named, m)
	}
	of := slices.Clone(e.members)
	if len(projects) > 0 {
		of = slices.DeleteFunc(of, func(m *member) bool { return !slices.Contains(named, m) })
	}
	for _, m := range of {
		m.users.Add(1)
	}
	return of, nil
}

// useOne returns the member with a name or an id, or the only one if project is empty. release must
// follow.
func (e *Engine) useOne(project string) (*member, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if project == "" && len(e.members) == 1 {
		project = e.members[0].from
	}
	m, err := e.find(project)
	if err != nil {
		return nil, err
	}
	m.users.Add(1)
	return m, nil
}

func release(of []*member) {
	for _, m := range of {
		m.users.Done()
	}
}

func targets(of []*member) []target {
	var out []target
	for _, m := range of {
		out = append(out, m.target)
	}
	return out
}
