package actors

import (
	"sync"

	"patina/store"
)

// pinned is one generation, held for one query.
type pinned struct {
	*store.Pin                 // its last reader is the desk
	oracles    []*store.Reader // one an oracle

	mu   sync.Mutex // a late call may still sit at the desk
	desk *store.Reader
}

// A lease is one query's hold on a slot in its project and on its pinned generation. The query ends
// it once. The pin closes and the slot returns later: when the last call with a reader has
// returned, even from a late oracle.
type lease struct {
	mu       sync.Mutex
	pin      *pinned
	users    int
	admitted bool
	ended    bool
	free     func() // gives the slot back; called once if admitted
}

// admit gives the query its slot, and returns false if it has ended before.
func (l *lease) admit() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.admitted = !l.ended
	return l.admitted
}

// isOver reports whether the query has ended.
func (l *lease) isOver() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

// acquire must precede each use of the pin, release follow it. It is false if the query has ended.
func (l *lease) acquire() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	l.users++
	return true
}

func (l *lease) releaseUse() {
	l.mu.Lock()
	l.users--
	l.closeIfUnused()
}

// holdPin gives the lease its pin. The caller has acquired.
func (l *lease) holdPin(p *pinned) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pin = p
}

// endQuery ends the query. It may be called again.
func (l *lease) endQuery() {
	l.mu.Lock()
	l.ended = true
	l.closeIfUnused()
}

// closeIfUnused unlocks mu, and closes the pin and frees the slot once nobody uses them.
func (l *lease) closeIfUnused() {
	if !l.ended || l.users > 0 {
		l.mu.Unlock()
		return
	}
	pin, admitted := l.pin, l.admitted
	l.pin, l.admitted = nil, false
	l.mu.Unlock()
	if pin != nil {
		pin.Close()
	}
	if admitted {
		l.free()
	}
}
