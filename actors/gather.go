package actors

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
)

// A gather is the common part of a query's actors. It collects lists until all have answered or the
// deadline has passed. An oracle or a project that fails, panics or is late costs only its own
// lists.
type gather struct {
	state  gathering
	began  time.Time
	watch  actor.Stopwatch // measures all deadlines, from began on
	budget time.Duration   // for collecting
	phase  phase
	ended  phase         // the time of all earlier phases is over
	spent  time.Duration // processor time that ended collecting; 0 if it was the ceiling
	alarms []*actor.Alarm
	meters []*time.Timer
}

// sendAfter sends a deadline to the actor itself when d has passed, unless stop is called before.
func (g *gather) sendAfter(c *actor.Context, d time.Duration, of phase) {
	self := c.Self()
	g.alarms = append(g.alarms, g.watch.After(g.watch.Elapsed()+d, func() { self.Send(&deadline{of: of}) }))
}

// endPhase records that the time for a phase and all earlier ones is over. The deadlines of a
// stopped process pass all at once and arrive in any order, most often the last one first.
func (g *gather) endPhase(m *deadline) {
	g.ended = max(g.ended, m.of+1)
	if g.phase == collecting {
		g.spent = m.processor
	}
}

// due reports whether a phase is current and its time is over.
func (g *gather) due(p phase) bool { return g.phase == p && p < g.ended }

// meter ends a phase when more than limit of the process's processor time was used, which all
// running questions share. It ends with stop or life.
func (g *gather) meter(c *actor.Context, life context.Context, of phase, limit time.Duration, h *host) {
	self, from := c.Self(), h.processor()
	var look func()
	look = func() {
		switch {
		case life.Err() != nil:
		case h.processor()-from > limit*time.Duration(max(1, h.running())):
			self.Send(&deadline{of: of, processor: limit})
		default:
			time.AfterFunc(meterTick, look)
		}
	}
	g.meters = append(g.meters, time.AfterFunc(meterTick, look))
}

// stop stops all timers. It must be called at *actor.Stopping.
func (g *gather) stop() {
	for _, a := range g.alarms {
		a.Stop()
	}
	for _, t := range g.meters {
		t.Stop()
	}
}

// silence answers for those of names that have not answered.
func (g *gather) silence(names []string, s api.Status, detail string) {
	g.state.silence(names, s, detail, g.elapsed())
}

// allSilent returns the names of all that have not answered.
func (g *gather) allSilent() []string { return g.state.silent("") }

// elapsed returns the time since the query reached this level.
func (g *gather) elapsed() time.Duration { return time.Since(g.began) }

// late answers for those of names that have not answered, because their deadline has passed.
func (g *gather) late(names []string) {
	text := deadlineText(g.budget, g.watch.Stalled())
	if g.spent > 0 {
		text = fmt.Sprintf("after %d ms of processor time", g.spent.Milliseconds())
	}
	g.silence(names, api.Deadline, text)
}

// deadlineText returns the text for a passed deadline, with the time for which the process was
// stalled.
func deadlineText(d, stalled time.Duration) string {
	text := fmt.Sprintf("deadline %d ms", d.Milliseconds())
	if stalled > 0 {
		text += fmt.Sprintf(", and %d ms without a processor", stalled.Milliseconds())
	}
	return text
}

// logUnexpected logs a message without a handler, unless it is from the actor system.
func logUnexpected(c *actor.Context, log *slog.Logger) {
	switch m := c.Message().(type) {
	case *actor.Started, *actor.Stopping:
	default:
		log.Warn("unexpected message", "actor", c.Self().ID(), "type", fmt.Sprintf("%T", m))
	}
}
