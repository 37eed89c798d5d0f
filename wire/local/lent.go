package local

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/actors"
	"patina/actors/api"
	"patina/ask"
	"patina/ask/fresh"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/registry"
	"patina/wire/nodepb"
)

// Engines are the engines of a caller, and those of the server where one lends them. It implements
// ask.Engines. Its engines opens those of the process.
type Engines struct {
	ask.Engines
	Client *Client // must not be nil
	// Resident is true in a process that goes on after a call. It waits until the server watches a
	// tree. Others compare a tree themselves that is not watched yet, because that is quicker.
	Resident bool
	// Lent is called with each engine of the server. It may be nil.
	Lent func(p project.Place, e api.Service)
}

// Open implements ask.Engines.
func (x Engines) Open(ctx context.Context, p project.Place, within time.Duration) (api.Service, func(), error) {
	b, err := x.Client.open(ctx, p, within)
	if err != nil {
		return x.Engines.Open(ctx, p, within)
	}
	e := &lent{b: b, place: p, within: within, own: x.Engines}
	if x.Lent != nil {
		x.Lent(p, e)
	}
	return e, e.giveBack, nil
}

// Follow implements ask.Engines.
func (x Engines) Follow(p project.Place, e api.Service) ask.Follower {
	l, ok := e.(*lent)
	if !ok {
		return x.Engines.Follow(p, e)
	}
	switch {
	case !l.b.opened.GetMayFollow():
		return nil
	case x.Resident, l.b.opened.GetWatched():
		return follower{l}
	}
	l.followLater()
	return nil
}

// A lent is an engine of the server, as its client sees it. When the server does not answer, the
// client asks an engine of its own instead, at once and from then on.
type lent struct {
	b      *borrowed
	place  project.Place
	within time.Duration
	own    ask.Engines

	mu      sync.Mutex
	instead api.Service // nil while the server answers
	done    func()
	visits  []actors.Project
}

var (
	_ api.Service = (*lent)(nil)
	_ visit.Host  = (*lent)(nil)
)

// close ends the use of the engine.
func (l *lent) giveBack() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.giveBack()
	if l.done != nil {
		l.done()
	}
}

// replaced returns the engine of the process, if it is asked instead.
func (l *lent) replaced() api.Service {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.instead
}

// replace opens an engine of the process, which knows the same visits.
func (l *lent) replace(ctx context.Context) (api.Service, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.instead != nil {
		return l.instead, nil
	}
	e, done, err := l.own.Open(ctx, l.place, l.within)
	if err != nil {
		return nil, err
	}
	for _, p := range l.visits {
		if err := visitIn(e, p); err != nil {
			done()
			return nil, err
		}
	}
	l.instead, l.done = e, done
	return e, nil
}

func visitIn(e api.Service, p actors.Project) error {
	h, ok := e.(visit.Host)
	if !ok {
		return fmt.Errorf("visit %q: this engine answers for one project", p.Name)
	}
	return h.Visit(p)
}

// call asks the server, and an engine of the process if it does not answer.
func call[R, A any](ctx context.Context, l *lent, m method[R, A], r R) (*A, error) {
	return callEither(ctx, l,
		func() (*A, error) { return callServer(ctx, l, m, r) },
		func(e api.Service) (*A, error) { return m.call(e, ctx, r) })
}

// callEither calls server, and own with an engine of the process if the error of server wraps
// errBeyond.
func callEither[A any](ctx context.Context, l *lent, server func() (*A, error), own func(api.Service) (*A, error)) (*A, error) {
	e := l.replaced()
	if e == nil {
		a, err := server()
		if !errors.Is(err, errBeyond) {
			return a, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if e, err = l.replace(ctx); err != nil {
			return nil, err
		}
	}
	return own(e)
}

// callServer asks the server. An error that wraps errBeyond means that there is no answer that an
// engine of the process would have given.
func callServer[R, A any](ctx context.Context, l *lent, m method[R, A], r R) (*A, error) {
	inner, done := l.b.link.watch(ctx)
	defer done()
	reply, err := l.b.link.calls.Call(inner, &nodepb.CallRequest{Lease: l.b.lease, Verb: m.name, Request: encode(r)})
	if err != nil {
		l.b.judge(inner, err)
		return nil, fmt.Errorf("%w: %w", errBeyond, err)
	}
	if len(reply.GetFailure()) > 0 {
		f := new(api.Failure)
		if err := decode(reply.GetFailure(), f); err != nil {
			return nil, fmt.Errorf("%w: %w", errBeyond, err)
		}
		if errors.Is(f, api.ErrClosed) {
			return nil, fmt.Errorf("%w: %w", errBeyond, f)
		}
		return nil, f
	}
	a := new(A)
	if err := decode(reply.GetAnswer(), a); err != nil {
		return nil, fmt.Errorf("%w: %w", errBeyond, err)
	}
	return a, nil
}

// judge remembers that the server has failed, if that is what an error means.
func (b *borrowed) judge(ctx context.Context, err error) {
	if errors.Is(context.Cause(ctx), errDead) || status.Code(err) == codes.Unavailable {
		b.client.fail(b.link)
	}
}

// Visit implements visit.Host.
func (l *lent) Visit(p actors.Project) error {
	l.mu.Lock()
	l.visits = append(slices.DeleteFunc(l.visits, func(x actors.Project) bool { return x.Name == p.Name }), p)
	instead := l.instead
	l.mu.Unlock()
	if instead != nil {
		return visitIn(instead, p)
	}
	ctx, done := l.b.link.watch(context.Background())
	defer done()
	m := &nodepb.VisitRequest{
		Lease: l.b.lease, Name: []byte(p.Name), AllKinds: p.Kinds == nil,
		Project: identify(registry.Project{
			ID: p.ID, Root: p.Root, Store: p.StoreDir, Secret: p.Seal.Secret, Anyone: p.Seal.Anyone,
		}),
	}
	for _, k := range p.Kinds {
		m.Kinds = append(m.Kinds, string(k))
	}
	if _, err := l.b.link.calls.Visit(ctx, m); err != nil {
		l.b.judge(ctx, err)
		_, err = l.replace(context.Background())
		return err
	}
	return nil
}

// VisitTarget implements visit.Host. Connections to other machines are of this process, so an
// engine of it is asked from then on.
func (l *lent) VisitTarget(p actors.Project, t api.Target) error {
	e, err := l.replace(context.Background())
	if err != nil {
		return err
	}
	h, ok := e.(visit.Host)
	if !ok {
		return fmt.Errorf("visit %q: this engine answers for one project", p.Name)
	}
	return h.VisitTarget(p, t)
}

// followLater lets the server watch the tree after this use. It must not begin before, because both
// would then read the same changes.
func (l *lent) followLater() {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), aliveTime)
		defer cancel()
		// Without an answer the tree is watched after another use.
		_, _ = l.b.link.calls.Settle(ctx, &nodepb.SettleRequest{Lease: l.b.lease, Later: true})
	}()
}

// A follower is the follower of a tree at the server.
type follower struct{ l *lent }

// Read implements ask.Follower.
func (f follower) Read() int { return int(f.l.b.opened.GetRead()) }

// Ready implements ask.Follower.
func (f follower) Ready() bool { return f.l.b.opened.GetReady() }

// Settle implements ask.Follower.
func (f follower) Settle(ctx context.Context, read int, within time.Duration) fresh.State {
	if f.l.replaced() != nil {
		return fresh.State{Lost: true}
	}
	inner, done := f.l.b.link.watch(ctx)
	defer done()
	m, err := f.l.b.link.calls.Settle(inner, &nodepb.SettleRequest{
		Lease: f.l.b.lease, Read: int64(read), WithinUs: within.Microseconds(),
	})
	if err != nil {
		f.l.b.judge(inner, err)
		return fresh.State{Lost: true}
	}
	s := fresh.State{Lost: m.GetLost(), Read: int(m.GetRead()), Count: int(m.GetCount()), All: m.GetAll()}
	for _, name := range m.GetPending() {
		s.Pending = append(s.Pending, string(name))
	}
	if m.GetWhy() != "" {
		s.Why = fresh.Reason(m.GetWhy())
	}
	return s
}
