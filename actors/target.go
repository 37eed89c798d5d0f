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

// Target returns a project of this engine, by its name or id, for other engines. It returns
// api.ErrNoProject if there is no such project.
func (e *Engine) Target(project string) (api.Target, error) {
	m, err := e.useOne(project)
	if err != nil {
		return nil, err
	}
	defer m.users.Done()
	return &local{engine: e, name: m.from, channels: slices.Clone(m.channels), held: map[string]*hold{}}, nil
}

// local is a Target for a project of an engine.
type local struct {
	engine   *Engine
	name     string
	channels []string

	mu   sync.Mutex
	held map[string]*hold // by the asker's query
}

// A hold keeps a project in its engine from a query's Ask to its Describe.
type hold struct {
	// query is the engine's key, because two askers may use the same name.
	query string
	of    *member
	late  *time.Timer // ends a forgotten hold
}

// Name implements Target.
func (l *local) Name() string { return l.name }

// Channels implements Target.
func (l *local) Channels() []string { return slices.Clone(l.channels) }

// Ask implements Target.
func (l *local) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	h, err := l.holdProject(m)
	if err != nil {
		return nil, fmt.Errorf("ask %q: %w", l.name, err)
	}
	inner := *m
	inner.Query = h.query
	reply, err := awaitReply[*api.Lists](ctx, l.engine, h.of, &inner, longestAsk(m.Budget))
	if err != nil {
		h.of.pid.Send(&api.Describe{Query: h.query})
		l.letGo(m.Query)
		return nil, fmt.Errorf("ask %q: %w", l.name, err)
	}
	out := *reply
	out.Query = m.Query
	return &out, nil
}

// Describe implements Target.
func (l *local) Describe(ctx context.Context, m *api.Describe) (*api.Descriptions, error) {
	l.mu.Lock()
	h := l.held[m.Query]
	l.mu.Unlock()
	if h == nil {
		return nil, fmt.Errorf("describe documents of %q: no query %q", l.name, m.Query)
	}
	defer l.letGo(m.Query)
	inner := *m
	inner.Query = h.query
	if len(m.Wants) == 0 {
		h.of.pid.Send(&inner)
		return nil, nil
	}
	reply, err := awaitReply[*api.Descriptions](ctx, l.engine, h.of, &inner, m.Budget)
	if err != nil {
		return nil, fmt.Errorf("describe documents of %q: %w", l.name, err)
	}
	out := *reply
	out.Query = m.Query
	return &out, nil
}

// Read implements Target. It refuses requests for which StaysHome returns a reason.
func (l *local) Read(ctx context.Context, r api.Lookup) (any, error) {
	if why := api.StaysHome(r); why != "" {
		return nil, &api.Failure{Project: l.name, Read: r.Verb(), Status: api.Unavailable, Detail: why}
	}
	answer, err := askProject(ctx, l.engine, l.name, r)
	if _, ok := errors.AsType[*api.Failure](err); err == nil || ok {
		return answer, err
	}
	return nil, &api.Failure{
		Project: l.name, Read: r.Verb(), Status: failureStatus(ctx), Detail: err.Error(), Causes: api.CausesOf(err),
	}
}

// check returns an error for an Ask that cannot be answered. The message may come from another
// machine.
func (l *local) check(m *api.Ask) error {
	switch {
	case m.Query == "":
		return errors.New("the query has no name")
	case strings.TrimSpace(m.Text) == "":
		return errors.New("the question is empty")
	case m.Limit < 0 || m.Budget <= 0:
		return fmt.Errorf("limit %d, budget %s", m.Limit, m.Budget)
	}
	for _, name := range m.Oracles {
		if !slices.Contains(l.channels, name) {
			return fmt.Errorf("no oracle %q; there are %s", name, strings.Join(l.channels, ", "))
		}
	}
	return m.Filter.Check()
}

// holdProject holds the project until the query ends, or long after its time is over.
func (l *local) holdProject(m *api.Ask) (*hold, error) {
	if err := l.check(m); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[m.Query] != nil {
		return nil, fmt.Errorf("query %q is under way", m.Query)
	}
	key, _, err := l.engine.queries.beginQuery(m.Query)
	if err != nil {
		return nil, err
	}
	of, err := l.engine.useOne(l.name)
	if err != nil {
		l.engine.queries.endQuery()
		return nil, err
	}
	h := &hold{query: key, of: of}
	h.late = time.AfterFunc(longestQuestion(m.Budget)+linger, func() { l.letGo(m.Query) })
	l.held[m.Query] = h
	return h, nil
}

// letGo releases the project. It may be called again.
func (l *local) letGo(query string) {
	l.mu.Lock()
	h := l.held[query]
	delete(l.held, query)
	l.mu.Unlock()
	if h != nil {
		h.late.Stop()
		h.of.users.Done()
		l.engine.queries.endQuery()
	}
}

// awaitReply sends a message to a member's actor and waits for its reply.
func awaitReply[R any](ctx context.Context, e *Engine, to *member, m any, budget time.Duration) (R, error) {
	if err := ctx.Err(); err != nil {
		var none R
		return none, err
	}
	got := make(chan R, 1)
	to.pid.Request(m, actor.Func(func(m any, _ *actor.PID) {
		if reply, ok := m.(R); ok {
			select {
			case got <- reply:
			default: // already answered
			}
		}
	}))
	return receiveReply(ctx, e, got, budget)
}
