package actors

import (
	"context"
	"log/slog"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/actors/ranking"
)

// scry asks the router for an answer, sent to reply once. It does not leave the process.
type scry struct {
	ctx      context.Context // the caller's: its end ends the query
	query    string          // unique in the engine
	question ranking.Question
	targets  []target
	reply    chan<- *api.Answer // has room for one
	stalled  func() time.Duration
}

// watch measures the time of the query from now on.
func (m *scry) watch() actor.Stopwatch {
	return actor.BeginStopwatch(m.stalled, MostStalled(m.question.Timeout))
}

// A target is a project and the actor that answers for it: a repo, or a peer.
type target struct {
	awaited
	pid     *actor.PID
	opening func() bool // reports whether its index is still being opened; nil for a peer
}

// A router sends a query to its projects.
//
// It sends all asks of a query before it looks at the next, so queries reach every project in one
// order. Otherwise two queries could each hold the slot that the other waits for.
type router struct{ log *slog.Logger }

// Receive implements actor.Actor.
func (r *router) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case *scry:
		r.route(c, m)
	default:
		logUnexpected(c, r.log)
	}
}

func (r *router) route(c *actor.Context, m *scry) {
	f := newFusion(m, r.log)
	pid, err := c.Spawn("fusion/"+m.query, f)
	if err != nil { // the engine makes each name once
		panic(err)
	}
	for _, to := range f.targets {
		to.pid.Request(f.ask(to.project), pid)
	}
	pid.Send(&routed{})
}
