package loopback

import (
	"net"
	"slices"
	"sync"
)

// Yield returns a listener that accepts at most so many connections at the same time. A further one
// takes the place of the oldest whose caller has shown no right to it (Keep), so that others cannot
// keep a caller with a right out, however many connections they hold. If all places are kept, it
// gets status 503, or is closed.
func Yield(l net.Listener, most int) net.Listener {
	return &yieldingListener{Listener: l, refusals: newRefusals(most)}
}

// Keep lets the caller of a connection keep its place until it closes. It must be a connection of
// Yield's listener; others are ignored.
func Keep(c net.Conn) {
	y, ok := c.(*yieldingConn)
	if !ok {
		return
	}
	y.from.mu.Lock()
	defer y.from.mu.Unlock()
	y.kept = true
}

type yieldingListener struct {
	net.Listener
	refusals

	mu   sync.Mutex
	open []*yieldingConn // oldest first
}

// A yieldingConn has a place until it is closed. The listener may close it before.
type yieldingConn struct {
	net.Conn
	from *yieldingListener
	kept bool // guarded by from.mu
}

// Accept implements net.Listener.
func (l *yieldingListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		y := &yieldingConn{Conn: c, from: l}
		oldest, ok := l.givePlace(y)
		if oldest != nil {
			_ = oldest.Close()
		}
		if ok {
			return y, nil
		}
		l.turnAway(c)
	}
}

// givePlace gives a connection a place. It returns the connection that must yield its own, or nil.
// ok is false if all places are kept.
func (l *yieldingListener) givePlace(y *yieldingConn) (oldest *yieldingConn, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) >= l.most {
		i := slices.IndexFunc(l.open, func(x *yieldingConn) bool { return !x.kept })
		if i < 0 {
			return nil, false
		}
		oldest = l.open[i]
		l.open = slices.Delete(l.open, i, i+1)
	}
	l.open = append(l.open, y)
	return oldest, true
}

// Close implements net.Conn.
func (c *yieldingConn) Close() error {
	c.from.mu.Lock()
	c.from.open = slices.DeleteFunc(c.from.open, func(x *yieldingConn) bool { return x == c })
	c.from.mu.Unlock()
	return c.Conn.Close()
}
