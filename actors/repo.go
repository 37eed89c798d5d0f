package actors

import (
	"fmt"

	"patina/actors/actor"
	"patina/actors/api"
)

// admitted tells a query's actor that it has a slot.
type admitted struct{ droppable }

// released is sent by the repo to itself when a query has returned its slot.
type released struct{ droppable }

// A ticket is a query that has a slot or waits for one.
type ticket struct {
	lease *lease
	query *actor.PID // its actor
}

func (t *ticket) isOver() bool { return t.lease.isOver() }

// A repo is the actor of one project: the parent and controller of its oracles and queries. A few
// queries hold readers at once, and the others wait. If too many wait, further ones are refused. An
// oracle that fails does not affect the others. If the index cannot be read, every channel says so.
type repo struct {
	*host
	size     int // number of slots, at least 2
	limiter  limiter[*ticket]
	channels map[string]*actor.PID
}

func newRepo(h *host, n int) *repo {
	return &repo{
		host: h, size: n,
		limiter:  limiter[*ticket]{free: n, over: (*ticket).isOver},
		channels: map[string]*actor.PID{},
	}
}

// Receive implements actor.Actor.
func (r *repo) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		r.startOracles(c)
	case *api.Ask:
		r.takeAsk(c, m)
	case *api.Describe: // a query that is gone has answered, or nobody waits for it
		c.Forward(c.Child(fanoutName(m.Query)))
	case *Read:
		r.beginReading(c, m)
	case *CancelRead: // a read that is gone has answered
		c.Forward(c.Child(readName(m.Query)))
	case *hasten:
		c.Forward(c.Child(fanoutName(m.query)))
	case *describeOffered:
		c.Forward(c.Child(fanoutName(m.query)))
	case *noop:
		c.Respond(&noopReply{})
	case *released:
		r.startNext(c)
	default:
		logUnexpected(c, r.log)
	}
}

func fanoutName(query string) string { return "query/" + query }

// startOracles starts the oracles. Each gets one concurrent call less than there are slots, so that
// an oracle whose calls never return leaves a slot to the others.
func (r *repo) startOracles(c *actor.Context) {
	for _, x := range r.oracles {
		name, a := x.oracle.Name(), newOracleActor(x, r.size-1, r.log, r.work)
		pid, err := c.Spawn("oracle/"+name, a)
		if err != nil {
			panic(fmt.Errorf("start oracle %q: %w", name, err))
		}
		r.channels[name] = pid
	}
}

// takeAsk starts a fanout, or answers at once why not.
func (r *repo) takeAsk(c *actor.Context, m *api.Ask) {
	self := c.Self()
	t := &ticket{lease: &lease{free: func() { self.Send(&released{}) }}}
	f := newFanout(r, m, c.Sender(), t.lease)
	turn := r.limiter.takeSlot(t)
	if turn == refuse {
		f.refuse(c, api.Overloaded, tooMany)
		return
	}
	pid, err := c.Spawn(fanoutName(m.Query), f)
	if err != nil { // two nodes may use the same name
		f.refuse(c, api.Failed, fmt.Sprintf("start query %q: %v", m.Query, err))
		t.lease.endQuery()
	}
	t.query = pid
	if turn == now {
		r.admit(c, t)
	}
}

// admit tells a query that it has a slot. If the query has ended, the slot goes to the next one.
func (r *repo) admit(c *actor.Context, t *ticket) {
	if !t.lease.admit() {
		r.startNext(c)
		return
	}
	t.query.Send(&admitted{})
}

func (r *repo) startNext(c *actor.Context) {
	if t, ok := r.limiter.done(); ok {
		r.admit(c, t)
	}
}
