// Package loopback helps servers on this machine's own address: it limits connections, and tells
// which hosts are this machine.
package loopback

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

const (
	mostRefusing = 16 // connections over the limit that get an answer; others are closed at once
	refuseWithin = time.Second
	refusedBytes = 64 << 10 // of a refused request that are read
)

// Limit returns a listener that accepts at most so many connections at the same time. Further ones
// get status 503, or are closed.
func Limit(l net.Listener, most int) net.Listener {
	return &limitedListener{Listener: l, places: make(chan struct{}, most), refusals: newRefusals(most)}
}

// A limitedListener accepts a limited number of connections at the same time. Further ones get
// status 503.
type limitedListener struct {
	net.Listener
	places chan struct{} // holds one value for each connection
	refusals
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.places <- struct{}{}:
			return &placedConn{Conn: c, leave: sync.OnceFunc(func() { <-l.places })}, nil
		default:
			l.turnAway(c)
		}
	}
}

// refusals end connections over a limit. A few at the same time get an answer.
type refusals struct {
	most    int
	running chan struct{} // holds one value for each connection being refused
}

func newRefusals(most int) refusals { return refusals{most, make(chan struct{}, mostRefusing)} }

func (r refusals) turnAway(c net.Conn) {
	select {
	case r.running <- struct{}{}:
		go func() {
			defer func() { <-r.running }()
			refuseConn(c, r.most)
		}()
	default:
		_ = c.Close()
	}
}

// refuseConn answers a connection over the limit. It reads the client's data for a moment, because
// unread data would make the client lose the answer.
func refuseConn(c net.Conn, most int) {
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(refuseWithin))
	text := fmt.Sprintf("too many connections: %d are open; close some, or come again\n", most)
	_, err := fmt.Fprintf(c, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n"+
		"Retry-After: 1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
	if half, ok := c.(interface{ CloseWrite() error }); ok && err == nil && half.CloseWrite() == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(c, refusedBytes))
	}
}

// A placedConn frees its place when it is closed.
type placedConn struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (c *placedConn) Close() error {
	c.leave()
	return c.Conn.Close()
}

// Host removes the port from a host.
func Host(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// Names reports whether a host is a loopback address or localhost.
func Names(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
