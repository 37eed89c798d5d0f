// This file measures for how long this process was kept from running: by others that use all
// processors, by a stop, by a debugger. A Stopwatch leaves that out, up to a limit, so that a
// deadline ends what hangs and not what the machine gave no time to.

package actor

import (
	"sync"
	"time"
)

// tick is how often a Meter wants to run. Whatever it is late is taken for time in which the
// process did not run, but for slack, which the scheduler of Go may take.
const (
	tick  = 50 * time.Millisecond
	slack = 20 * time.Millisecond
)

// A Meter adds up for how long the process was kept from running. It measures between Start and
// Stop, which may be nested. It is safe for concurrent use, and its zero value is ready.
type Meter struct {
	mu      sync.Mutex
	started int
	timer   *time.Timer
	seen    time.Time // when the process last ran, as far as is known
	total   time.Duration
}

// Start begins to measure. Each Start must be followed by a Stop.
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

// Stop ends a Start.
func (m *Meter) Stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.noteRunning(time.Now())
	m.started--
	if m.started == 0 {
		m.timer.Stop()
	}
}

// Total returns the time in which the process did not run. It never falls.
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

// noteRunning counts the time since the process was last seen to run. The caller holds mu.
func (m *Meter) noteRunning(now time.Time) {
	if m.started == 0 {
		return
	}
	if gap := now.Sub(m.seen); gap > tick+slack {
		m.total += gap - tick
	}
	m.seen = now
}
