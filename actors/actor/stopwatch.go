package actor

import (
	"context"
	"sync"
	"time"
)

// A Stopwatch tells the time since it began, less that in which the process did not run. Begin
// makes one.
type Stopwatch struct {
	began  time.Time
	before time.Duration // stalled when it began
	most   time.Duration
	total  func() time.Duration
}

// Begin returns a Stopwatch. It leaves out what total has grown since, which is a Meter's Total,
// and no more than most. If total is nil it leaves out nothing.
func BeginStopwatch(total func() time.Duration, most time.Duration) Stopwatch {
	w := Stopwatch{began: time.Now(), most: most, total: total}
	if total != nil {
		w.before = total()
	}
	return w
}

// Stalled returns what is left out.
func (w Stopwatch) Stalled() time.Duration {
	if w.total == nil {
		return 0
	}
	return min(w.total()-w.before, w.most)
}

// Elapsed returns the time since the beginning, less Stalled.
func (w Stopwatch) Elapsed() time.Duration {
	stalled := w.Stalled() // first: a pause after it counts as elapsed, and one between never twice
	return time.Since(w.began) - stalled
}

// least is the shortest time after which an Alarm looks again.
const least = time.Millisecond

// An Alarm calls a function at a time of a Stopwatch.
type Alarm struct {
	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
}

// After calls f in its own goroutine once d has elapsed, unless the Alarm is stopped before.
func (w Stopwatch) After(d time.Duration, f func()) *Alarm {
	a := &Alarm{}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(d-w.Elapsed(), func() {
		if left := d - w.Elapsed(); left > 0 {
			a.setAgain(max(left, least))
			return
		}
		f()
	})
	return a
}

func (a *Alarm) setAgain(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.stopped {
		a.timer.Reset(d)
	}
}

// Stop keeps the Alarm from calling its function, unless it has begun to. It may be called again.
func (a *Alarm) Stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	a.timer.Stop()
}

// Within returns a context that ends with ctx, by cancel, or once d has elapsed. Its Deadline is
// when that will be if the process runs from now on, so it may move. cancel must be called.
func (w Stopwatch) Within(ctx context.Context, d time.Duration) (_ context.Context, cancel func()) {
	inner, end := context.WithCancelCause(ctx)
	alarm := w.After(d, func() { end(context.DeadlineExceeded) })
	return &timed{Context: inner, watch: w, within: d}, func() {
		alarm.Stop()
		end(nil)
	}
}

// A timed context ends at a time of a Stopwatch.
type timed struct {
	context.Context
	watch  Stopwatch
	within time.Duration
}

// Deadline implements context.Context.
func (c *timed) Deadline() (time.Time, bool) {
	due := c.watch.began.Add(c.within + c.watch.Stalled())
	if outer, ok := c.Context.Deadline(); ok && outer.Before(due) {
		return outer, true
	}
	return due, true
}

// Err implements context.Context.
func (c *timed) Err() error {
	err := c.Context.Err()
	if err != nil && context.Cause(c.Context) == context.DeadlineExceeded {
		return context.DeadlineExceeded
	}
	return err
}
