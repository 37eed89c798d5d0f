package actors

import (
	"fmt"
	"log/slog"
	"time"

	"patina/actors/actor"
)

// A gather is the common part of a query's actors on both levels. It collects lists until all have
// answered or the deadline has passed. An oracle or a project that fails, panics or is late costs
// its own lists, never the answer.
type gather struct {
	state  gathering
	began  time.Time
	budget time.Duration // for collecting
	phase  phase
	ended  phase // the time of all phases before it is over
	timers []*time.Timer
}

// after begins a timer for a deadline, sent to the actor itself. stop ends it.
func (g *gather) after(c *actor.Context, d time.Duration, of phase) {
	self := c.Self()
	g.timers = append(g.timers, time.AfterFunc(d, func() { self.Send(&deadline{of: of}) }))
}

// end notes that the time for a phase is over, and so that of those before it. The deadlines of a
// process that stood still pass at once, and arrive in any order: most often the last one first.
func (g *gather) end(of phase) { g.ended = max(g.ended, of+1) }

// due reports whether it is the turn of a phase whose time is over.
func (g *gather) due(p phase) bool { return g.phase == p && p < g.ended }

// stop is called in *actor.Stopping.
func (g *gather) stop() {
	for _, t := range g.timers {
		t.Stop()
	}
}

// elapsed is the time since the query reached this level.
func (g *gather) elapsed() time.Duration { return time.Since(g.began) }

// late answers for the silent.
func (g *gather) late() {
	g.state.silence(Deadline, deadlineText(g.budget), g.elapsed())
}

func deadlineText(d time.Duration) string { return fmt.Sprintf("deadline %d ms", d.Milliseconds()) }

// unexpected logs a message without a handler, unless it is the actor system's own.
func unexpected(c *actor.Context, log *slog.Logger) {
	switch m := c.Message().(type) {
	case *actor.Started, *actor.Stopping:
	default:
		log.Warn("unexpected message", "actor", c.Self().ID(), "type", fmt.Sprintf("%T", m))
	}
}

// reserve is the part of a budget kept for later steps: one share of it, but never more than most.
func reserve(budget time.Duration, share int64, most time.Duration) time.Duration {
	return min(budget/time.Duration(share), most)
}
