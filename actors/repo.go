package actors

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"patina/oracles"
)

// admitted tells the actor of a query that it holds a slot of its project.
type admitted struct{ expected }

// released is sent to itself when a query has given its slot back.
type released struct{ expected }

// A ticket is a query that holds a slot, or waits for one.
type ticket struct {
	lease *lease
	visit *actor.PID
}

func (t *ticket) over() bool { return t.lease.over() }

// A repo is the actor of one project: the parent of its oracles and of the queries that visit it. It is their controller:
// a few queries hold readers at once, the rest wait, and when too many wait each further one is told so at once. An oracle
// that fails leaves the others alone; an index that cannot be read is said for every channel.
type repo struct {
	*host
	oracles  []oracles.Oracle
	size     int // slots, at least 2
	slots    slots[*ticket]
	channels map[string]*actor.PID
}

func newRepo(h *host, os []oracles.Oracle, n int) *repo {
	return &repo{
		host: h, oracles: os, size: n,
		slots:    slots[*ticket]{free: n, over: (*ticket).over},
		channels: map[string]*actor.PID{},
	}
}

// Receive implements actor.Actor.
func (r *repo) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		r.start(c)
	case *ask:
		r.asked(c, m)
	case *describe: // if the query is gone it has answered, or its asker is no longer waiting
		c.Forward(c.ActorSystem().NewLocalPID(c.Self().GetId() + "/" + visitName(m.Query)))
	case *Read:
		r.read(c, m)
	case *CancelRead: // if the read is gone it has answered
		c.Forward(c.ActorSystem().NewLocalPID(c.Self().GetId() + "/" + readName(m.Query)))
	case *released:
		r.next(c)
	default:
		unexpected(c, r.log)
	}
}

func visitName(query string) string { return "query/" + query }

// start gives each oracle one call less at once than there are slots: one that never returns leaves a slot to the others.
func (r *repo) start(c actor.Context) {
	for _, o := range r.oracles {
		a := newOracleActor(o, r.size-1, r.log, r.work)
		pid, err := c.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return a }), "oracle/"+o.Name())
		if err != nil {
			panic(fmt.Errorf("start oracle %q: %w", o.Name(), err))
		}
		r.channels[o.Name()] = pid
	}
}

// asked begins a visit: it collects the lists and answers the sender.
func (r *repo) asked(c actor.Context, m *ask) {
	self, root := c.Self(), c.ActorSystem().Root
	t := &ticket{lease: &lease{free: func() { root.Send(self, &released{}) }}}
	v := newVisit(r, m, c.Sender(), t.lease)
	turn := r.slots.take(t)
	if turn == refuse {
		v.state.silence(Overloaded, fmt.Sprintf("%d questions wait already", waiting), 0)
		c.Respond(v.found())
		v.cancel()
		return
	}
	t.visit = r.spawn(c, v)
	if turn == now {
		r.admit(c, t)
	}
}

func (r *repo) spawn(c actor.Context, v *visit) *actor.PID {
	pid, err := c.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return v }), visitName(v.ask.Query))
	if err != nil {
		panic(fmt.Errorf("start query %q: %w", v.ask.Query, err))
	}
	return pid
}

// admit passes a slot on. A visit that has ended meanwhile does not want it.
func (r *repo) admit(c actor.Context, t *ticket) {
	if !t.lease.admit() {
		r.next(c)
		return
	}
	c.Send(t.visit, &admitted{})
}

func (r *repo) next(c actor.Context) {
	if t, ok := r.slots.done(); ok {
		r.admit(c, t)
	}
}
