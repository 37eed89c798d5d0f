package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/oracles"
	"patina/store"
)

// A call asks one oracle. It never leaves the process, because it carries the query's own reader,
// which must only be used while the lease is acquired. It is answered by api.Lists, unless ctx ends
// before its turn comes.
type call struct {
	droppable
	ctx      context.Context
	lease    *lease
	reader   *store.Reader
	query    string
	question oracles.Question
	index    api.IndexState
	asker    *actor.PID
	began    time.Time
}

func (m *call) isOver() bool { return m.ctx.Err() != nil }

// answer returns the lists for the asker.
func (m *call) answer(channel string, found []oracles.List, s api.Status, detail string) *api.Lists {
	state := api.ChannelState{
		Project: m.index.Project, Channel: channel, Status: s, Elapsed: time.Since(m.began),
		Detail: detail,
	}
	for _, l := range found {
		state.Hits += len(l.Hits)
		if detail == "" {
			state.Detail = l.Detail
		}
	}
	return &api.Lists{Query: m.query, From: channel, Index: m.index, Lists: found, Channels: []api.ChannelState{state}}
}

// A channel is an oracle in one project. The first call opens it, or the next one if that fails.
// Opening may hang, so it must happen in the goroutine of a call.
type channel struct {
	oracle  oracles.Oracle
	project oracles.Project

	mu   sync.Mutex
	open oracles.Channel // nil if not open yet
}

func (x *channel) openOnce() (oracles.Channel, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.open != nil {
		return x.open, nil
	}
	open, err := x.oracle.Open(x.project)
	if err != nil {
		return nil, err
	}
	x.open = open
	return open, nil
}

// closeChannel closes the channel. No call may be running.
func (x *channel) closeChannel() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.open == nil {
		return nil
	}
	return x.open.Close()
}

// A run is one running call. Only the oracle's actor may use lost and back.
type run struct {
	stop       func() bool                // keeps overdue from starting
	overdue    atomic.Pointer[time.Timer] // nil until the context has ended
	lost, back bool
}

// returned is sent by the oracle's actor to itself when a call has returned.
type returned struct {
	droppable
	run    *run
	status api.Status
	detail string
}

// lost is sent by the oracle's actor to itself when a call is overdue.
type lost struct {
	droppable
	run *run
}

// An oracleActor controls one channel in one project. It runs a few calls at once, each in its own
// goroutine and context, and queues the others. A panic in the oracle fails one call. After several
// failures in a row it rests and tells every asker.
type oracleActor struct {
	channel *channel
	log     *slog.Logger
	work    *sync.WaitGroup // the project's, for all goroutines
	limiter limiter[*call]
	breaker breaker
}

func newOracleActor(x *channel, n int, log *slog.Logger, work *sync.WaitGroup) *oracleActor {
	return &oracleActor{
		channel: x, log: log, work: work,
		limiter: limiter[*call]{free: n, over: (*call).isOver},
		breaker: breaker{slots: n},
	}
}

// Receive implements actor.Actor.
func (o *oracleActor) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case *call:
		o.takeCall(c, m)
	case *returned:
		o.returned(c, m)
	case *lost:
		if !m.run.back {
			m.run.lost = true
			o.breaker.lost++
		}
	default:
		logUnexpected(c, o.log)
	}
}

func (o *oracleActor) takeCall(c *actor.Context, m *call) {
	if why := o.breaker.reason(time.Now()); why != "" {
		m.asker.Send(m.answer(o.channel.oracle.Name(), nil, api.Unavailable, why))
		return
	}
	switch o.limiter.takeSlot(m) {
	case now:
		o.runCall(c, m)
	case refuse:
		m.asker.Send(m.answer(o.channel.oracle.Name(), nil, api.Overloaded, tooMany))
	}
}

// runCall makes a call in its own goroutine, which must not use c.
func (o *oracleActor) runCall(c *actor.Context, m *call) {
	self, name := c.Self(), o.channel.oracle.Name()
	r := &run{}
	if !m.lease.acquire() { // the query is over
		self.Send(&returned{run: r, status: api.Deadline})
		return
	}
	r.stop = context.AfterFunc(m.ctx, func() {
		r.overdue.Store(time.AfterFunc(overdue, func() { self.Send(&lost{run: r}) }))
	})
	o.work.Go(func() {
		found, err := queryChannel(o.channel, m, o.log)
		m.lease.releaseUse()
		status, detail := outcomeStatus(m, found, err)
		// The controller must be first, so that the next question finds this call counted.
		self.Send(&returned{run: r, status: status, detail: detail})
		m.asker.Send(m.answer(name, found, status, detail))
	})
}

func (o *oracleActor) returned(c *actor.Context, m *returned) {
	m.run.back = true
	if m.run.stop != nil {
		m.run.stop()
	}
	if t := m.run.overdue.Load(); t != nil {
		t.Stop()
	}
	if m.run.lost {
		o.breaker.lost--
	}
	switch m.status {
	case api.Failed:
		o.breaker.failed(time.Now(), m.detail)
		o.log.Warn("oracle failed", "actor", c.Self().ID(), "detail", m.detail)
	case api.OK, api.Empty:
		o.breaker.succeeded()
	}
	if next, ok := o.limiter.done(); ok {
		o.runCall(c, next)
	}
}

// A panicError is a recovered panic.
type panicError struct{ value any }

func (e panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// recoverPanic runs f and returns its panic as an error.
func recoverPanic(log *slog.Logger, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "value", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = panicError{p}
		}
	}()
	return f()
}

func queryChannel(x *channel, m *call, log *slog.Logger) (found []oracles.List, err error) {
	err = recoverPanic(log, func() error {
		open, err := x.openOnce()
		if err != nil {
			return err
		}
		found, err = open.Query(m.ctx, m.reader, m.question)
		return err
	})
	return found, err
}

// outcomeStatus returns the status and detail of a returned call. An error after its context has
// ended is Deadline.
func outcomeStatus(m *call, found []oracles.List, err error) (api.Status, string) {
	var p panicError
	switch {
	case err == nil && len(found) == 0:
		return api.Empty, ""
	case err == nil:
		return api.OK, ""
	case errors.As(err, &p):
		return api.Failed, err.Error()
	case errors.Is(err, oracles.ErrUnavailable):
		return api.Unavailable, strings.TrimSuffix(err.Error(), ": "+oracles.ErrUnavailable.Error())
	case m.isOver():
		due, _ := m.ctx.Deadline()
		return api.Deadline, deadlineText(due.Sub(m.began), 0)
	}
	return api.Failed, err.Error()
}
