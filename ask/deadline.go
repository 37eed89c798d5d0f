package ask

import (
	"time"

	"patina/actors"
	"patina/actors/actor"
	"patina/actors/api"
)

// A deadline is the time that a call has. Time in which the process was not scheduled does not
// count, up to a bound.
type deadline struct {
	whole time.Duration
	stall *actor.Meter
	clock actor.Stopwatch
}

// measure starts the deadline of a call, and the meter of the time that does not count. The caller
// must call stop to end the meter.
func (d *deadline) measure(whole time.Duration) (stop func()) {
	d.whole, d.stall = whole, new(actor.Meter)
	d.stall.Start()
	d.startClock()
	return d.stall.Stop
}

// startClock restarts the deadline. measure must have been called.
func (d *deadline) startClock() {
	d.clock = actor.BeginStopwatch(d.stall.Total, actors.MostStalled(d.whole))
}

// leastLeft is enough time for an engine to report that no channel had time.
const leastLeft = 50 * time.Millisecond

// remaining returns the remaining time, and at least leastLeft. The time for opening the index
// counts too.
func (d *deadline) remaining() time.Duration {
	return max(d.whole-d.clock.Elapsed(), min(d.whole, leastLeft))
}

// Within returns the options of a look-up under the deadline.
func (d *deadline) Within() api.ReadOptions { return api.ReadOptions{Timeout: d.remaining()} }
