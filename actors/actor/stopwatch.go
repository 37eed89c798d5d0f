package actor

import (
	"context"
	"sync"
	"time"
)

// A Stopwatch measures the time since it began, without stalls of the process. It must be made by
// BeginStopwatch.
type Stopwatch struct {
	began  time.Time
	before time.Duration // total when it began
	most   time.Duration
	total  func() time.Duration
}

// BeginStopwatch returns a Stopwatch that leaves out the growth of total, at most most. total
// should be the Total of a Meter. If it is nil, nothing is left out.
func BeginStopwatch(total func() time.Duration, most time.Duration) Stopwatch {
	w := Stopwatch{began: time.Now(), most: most, total: total}
	if total != nil {
		w.before = total()
	}
	return w
}

// Stalled returns the time that is left out.
func (w Stopwatch) Stalled() time.Duration {
	if w.total == nil {
		return 0
	}
	return min(w.total()-w.before, w.most)
}

// Elapsed returns the time since the beginning without Stalled.
func (w Stopwatch) Elapsed() time.Duration {
	stalled := w.Stalled() // must come first, so that no pause is left out twice
	return time.Since(w.began) - stalled
}

// least is the shortest time after which an Alarm checks again.
const least = time.Millisecond

// An Alarm calls a function at a time of a Stopwatch.
type Alarm struct {
	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
}

// After calls f in its own goroutine when d has elapsed, unless the Alarm is stopped before.
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

// Stop keeps the Alarm from calling its function, unless the call has begun. It may be called
// again.
func (a *Alarm) Stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
	a.timer.Stop()
}

// Within returns a context that ends with ctx, by cancel, or when d has elapsed. Its Deadline is
// correct if the process is not stalled from now on, so it may move. cancel must be called.
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
