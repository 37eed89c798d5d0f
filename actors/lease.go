package actors

import (
	"sync"

	"patina/store"
)

// pinned is a generation that is pinned for one query.
type pinned struct {
	*store.Pin                 // its last reader is the desk
	oracles    []*store.Reader // one for each oracle

	mu   sync.Mutex // guards desk, which a late call may still use
	desk *store.Reader
}

// A lease is one query's claim on a slot of its project and on its pinned generation. The query
// ends it. The pin closes and the slot returns when the last call with a reader has returned, which
// may be later.
type lease struct {
	mu       sync.Mutex
	pin      *pinned
	users    int
	admitted bool
	ended    bool
	free     func() // returns the slot; called once if admitted
}

// admit gives the query its slot. It returns false if the query has ended.
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

// acquire must be called before each use of the pin, and releaseUse after it. It returns false if
// the query has ended.
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

// holdPin gives the lease its pin. The caller must have acquired the lease.
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

// closeIfUnused closes the pin and returns the slot if nobody uses them. The caller must hold mu,
// which it unlocks.
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
