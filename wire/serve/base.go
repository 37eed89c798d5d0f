package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"patina/registry/route"
	"patina/wire/nodepb"
)

// defaultSlots is how many calls a server works on at once. A project has four slots of its own,
// and waits for them are bounded, so this one only keeps a flood away from the engine.
const defaultSlots = 256

// Options configure a Server or another Base.
type Options struct {
	Backend     Backend                          // of a Server
	Gate        *Gate                            // nil: every caller is the user of this machine
	Credentials credentials.TransportCredentials // nil: in the clear, for loopback and sockets
	Slots       int                              // calls at once; 256 if 0
	Version     string                           // of patina, for others to show
	Log         *slog.Logger                     // nil: nothing is logged
	// Sketch returns the sketch of a hosted repository, or nil. With it a Server
	// answers Route, Sketches and Counts. If it is nil, it does not know these calls.
	Sketch func(repository string) *route.Sketch
	// Route returns how often stems occur in the repositories for which may is true, in the place
	// of a Server's own counts. It may be nil.
	Route func(ctx context.Context, m *nodepb.RouteRequest, may func(string) bool) (*nodepb.RouteReply, error)
	// WatchAge is how long one Watch lasts; 5 min if 0, and no more. Its watcher begins the next
	// one.
	WatchAge time.Duration
	// GRPC are further options of the server of grpc.
	GRPC []grpc.ServerOption
	// Expires returns when the certificate of the server expires. It is nil for a server without
	// one.
	Expires func() time.Time
}

// A Base is common to the servers of nodes and of fronts: a server of grpc, the number of
// calls under way, beats, and an end without loss. Stop or Drain ends it.
type Base struct {
	GRPC    *grpc.Server // services are registered before Serve
	options Options
	boot    string

	mu       sync.Mutex
	running  int           // calls under way
	refused  Refused       // of its calls
	draining chan struct{} // closed: no call begins
	idle     chan struct{} // closed: draining, and no call is under way
	over     chan struct{} // closed: watches end
}

// NewBase returns a base without services that does not listen yet. It does not use what is of a
// Server.
func NewBase(o Options) *Base {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Gate == nil {
		o.Gate = &Gate{}
	}
	o.Slots = cmp.Or(o.Slots, defaultSlots)
	o.WatchAge = min(cmp.Or(o.WatchAge, watchAge), watchAge)
	return &Base{
		options: o, GRPC: NewGRPC(o.Credentials, o.Log, o.GRPC...), boot: rand.Text(),
		draining: make(chan struct{}), idle: make(chan struct{}), over: make(chan struct{}),
	}
}

// Serve answers calls on l until the server ends, and closes l. It returns nil after Stop or Drain.
// It may be called for several listeners at once.
func (s *Base) Serve(l net.Listener) error {
	if err := s.GRPC.Serve(l); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return fmt.Errorf("serve on %s: %w", l.Addr(), err)
	}
	return nil
}

// Drain ends the server without loss. Watchers are told at once, new calls are refused so that
// their callers ask another replica, and running calls finish. It returns when the last connection
// has ended. If ctx ends before, the calls that still run are cut off, and Drain returns its error.
func (s *Base) Drain(ctx context.Context) error {
	s.mu.Lock()
	if !isClosed(s.draining) {
		close(s.draining)
		s.closeIfIdle()
	}
	s.mu.Unlock()
	select {
	case <-s.idle:
	case <-ctx.Done():
	}
	s.endWatches()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.GRPC.GracefulStop()
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		s.GRPC.Stop()
		<-gone
		return fmt.Errorf("drain server: calls were cut off: %w", ctx.Err())
	}
}

// Stop ends the server and cuts off its calls. It may be called again, and after Drain.
func (s *Base) Stop() {
	s.endWatches()
	s.GRPC.Stop()
}

func (s *Base) endWatches() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isClosed(s.over) {
		close(s.over)
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Running returns how many calls are under way. A question is, until its stream has ended.
func (s *Base) Running() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// Gate returns who decides who asks and what they may.
func (s *Base) Gate() *Gate { return s.options.Gate }

// Log returns the log, which is never nil.
func (s *Base) Log() *slog.Logger { return s.options.Log }

// Begin counts a call as under way until end is called. It returns an error of code
// RESOURCE_EXHAUSTED when the server is draining or full.
func (s *Base) Begin() (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isClosed(s.draining) {
		s.refused.Draining++
		return nil, status.Error(codes.ResourceExhausted, "the node is draining")
	}
	if s.running >= s.options.Slots {
		s.refused.Full++
		return nil, status.Errorf(codes.ResourceExhausted, "%d calls are under way", s.running)
	}
	s.running++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.running--
		s.closeIfIdle()
	}, nil
}

// closeIfIdle closes idle if there is nothing left to drain. The caller holds mu.
func (s *Base) closeIfIdle() {
	if s.running == 0 && isClosed(s.draining) && !isClosed(s.idle) {
		close(s.idle)
	}
}
