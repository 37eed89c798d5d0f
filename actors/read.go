package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
)

// A Read is one look-up in one project. It is plain data with a budget relative to its arrival. It
// is answered by one ReadReply, which must not be changed once sent.
type Read struct {
	droppable
	Query   string // must be unique in the engine
	Budget  time.Duration
	Request any // one of Service's requests, by value
}

// A ReadReply answers a Read.
type ReadReply struct {
	droppable
	Query   string
	Answer  any // a pointer to the answer; nil if there is a Failure
	Failure *api.Failure
}

// A CancelRead tells that nobody waits for a Read any more. The Read is still answered.
type CancelRead struct {
	droppable
	Query string
}

// lookUp asks a project and waits for its answer until ctx ends.
func lookUp[A any](ctx context.Context, e *Engine, r api.Lookup) (*A, error) {
	o := r.Options()
	answer, err := askProject(ctx, e, o.Project, r)
	if err != nil {
		return nil, err
	}
	a, ok := answer.(*A)
	if !ok {
		f := &api.Failure{
			Read: r.Verb(), Project: o.Project, Status: api.Failed,
			Detail: fmt.Sprintf("answered by a %T", answer),
		}
		if index := api.IndexOf(answer); index != nil {
			f.Project = index.Project
		}
		return nil, f
	}
	return a, nil
}

// askProject asks a project, by its name or id. It ignores the project in the request.
func askProject(ctx context.Context, e *Engine, project string, r api.Lookup) (any, error) {
	o := r.Options()
	if o.Timeout < 0 {
		return nil, fmt.Errorf("%s: timeout %s: it may not be negative", r.Verb(), o.Timeout)
	}
	key, _, err := e.queries.beginQuery("read")
	if err != nil {
		return nil, err
	}
	defer e.queries.endQuery()
	of, err := e.useOne(project)
	if err != nil {
		return nil, err
	}
	defer of.users.Done()
	if why := api.StaysHome(r); why != "" && of.host == nil {
		return nil, &api.Failure{Read: r.Verb(), Project: of.from, Status: api.Unavailable, Detail: why}
	}
	m := &Read{Query: key, Budget: cmp.Or(o.Timeout, api.DefaultTimeout), Request: r}
	reply, err := awaitReply[*ReadReply](ctx, e, of, m, m.Budget)
	switch {
	case err == nil && reply.Failure == nil:
		return reply.Answer, nil
	case err == nil:
		return nil, reply.Failure
	case ctx.Err() != nil:
		of.pid.Send(&CancelRead{Query: key})
		return nil, fmt.Errorf("%s: %w", r.Verb(), ctx.Err())
	}
	return nil, &api.Failure{
		Read: r.Verb(), Project: of.from, Status: api.Failed, Detail: err.Error(),
		Causes: api.CausesOf(err),
	}
}

// finished is sent by a reading to itself when the look-up has returned.
type finished struct {
	droppable
	reply *ReadReply
}

// A reading is the actor of one Read. It waits for a slot, pins one generation, looks up, answers
// once and stops. It always answers within its budget. The slot is free when the look-up has
// returned.
type reading struct {
	*host
	ask      *Read
	request  api.Lookup
	oracles  []*channel
	asker    *actor.PID
	lease    *lease
	watch    actor.Stopwatch
	alarm    *actor.Alarm
	begun    bool // whether it has its slot
	answered bool
	life     context.Context // ends with the reading
	cancel   context.CancelFunc
}

func readName(query string) string { return "read/" + query }

// beginReading starts a reading, or answers at once why not.
func (r *repo) beginReading(c *actor.Context, m *Read) {
	self := c.Self()
	x := &reading{host: r.host, ask: m, oracles: r.oracles, asker: c.Sender(), watch: r.host.stopwatch(m.Budget)}
	var ok bool
	if x.request, ok = m.Request.(api.Lookup); !ok {
		c.Respond(x.failed(api.Failed, fmt.Sprintf("no request: %T", m.Request), nil))
		return
	}
	x.lease = &lease{free: func() { self.Send(&released{}) }}
	x.life, x.cancel = context.WithCancel(r.life)
	t := &ticket{lease: x.lease}
	turn := r.limiter.takeSlot(t)
	if turn == refuse {
		x.cancel()
		c.Respond(x.failed(api.Overloaded, tooMany, nil))
		return
	}
	pid, err := c.Spawn(readName(m.Query), x)
	if err != nil {
		panic(fmt.Errorf("start read %q: %w", m.Query, err))
	}
	t.query = pid
	if turn == now {
		r.admit(c, t)
	}
}

// Receive implements actor.Actor.
func (x *reading) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		self := c.Self()
		x.alarm = x.watch.After(x.ask.Budget, func() { self.Send(&deadline{}) })
	case *admitted:
		x.beginLookup(c)
	case *finished:
		x.answer(c, m.reply)
	case *deadline:
		x.answer(c, x.late())
	case *CancelRead:
		x.answer(c, x.failed(api.Failed, context.Canceled.Error(), context.Canceled))
	case *actor.Stopping:
		if !x.answered {
			x.asker.Send(x.failed(api.Failed, api.ErrClosed.Error(), api.ErrClosed))
		}
		x.alarm.Stop()
		x.cancel()
		x.lease.endQuery()
	default:
		logUnexpected(c, x.log)
	}
}

// answer gives up the place in the queue before it replies, so that the asker's next question does
// not find it there.
func (x *reading) answer(c *actor.Context, m *ReadReply) {
	x.answered = true
	x.lease.endQuery()
	x.asker.Send(m)
	c.Stop()
}

// beginLookup looks up in its own goroutine, which must not use c.
func (x *reading) beginLookup(c *actor.Context) {
	self := c.Self()
	if !x.lease.acquire() {
		return
	}
	x.begun = true
	x.work.Go(func() {
		ctx, cancel := x.watch.Within(x.life, x.ask.Budget)
		defer cancel()
		m := x.reply(ctx)
		x.lease.releaseUse()
		self.Send(&finished{reply: m})
	})
}

// reply returns the answer to the Read, or its failure.
func (x *reading) reply(ctx context.Context) *ReadReply {
	m := &ReadReply{Query: x.ask.Query}
	err := recoverPanic(x.log, func() error {
		p, err := x.index.pin(ctx, 0)
		if err != nil {
			return fmt.Errorf("read index: %w", err)
		}
		x.lease.holdPin(p)
		m.Answer, err = x.host.newDesk(p.desk, x.oracles).Answer(ctx, x.request)
		return err
	})
	switch {
	case err == nil:
		return m
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return x.late()
	}
	return x.failed(api.Failed, err.Error(), err)
}

// late returns the failure for a passed deadline, with the reason for the delay.
func (x *reading) late() *ReadReply {
	text, err := deadlineText(x.ask.Budget, x.watch.Stalled()), error(context.DeadlineExceeded)
	switch {
	case x.index.waited():
		text, err = text+": "+api.ErrNotOpen.Error(), errors.Join(err, api.ErrNotOpen)
	case !x.begun:
		text += ": other queries held every slot"
	}
	return x.failed(api.Deadline, text, err)
}

func (x *reading) failed(s api.Status, detail string, err error) *ReadReply {
	f := &api.Failure{Project: x.project.Name, Status: s, Detail: detail}
	if x.request != nil {
		f.Read = x.request.Verb()
	}
	f.Causes = api.CausesOf(err)
	return &ReadReply{Query: x.ask.Query, Failure: f}
}
