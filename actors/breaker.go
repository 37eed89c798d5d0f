package actors

import (
	"fmt"
	"time"
)

// A channel with failuresInARow failures is not asked for coolDown. Otherwise a damaged part would
// cost each question its deadline.
const (
	failuresInARow = 5
	coolDown       = 30 * time.Second
)

// overdue is the time after which a call that ignores the end of its context counts as lost.
const overdue = time.Second

// breaker is a circuit breaker: it decides whether a channel is asked. The caller passes the time.
type breaker struct {
	failures int       // in a row
	since    time.Time // the first of them
	latest   time.Time
	last     string
	until    time.Time
	slots    int
	lost     int // slots held by lost calls
}

// failed counts a failure. From failuresInARow on, each failure begins a rest.
func (b *breaker) failed(at time.Time, why string) {
	if b.failures == 0 {
		b.since = at
	}
	b.failures++
	b.last, b.latest = why, at
	if b.failures >= failuresInARow {
		b.until = at.Add(coolDown)
	}
}

func (b *breaker) succeeded() { b.failures = 0 }

// forget forgets the failures up to a time, and ends the rest that they began.
func (b *breaker) forget(until time.Time) {
	if b.failures > 0 && !b.latest.After(until) {
		b.failures, b.until = 0, time.Time{}
	}
}

// reason returns why the channel must not be asked now, or "".
func (b *breaker) reason(at time.Time) string {
	switch {
	case at.Before(b.until):
		return fmt.Sprintf("resting for %s after %d failures in a row: %s", b.until.Sub(at).Round(time.Second),
			b.failures, b.last)
	case b.lost >= b.slots:
		return fmt.Sprintf("%d calls have not returned", b.lost)
	}
	return ""
}
