// This file measures for how long the process was kept from running: by others that use all
// processors, by a stop, or by a debugger. A Stopwatch leaves that time out, up to a limit, so that
// a deadline ends calls that hang but not calls on a slow machine.

package actor

import (
	"sync"
	"time"
)

// tick is the interval at which a Meter runs. If it runs later than slack, which Go's scheduler may
// take, the process is taken to have been stalled.
const (
	tick  = 50 * time.Millisecond
	slack = 20 * time.Millisecond
)

// A Meter adds up the time for which the process was kept from running. It measures between Start
// and Stop, which may be nested. It is safe for concurrent use. Its zero value is ready for use.
type Meter struct {
	mu      sync.Mutex
	started int
	timer   *time.Timer
	seen    time.Time // when the process was last known to run
	total   time.Duration
}

// Start begins measuring. Each Start must be followed by a Stop.
func (m *Meter) Start() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.started++
	if m.started > 1 {
		return
	}
	m.seen = time.Now()
	m.timer = time.AfterFunc(tick, m.tick)
}

// Stop ends the last Start.
func (m *Meter) Stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.noteRunning(time.Now())
	m.started--
	if m.started == 0 {
		m.timer.Stop()
	}
}

// Total returns the time for which the process was kept from running. It never decreases.
func (m *Meter) Total() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.noteRunning(time.Now())
	return m.total
}

func (m *Meter) tick() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.started == 0 {
		return
	}
	m.noteRunning(time.Now())
	m.timer.Reset(tick)
}

// noteRunning adds the time since the process was last known to run. The caller must hold mu.
func (m *Meter) noteRunning(now time.Time) {
	if m.started == 0 {
		return
	}
	if gap := now.Sub(m.seen); gap > tick+slack {
		m.total += gap - tick
	}
	m.seen = now
}
