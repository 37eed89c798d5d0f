package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
)

// A member is a project of an engine and the actor that answers for it.
type member struct {
	target
	id         string
	repository string // name on all machines; "" if unknown
	// visited is true if only questions that name it ask it. used is the last such time.
	visited bool
	used    time.Time
	host    *host          // nil for a project on another machine
	peer    *peer          // nil for one on this machine; only its target and kinds may be read
	users   sync.WaitGroup // queries that may still ask it; must not grow after it has left
	work    *sync.WaitGroup
	end     context.CancelFunc // ends all its work
}

// Add adds a project. The first question opens its index. Until there is an index, answers say so.
func (e *Engine) Add(p Project) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.addProject(p)
}

// addProject is Add. The caller must hold mu.
func (e *Engine) addProject(p Project) error {
	life, end := context.WithCancel(e.life)
	h := newHost(life, e, p)
	r := newRepo(h, e.options.Slots)
	return e.startMember(&member{
		target: target{
			awaited: awaited{from: p.Name, project: p.Name, channels: h.channels()},
			opening: h.index.waited,
		},
		id: p.ID, repository: p.Repository, host: h, work: h.work, end: end,
		visited: p.Visited, used: time.Now(),
	}, "repo/", r)
}

// mostVisited bounds the open visited projects, and so the connections, models and memory of a
// process. A question visits at most four.
const mostVisited = 8

// Visit adds a project that is asked only by questions that name it. It may be called again. If
// more than mostVisited are open, it closes the one used least recently.
func (e *Engine) Visit(p Project) error {
	p.Visited = true
	e.mu.Lock()
	defer e.mu.Unlock()
	known := slices.IndexFunc(e.members, func(m *member) bool { return m.from == p.Name })
	if known >= 0 && e.members[known].host != nil && e.members[known].host.project.sameVisit(p) {
		e.members[known].used = time.Now()
		return nil
	}
	if known >= 0 { // its index or its kinds have changed
		e.removeMember(e.members[known])
	} else if oldest := e.oldestVisited(); oldest != nil {
		e.removeMember(oldest)
	}
	return e.addProject(p)
}

// oldestVisited returns the visited member to close for one more, or nil if there is room. The
// caller must hold mu.
func (e *Engine) oldestVisited() *member {
	visited := 0
	var oldest *member
	for _, m := range e.members {
		if !m.visited {
			continue
		}
		visited++
		if oldest == nil || m.used.Before(oldest.used) {
			oldest = m
		}
	}
	if visited < mostVisited {
		return nil
	}
	return oldest
}

// AddTarget adds a project on another machine. t must not be nil.
func (e *Engine) AddTarget(t api.Target) error { return e.AddTargetAs(Project{Name: t.Name()}, t) }

// AddTargetAs is AddTarget under the name, the id and the kinds of a project.
func (e *Engine) AddTargetAs(p Project, t api.Target) error {
	p.Visited = false
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.addTarget(p, t)
}

// addTarget adds a target under the name, the id and the kinds of a project. The caller must hold
// mu.
func (e *Engine) addTarget(x Project, t api.Target) error {
	life, end := context.WithCancel(e.life)
	p := newPeer(life, t, e.options.Logger)
	p.name, p.kinds = x.Name, x.Kinds
	return e.startMember(&member{
		target: target{awaited: awaited{from: p.name, project: p.name, channels: p.channels}},
		id:     x.ID, repository: t.Name(), peer: p, work: &p.work, end: end, visited: x.Visited, used: time.Now(),
	}, "peer/", p)
}

// VisitTarget is Visit for a project on another machine. Of p, its name, id and kinds count. t must
// not be nil, and be the same value at each call for one project. The error wraps api.ErrOwn if the
// engine has the project of t itself.
func (e *Engine) VisitTarget(p Project, t api.Target) error {
	p.Visited = true
	e.mu.Lock()
	defer e.mu.Unlock()
	known := slices.IndexFunc(e.members, func(m *member) bool { return m.from == p.Name })
	if known >= 0 {
		m := e.members[known]
		if m.peer != nil && m.peer.target == t && sameKinds(m.peer.kinds, p.Kinds) {
			m.used = time.Now()
			return nil
		}
		e.removeMember(m)
	} else if oldest := e.oldestVisited(); oldest != nil {
		e.removeMember(oldest)
	}
	return e.addTarget(p, t)
}

// startMember starts the actor of a member. The caller must hold mu.
func (e *Engine) startMember(m *member, prefix string, a actor.Actor) (err error) {
	switch {
	case e.life.Err() != nil:
		err = api.ErrClosed
	case slices.ContainsFunc(e.members, func(x *member) bool { return x.from == m.from }):
		err = fmt.Errorf("start project %q: there is one of that name", m.from)
	case slices.ContainsFunc(e.members, m.copies):
		err = fmt.Errorf("start project %q: %w", m.from, api.ErrOwn)
	default:
		e.joined++ // another with this name may still be leaving
		name := fmt.Sprintf("%s%s.%d", prefix, m.from, e.joined)
		m.pid, err = e.system.Spawn(name, a)
	}
	if err != nil {
		m.end()
		return err
	}
	e.members = append(e.members, m)
	return nil
}

// copies reports whether one of two members is a copy, on other machines, of the other at home. Two
// at home may be clones of one repository.
func (m *member) copies(x *member) bool {
	return m.repository != "" && m.repository == x.repository && (m.host == nil) != (x.host == nil)
}

// Remove removes a project. Running queries finish, and then its index is closed. If ctx ends
// before, Remove returns an error and the rest goes on.
func (e *Engine) Remove(ctx context.Context, project string) error {
	e.mu.Lock()
	m, err := e.findMember(project)
	if err != nil {
		e.mu.Unlock()
		return err
	}
	done := e.removeMember(m)
	e.mu.Unlock()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("remove project %q: %w", project, ctx.Err())
	}
}

// removeMember removes a member. The channel receives the result when it has ended. The caller must
// hold mu.
func (e *Engine) removeMember(m *member) <-chan error {
	e.members = slices.DeleteFunc(e.members, func(x *member) bool { return x == m })
	done := make(chan error, 1)
	e.leaving.Go(func() { done <- retire(context.Background(), m) })
	return done
}

// retire ends a member that new queries cannot use any more. If ctx ends before, it stops waiting,
// and a call that ignores its context keeps the index open until it returns.
func retire(ctx context.Context, m *member) error {
	err := waitFor(ctx, m.users.Wait)
	m.end()
	closed := make(chan error, 1)
	err = errors.Join(err, waitFor(ctx, func() {
		m.pid.Drain()
		m.work.Wait()
		if m.host != nil {
			closed <- m.host.closeHost()
		}
	}))
	select {
	case late := <-closed:
		return errors.Join(err, late)
	default:
		return err
	}
}

// findMember returns the member with a name or an id, or api.ErrNoProject. The caller must hold mu.
func (e *Engine) findMember(project string) (*member, error) {
	i := slices.IndexFunc(e.members, func(m *member) bool { return m.from == project || m.id != "" && m.id == project })
	if i >= 0 {
		return e.members[i], nil
	}
	if len(e.members) == 0 {
		return nil, fmt.Errorf("%w %q; there is none", api.ErrNoProject, project)
	}
	var names []string
	for _, m := range e.members {
		names = append(names, m.from)
	}
	return nil, fmt.Errorf("%w %q; there are %s", api.ErrNoProject, project, strings.Join(names, ", "))
}

// use returns the named members, or all that are not visited, in the order in which they joined.
// The caller must call releaseMembers.
func (e *Engine) use(projects []string) ([]*member, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.members) == 0 && len(projects) == 0 {
		return nil, errors.New("no project to ask")
	}
	var named []*member
	for _, p := range projects {
		m, err := e.findMember(p)
		if err != nil {
			return nil, err
		}
		named = append(named, m)
	}
	of := slices.Clone(e.members)
	if len(projects) > 0 {
		of = slices.DeleteFunc(of, func(m *member) bool { return !slices.Contains(named, m) })
	} else {
		of = slices.DeleteFunc(of, func(m *member) bool { return m.visited })
	}
	for _, m := range of {
		m.users.Add(1)
		m.used = time.Now()
	}
	return of, nil
}

// useOne returns the member with a name or an id, or the only one if project is empty. The caller
// must call its users.Done.
func (e *Engine) useOne(project string) (*member, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if project == "" {
		home := slices.DeleteFunc(slices.Clone(e.members), func(m *member) bool { return m.visited })
		if len(home) == 1 {
			project = home[0].from
		}
	}
	m, err := e.findMember(project)
	if err != nil {
		return nil, err
	}
	m.users.Add(1)
	m.used = time.Now()
	return m, nil
}

func releaseMembers(of []*member) {
	for _, m := range of {
		m.users.Done()
	}
}

func targetsOf(of []*member) []target {
	var out []target
	for _, m := range of {
		out = append(out, m.target)
	}
	return out
}
