package actors

import (
	"context"
	"log/slog"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/actors/ranking"
)

// scry asks the router for an answer, which is sent to reply once. It never leaves the process.
type scry struct {
	ctx      context.Context // of the caller; its end ends the query
	query    string          // unique in the engine
	question ranking.Question
	targets  []target
	reply    chan<- *api.Answer  // must have room for one
	came     chan<- *api.Glimpse // gets glimpses if there is room; nil: the caller wants none
	stalled  func() time.Duration
}

// watch returns a stopwatch for the query that begins now.
func (m *scry) watch() actor.Stopwatch {
	return actor.BeginStopwatch(m.stalled, MostStalled(m.question.Timeout))
}

// A target is a project and its actor, a repo or a peer.
type target struct {
	awaited
	pid     *actor.PID
	opening func() bool // reports whether its index is being opened; nil for a peer
}

// A router sends a query to its projects. It sends all asks of a query before it takes the next
// one, so that queries reach every project in one order. Otherwise each of two queries could hold
// the slot for which the other waits.
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
	if err != nil { // names are unique
		panic(err)
	}
	for _, to := range f.targets {
		to.pid.Request(f.ask(to.project), pid)
	}
	pid.Send(&routed{})
}
