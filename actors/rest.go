package actors

import (
	"fmt"
	"time"
)

// A channel that fails failuresInARow times is not asked for coolDown: a damaged part costs each question its deadline
// otherwise, and the log a line.
const (
	failuresInARow = 5
	coolDown       = 30 * time.Second
)

// overdue is how long after the end of its context a call may still run before its slot counts as lost.
const overdue = time.Second

// rest decides whether a channel is asked. The clock is the caller's.
type rest struct {
	failures int // in a row
	last     string
	until    time.Time
	slots    int
	lost     int // slots held by calls that ignore the end of their context
}

// failed notes a failure; the last of failuresInARow begins the rest. After a rest one more failure begins the next.
func (r *rest) failed(at time.Time, why string) {
	r.failures++
	r.last = why
	if r.failures >= failuresInARow {
		r.until = at.Add(coolDown)
	}
}

func (r *rest) succeeded() { r.failures = 0 }

// reason says why the channel is not to be asked now, or "".
func (r *rest) reason(at time.Time) string {
	switch {
	case at.Before(r.until):
		return fmt.Sprintf("resting for %s after %d failures in a row: %s", r.until.Sub(at).Round(time.Second), r.failures, r.last)
	case r.lost >= r.slots:
		return fmt.Sprintf("%d calls have not returned", r.lost)
	}
	return ""
}
