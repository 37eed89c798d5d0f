package enrol

import (
	"sync"
	"time"
)

// limits are those of a Server. A token holds 128 random bits, so they keep nobody from guessing:
// they keep one caller from taking the front's time.
type limits struct {
	enrol, renew limit
}

const (
	// one is how many calls a caller may make at once, and then one a second.
	one = 10
	// all is how many calls all may make in a second.
	all = 50
	// mostCallers bounds the callers that are remembered.
	mostCallers = 10_000
)

// A limit bounds the calls of each caller and of all. Its zero value is ready. It is safe for
// concurrent use.
type limit struct {
	now func() time.Time // nil: time.Now

	mu      sync.Mutex
	callers map[string]*bucket
	total   bucket
}

// A bucket holds the tokens that are left at a time.
type bucket struct {
	left float64
	at   time.Time
}

// fill adds what came back since the last time, up to most.
func (b *bucket) refill(now time.Time, most, rate float64) {
	if b.at.IsZero() {
		b.left = most
	} else {
		b.left = min(most, b.left+max(0, now.Sub(b.at).Seconds())*rate)
	}
	b.at = now
}

// take reports whether a caller may make a call now, and counts it.
func (l *limit) takeToken(caller string) bool {
	now := time.Now()
	if l.now != nil {
		now = l.now()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.callers[caller]
	if b == nil {
		if len(l.callers) >= mostCallers {
			l.dropFull(now)
		}
		if len(l.callers) >= mostCallers {
			return false
		}
		if l.callers == nil {
			l.callers = map[string]*bucket{}
		}
		b = &bucket{}
		l.callers[caller] = b
	}
	b.refill(now, one, 1)
	l.total.refill(now, all, all)
	if b.left < 1 || l.total.left < 1 {
		return false
	}
	b.left--
	l.total.left--
	return true
}

// forget drops the callers whose buckets are full again. The caller holds mu.
func (l *limit) dropFull(now time.Time) {
	for name, b := range l.callers {
		if now.Sub(b.at) > one*time.Second {
			delete(l.callers, name)
		}
	}
}
