package peer

import (
	"context"
	"time"

	"patina/wire/nodepb"
)

// What follows is for a front, which passes calls on instead of asking for itself.

// Changed returns a channel that is closed when the condition of a node or what it hosts changes.
// Take it before looking, so that no change is missed.
func (s *Set) Changed() <-chan struct{} {
	_, changed := s.all()
	return changed
}

// A Host is a node and what it hosts, while Each shows it.
type Host struct {
	Name      string
	Condition Condition
	Since     time.Time // of the condition
	Version   string    // of patina
	// Hosted is what the node hosts by name, or last said to host if it is down. It is nil if the
	// node never was heard. It must neither be changed nor kept; its values may be kept.
	Hosted map[string]*nodepb.Hosted
}

// Each shows the nodes by name. show must return soon, because the node cannot be heard meanwhile.
func (s *Set) Each(show func(Host)) {
	nodes, _ := s.all()
	for _, n := range nodes {
		n.mu.Lock()
		x := n.state
		show(Host{Name: n.name, Condition: x.condition, Since: x.since, Version: x.version, Hosted: x.hosted})
		n.mu.Unlock()
	}
}

// Begin begins a call at one node, which the caller must End. It ends with ctx, too. The error is a
// *api.Failure if the node is down or not known.
func (s *Set) Begin(ctx context.Context, node string) (*Call, error) {
	return s.beginCall(ctx, node, 0)
}

// Context returns the life of the call. It ends when the node enters down.
func (c *Call) Context() context.Context { return c.life }

// Reason returns the error of the call, which must not be nil: a *api.Failure where the node's
// condition ended it.
func (c *Call) Reason(err error) error { return c.reason(err) }
