package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
)

// peerCalls is how many questions a peer asks its target at once.
const peerCalls = 64

// An errand is one Ask given to a peer.
type errand struct {
	*api.Ask
	asker  *actor.PID
	began  time.Time
	ctx    context.Context // ends with the budget, or when the query is over
	cancel context.CancelFunc
}

func (x *errand) isOver() bool { return x.ctx.Err() != nil }

// done is sent to itself when the target has returned.
type done struct {
	droppable
	errand *errand
	err    error
}

// A peer is the actor for a project somewhere else. It calls the target in goroutines, so it stays
// free to answer, and never lets more than peerCalls run at once. It answers for a target that
// fails. For a silent one, the asking query does at its deadline. After several failures in a row
// it rests, and says so to every asker.
type peer struct {
	target   api.Target
	name     string
	channels []string
	log      *slog.Logger
	life     context.Context
	work     sync.WaitGroup
	limiter  limiter[*errand]
	breaker  breaker
	errands  map[string]*errand // by query, until it is over
}

func newPeer(life context.Context, t api.Target, log *slog.Logger) *peer {
	return &peer{
		target: t, name: t.Name(), channels: slices.Clone(t.Channels()), log: log, life: life,
		limiter: limiter[*errand]{free: peerCalls, over: (*errand).isOver},
		breaker: breaker{slots: peerCalls},
		errands: map[string]*errand{},
	}
}

// Receive implements actor.Actor.
func (p *peer) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case *api.Ask:
		p.takeAsk(c, m)
	case *api.Describe:
		p.describe(c, m)
	case *done:
		p.done(c, m)
	default:
		logUnexpected(c, p.log)
	}
}

func (p *peer) takeAsk(c *actor.Context, m *api.Ask) {
	x := &errand{Ask: m, asker: c.Sender(), began: time.Now()}
	if why := p.breaker.reason(x.began); why != "" {
		c.Respond(p.silent(x, api.Unavailable, why))
		return
	}
	x.ctx, x.cancel = context.WithTimeout(p.life, m.Budget)
	turn := p.limiter.takeSlot(x)
	if turn == refuse {
		x.cancel()
		c.Respond(p.silent(x, api.Overloaded, tooMany))
		return
	}
	p.errands[m.Query] = x
	if turn == now {
		p.runErrand(c, x)
	}
}

// runErrand asks the target in a goroutine of its own, which must not touch c.
func (p *peer) runErrand(c *actor.Context, x *errand) {
	self := c.Self()
	p.work.Go(func() {
		var got *api.Lists
		err := recoverPanic(p.log, func() (err error) {
			if got, err = p.target.Ask(x.ctx, x.Ask); err == nil {
				got, err = p.checked(x, got)
			}
			return err
		})
		if err != nil {
			got = p.silent(x, troubleStatus(x.ctx, err), err.Error())
		}
		self.Send(&done{errand: x, err: err}) // first: the next question must find it counted
		x.asker.Send(got)
	})
}

// troubleStatus is the status after a call returned an error. A connection may notice the deadline
// before ctx does.
func troubleStatus(ctx context.Context, err error) api.Status {
	var late interface{ Timeout() bool }
	if errors.As(err, &late) && late.Timeout() {
		return api.Deadline
	}
	return failureStatus(ctx)
}

// checked is the answer under this engine's name for the project.
func (p *peer) checked(x *errand, got *api.Lists) (*api.Lists, error) {
	switch {
	case got == nil:
		return nil, errors.New("no answer")
	case got.Query != x.Query:
		return nil, fmt.Errorf("answer to query %q, asked %q", got.Query, x.Query)
	}
	out := *got
	out.From, out.Index.Project = p.name, p.name
	out.Channels = slices.Clone(got.Channels)
	for i := range out.Channels {
		out.Channels[i].Project = p.name
	}
	return &out, nil
}

// silent answers for a silent target.
func (p *peer) silent(x *errand, s api.Status, detail string) *api.Lists {
	m := &api.Lists{Query: x.Query, From: p.name, Index: api.IndexState{Project: p.name, Behind: -1}}
	for _, name := range channelsAsked(p.channels, x.Oracles) {
		m.Channels = append(m.Channels, api.ChannelState{Project: p.name, Channel: name, Status: s, Elapsed: time.Since(x.began), Detail: detail})
	}
	return m
}

func (p *peer) done(c *actor.Context, m *done) {
	switch {
	case m.err == nil:
		p.breaker.succeeded()
	case troubleStatus(m.errand.ctx, m.err) == api.Failed:
		p.breaker.failed(time.Now(), m.err.Error())
		p.log.Warn("project failed", "actor", c.Self().ID(), "detail", m.err.Error())
	}
	if next, ok := p.limiter.done(); ok {
		p.runErrand(c, next)
	}
}

// describe ends a query: by descriptions, or by telling the target to forget it.
func (p *peer) describe(c *actor.Context, m *api.Describe) {
	x := p.errands[m.Query]
	if x == nil {
		return // the target was not asked
	}
	delete(p.errands, m.Query)
	x.cancel()
	asker, budget := c.Sender(), m.Budget
	if len(m.Wants) == 0 {
		budget = linger
	}
	p.work.Go(func() {
		ctx, cancel := context.WithTimeout(p.life, budget)
		defer cancel()
		out := &api.Descriptions{Query: m.Query, From: p.name}
		err := recoverPanic(p.log, func() error {
			got, err := p.target.Describe(ctx, m)
			if err == nil && got != nil {
				out.Found, out.Problem = got.Found, got.Problem
			}
			return err
		})
		if len(m.Wants) == 0 {
			return
		}
		if err != nil {
			out.Problem = api.ChannelState{Channel: "description", Status: troubleStatus(ctx, err), Elapsed: time.Since(x.began), Detail: err.Error()}
		}
		if out.Problem.Status != "" {
			out.Problem.Project = p.name
		}
		asker.Send(out)
	})
}
