package actor

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A timer in time must count nothing. A late one counts its delay once, and only between Start and
// Stop.
func TestMeter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(Meter)
		m.Start()
		m.Start()
		time.Sleep(time.Minute)
		if d := m.Total(); d != 0 {
			t.Errorf("in time: %s", d)
		}
		const paused = 3 * time.Second
		for n := range 3 {
			m.seen = m.seen.Add(-paused) // as if the process had been stalled
			for range 2 {
				if d := m.Total(); d != time.Duration(n+1)*(paused-tick) {
					t.Errorf("%d pauses: %s", n+1, d)
				}
			}
		}
		m.Stop()
		if time.Sleep(time.Minute); m.Total() != 3*(paused-tick) {
			t.Errorf("after one Stop: %s", m.Total())
		}
		m.Stop()
		m.seen = m.seen.Add(-paused)
		if m.Total() != 3*(paused-tick) {
			t.Errorf("after the last Stop: %s", m.Total())
		}
		m.Start()
		defer m.Stop()
		if m.Total() != 3*(paused-tick) {
			t.Errorf("begun again: %s", m.Total())
		}
	})
}

// A stopwatch must leave out a bounded time, and no stalls before it began.
func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stalled := time.Hour
		w := BeginStopwatch(func() time.Duration { return stalled }, 5*time.Second)
		time.Sleep(10 * time.Second)
		for more, want := range map[time.Duration]time.Duration{0: 10 * time.Second, 4 * time.Second: 6 * time.Second, 9 * time.Second: 5 * time.Second} {
			stalled = time.Hour + more
			if w.Elapsed() != want || w.Stalled() != min(more, 5*time.Second) {
				t.Errorf("stalled %s: %s elapsed, %s left out", more, w.Elapsed(), w.Stalled())
			}
		}
		if w := BeginStopwatch(nil, time.Hour); w.Stalled() != 0 || w.Elapsed() != 0 {
			t.Errorf("without a meter: %s, %s", w.Elapsed(), w.Stalled())
		}
	})
}

// A context's end and its deadline must move with the stalls. It ends with its parent, by itself
// and by cancel, each with its own error.
func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var stalled atomic.Int64 // read by timers
		w := BeginStopwatch(func() time.Duration { return time.Duration(stalled.Load()) }, time.Minute)
		ctx, cancel := w.Within(t.Context(), time.Second)
		defer cancel()
		time.Sleep(time.Second / 2)
		if due, ok := ctx.Deadline(); !ok || due.Sub(began) != time.Second {
			t.Errorf("due %s", due.Sub(began))
		}
		stalled.Store(int64(2 * time.Second))
		if due, ok := ctx.Deadline(); !ok || due.Sub(began) != 3*time.Second || ctx.Err() != nil {
			t.Errorf("stalled: due %s, %v", due.Sub(began), ctx.Err())
		}
		<-ctx.Done()
		if d := time.Since(began); d != 3*time.Second || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Errorf("ended after %s: %v", d, ctx.Err())
		}

		outer, end := context.WithTimeout(t.Context(), time.Second)
		ctx, cancel = w.Within(outer, time.Hour)
		if due, ok := ctx.Deadline(); !ok || time.Until(due) != time.Second {
			t.Errorf("due with the outer one: %s", due)
		}
		end()
		<-ctx.Done()
		if !errors.Is(ctx.Err(), context.Canceled) {
			t.Errorf("ended with the outer one: %v", ctx.Err())
		}
		cancel()
		ctx, cancel = w.Within(t.Context(), time.Hour)
		cancel()
		if <-ctx.Done(); !errors.Is(ctx.Err(), context.Canceled) {
			t.Errorf("cancelled: %v", ctx.Err())
		}
	})
}

// A stopped alarm must never ring, even if it waits again after a check.
func TestAlarmStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stalled, rang atomic.Int64
		w := BeginStopwatch(func() time.Duration { return time.Duration(stalled.Load()) }, time.Hour)
		a := w.After(time.Second, func() { rang.Add(1) })
		b := w.After(time.Second, func() { rang.Add(1) })
		stalled.Store(int64(time.Minute))
		time.Sleep(30 * time.Second)
		a.Stop()
		a.Stop()
		if time.Sleep(time.Hour); rang.Load() != 1 {
			t.Errorf("rang %d times", rang.Load())
		}
		b.Stop()
	})
}
