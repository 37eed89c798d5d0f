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
	"patina/store/doc"
)

// peerCalls is the number of concurrent questions to a target.
const peerCalls = 64

// An errand is one Ask or one Read for a peer.
type errand struct {
	ask     *api.Ask // nil for a Read
	read    *Read    // nil for an Ask
	request api.Lookup
	asker   *actor.PID
	began   time.Time
	ctx     context.Context // ends with the budget, or when the query is over
	cancel  context.CancelFunc
	replied bool // to a Read; only the peer may use it
}

func (x *errand) isOver() bool { return x.ctx.Err() != nil }

// done is sent by the peer to itself when the target has returned.
type done struct {
	droppable
	errand *errand
	answer any // to a Read
	err    error
}

// expired is sent by the peer to itself when the context of a Read has ended.
type expired struct {
	droppable
	errand *errand
}

// A peer is the actor of a project on another machine. It calls the target in goroutines, at most
// peerCalls at once, so that it can always answer. It answers for a target that fails. If the
// target is silent, an Ask ends at the query's deadline, and the peer answers a Read. After several
// failures in a row it rests and tells every asker, because an answer without the project must not
// look complete.
type peer struct {
	target   api.Target
	name     string
	kinds    []doc.Kind // as Project.Kinds
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
	case *Read:
		p.takeRead(c, m)
	case *CancelRead:
		p.endRead(m.Query)
	case *expired:
		p.expire(m.errand)
	case *done:
		p.done(c, m)
	default:
		logUnexpected(c, p.log)
	}
}

// resting returns why the target must not be asked now, or "".
func (p *peer) resting(now time.Time) string {
	if r, ok := p.target.(api.Returner); ok {
		p.breaker.forget(r.Returned())
	}
	why := p.breaker.reason(now)
	if why == "" {
		return ""
	}
	return fmt.Sprintf("no answer since %s, %s", p.breaker.since.Format(time.TimeOnly), why)
}

func (p *peer) takeAsk(c *actor.Context, m *api.Ask) {
	x := &errand{ask: m, asker: c.Sender(), began: time.Now()}
	if why := p.resting(x.began); why != "" {
		c.Respond(p.silent(x, api.Unreachable, why))
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

// runErrand asks the target in its own goroutine, which must not use c.
func (p *peer) runErrand(c *actor.Context, x *errand) {
	self := c.Self()
	if x.read != nil {
		p.work.Go(func() { self.Send(p.readTarget(x)) })
		return
	}
	p.work.Go(func() {
		var got *api.Lists
		err := recoverPanic(p.log, func() (err error) {
			if got, err = p.target.Ask(x.ctx, limitKinds(x.ask, p.kinds)); err == nil {
				got, err = p.checked(x, got)
			}
			return err
		})
		if err != nil {
			status, detail := troubleOf(x.ctx, err)
			got = p.silent(x, status, detail)
		}
		self.Send(&done{errand: x, err: err}) // first, so that the next question finds it counted
		x.asker.Send(got)
	})
}

// troubleOf returns the status and detail for an error of a call. A connection may notice the
// deadline before ctx does.
func troubleOf(ctx context.Context, err error) (api.Status, string) {
	if f, ok := errors.AsType[*api.Failure](err); ok && f.Status.OfFailure() {
		return f.Status, f.Detail
	}
	var late interface{ Timeout() bool }
	if errors.As(err, &late) && late.Timeout() {
		return api.Deadline, err.Error()
	}
	return failureStatus(ctx), err.Error()
}

// checked returns the answer with this engine's name for the project, or an error if it is invalid.
func (p *peer) checked(x *errand, got *api.Lists) (*api.Lists, error) {
	switch {
	case got == nil:
		return nil, errors.New("no answer")
	case got.Query != x.ask.Query:
		return nil, fmt.Errorf("answer to query %q, asked %q", got.Query, x.ask.Query)
	}
	out := *got
	out.From, out.Index.Project = p.name, p.name
	out.Channels = slices.Clone(got.Channels)
	for i := range out.Channels {
		out.Channels[i].Project = p.name
	}
	return &out, nil
}

// silent returns the answer for a target that gave none.
func (p *peer) silent(x *errand, s api.Status, detail string) *api.Lists {
	m := &api.Lists{Query: x.ask.Query, From: p.name, Index: api.IndexState{Project: p.name, Behind: -1}}
	for _, name := range channelsAsked(p.channels, x.ask.Oracles) {
		m.Channels = append(m.Channels,
			api.ChannelState{Project: p.name, Channel: name, Status: s, Elapsed: time.Since(x.began), Detail: detail})
	}
	return m
}

func (p *peer) done(c *actor.Context, m *done) {
	p.count(c, m)
	if m.errand.read != nil {
		p.answerRead(m)
	}
	if next, ok := p.limiter.done(); ok {
		p.runErrand(c, next)
	}
}

// count records the result of a call. A refused look-up counts as an answer of the far end.
func (p *peer) count(c *actor.Context, m *done) {
	if m.err == nil {
		p.breaker.succeeded()
		return
	}
	status, detail := troubleOf(m.errand.ctx, m.err)
	_, told := errors.AsType[*api.Failure](m.err)
	switch {
	case told && m.errand.read != nil && status != api.Unreachable:
		p.breaker.succeeded()
	case status == api.Failed:
		p.breaker.failed(time.Now(), detail)
		p.log.Warn("project failed", "actor", c.Self().ID(), "detail", detail)
	}
}

// describe ends a query, with descriptions or by telling the target to forget it.
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
			status, detail := troubleOf(ctx, err)
			out.Problem = api.ChannelState{
				Channel: "description", Status: status, Elapsed: time.Since(x.began), Detail: detail,
			}
		}
		if out.Problem.Status != "" {
			out.Problem.Project = p.name
		}
		asker.Send(out)
	})
}
