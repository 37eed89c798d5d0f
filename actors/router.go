package actors

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
)

// scry asks the router for an answer, which is sent to reply, once. It does not leave the process.
type scry struct {
	ctx      context.Context // the caller's: its end ends the query
	query    string          // unique in the engine
	question question
	reply    chan<- *Answer // has room for one
}

// A router sends a query to the projects it concerns: today to every one of the engine.
//
// It sends all asks of a query before it looks at the next, so that queries reach every project in one order. That is what
// keeps two queries from each holding the slot that the other waits for.
type router struct {
	log     *slog.Logger
	targets []target
}

// A target is a project and the actor that answers for it.
type target struct {
	awaited
	pid *actor.PID
}

// Receive implements actor.Actor.
func (r *router) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *scry:
		r.route(c, m)
	default:
		unexpected(c, r.log)
	}
}

func (r *router) route(c actor.Context, m *scry) {
	t := newFusion(m, r.targets, r.log)
	pid := c.Spawn(actor.PropsFromProducer(func() actor.Actor { return t }))
	for _, to := range r.targets {
		c.RequestWithCustomSender(to.pid, t.ask(), pid)
	}
	c.Send(pid, &routed{})
}
