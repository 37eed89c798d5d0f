package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/nodepb"
)

// defaultSlots is how many calls a server works on at once. A project has four slots of its own,
// and waits for them are bounded, so this one only keeps a flood away from the engine.
const defaultSlots = 256

// Options configure a Server.
type Options struct {
	Backend     Backend
	Gate        *Gate                            // nil: every caller is the user of this machine
	Credentials credentials.TransportCredentials // nil: in the clear, for loopback and sockets
	Slots       int                              // calls at once; 256 if 0
	Version     string                           // of patina, for others to show
	Log         *slog.Logger                     // nil: nothing is logged
	// Route returns how often stems occur in the repositories for which may is true. If it is nil,
	// the call is unknown.
	Route func(ctx context.Context, m *nodepb.RouteRequest, may func(string) bool) (*nodepb.RouteReply, error)
	// WatchAge is how long one Watch lasts; 5 min if 0, and no more. Its watcher begins the next
	// one.
	WatchAge time.Duration
}

// A Server answers calls for the repositories of its Backend. Stop or Drain ends it.
type Server struct {
	nodepb.UnimplementedNodeServer
	options Options
	grpc    *grpc.Server
	boot    string
	serial  atomic.Uint64 // names queries

	mu       sync.Mutex
	running  int           // calls under way
	draining chan struct{} // closed: no call begins
	idle     chan struct{} // closed: draining, and no call is under way
	over     chan struct{} // closed: watches end
}

// New returns a server that does not listen yet.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Gate == nil {
		o.Gate = &Gate{}
	}
	o.Slots = cmp.Or(o.Slots, defaultSlots)
	o.WatchAge = min(cmp.Or(o.WatchAge, watchAge), watchAge)
	s := &Server{
		options: o, grpc: NewGRPC(o.Credentials, o.Log), boot: rand.Text(),
		draining: make(chan struct{}), idle: make(chan struct{}), over: make(chan struct{}),
	}
	nodepb.RegisterNodeServer(s.grpc, s)
	return s
}

// Serve answers calls on l until the server ends, and closes l. It returns nil after Stop or Drain.
// It may be called for several listeners at once.
func (s *Server) Serve(l net.Listener) error {
	if err := s.grpc.Serve(l); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return fmt.Errorf("serve on %s: %w", l.Addr(), err)
	}
	return nil
}

// Drain ends the server without loss. Watchers are told at once, new calls are refused so that
// their callers ask another replica, and running calls finish. It returns when the last connection
// has ended. If ctx ends before, the calls that still run are cut off, and Drain returns its error.
func (s *Server) Drain(ctx context.Context) error {
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
		s.grpc.GracefulStop()
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		s.grpc.Stop()
		<-gone
		return fmt.Errorf("drain server: calls were cut off: %w", ctx.Err())
	}
}

// Stop ends the server and cuts off its calls. It may be called again, and after Drain.
func (s *Server) Stop() {
	s.endWatches()
	s.grpc.Stop()
}

func (s *Server) endWatches() {
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
func (s *Server) Running() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// begin counts a call as under way until end is called. It returns an error of code
// RESOURCE_EXHAUSTED when the server is draining or full.
func (s *Server) begin() (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isClosed(s.draining) {
		return nil, status.Error(codes.ResourceExhausted, "the node is draining")
	}
	if s.running >= s.options.Slots {
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
func (s *Server) closeIfIdle() {
	if s.running == 0 && isClosed(s.draining) && !isClosed(s.idle) {
		close(s.idle)
	}
}

// enter lets an asker use a repository until leave is called. A hidden repository is refused as one
// that there is not.
func (s *Server) enter(ctx context.Context, repository string) (t api.Target, leave func(), err error) {
	a, err := s.options.Gate.Admit(ctx)
	if err != nil {
		return nil, nil, err
	}
	may := a.May(repository)
	t, ok := s.options.Backend.Target(repository)
	if !may || !ok {
		return nil, nil, wire.ErrNoRepository
	}
	end, err := a.Begin()
	if err != nil {
		return nil, nil, err
	}
	done, err := s.begin()
	if err != nil {
		end()
		return nil, nil, err
	}
	return t, func() { done(); end() }, nil
}

// Read implements nodepb.NodeServer.
func (s *Server) Read(ctx context.Context, m *nodepb.ReadRequest) (*nodepb.ReadReply, error) {
	t, leave, err := s.enter(ctx, m.GetRepository())
	if err != nil {
		return nil, err
	}
	defer leave()
	r, err := wire.DecodeRead(m)
	if err != nil {
		return nil, wire.ErrorOf(err)
	}
	ctx, cancel := context.WithTimeout(ctx, r.Options().Timeout)
	defer cancel()
	answer, err := t.Read(ctx, r)
	if isForCaller(err) {
		return nil, wire.ErrorOf(err)
	}
	reply, err := wire.EncodeAnswer(answer, err)
	return reply, wire.ErrorOf(err)
}

// isForCaller reports whether an error of a look-up says something about the node and not about the
// repository. It becomes the error of the call, so that another replica is asked.
func isForCaller(err error) bool {
	if err == nil {
		return false
	}
	f, ok := errors.AsType[*api.Failure](err)
	return !ok || f.Status == api.Overloaded || f.Status == api.Unreachable ||
		errors.Is(err, api.ErrClosed) || errors.Is(err, api.ErrNoProject)
}

// Route implements nodepb.NodeServer.
func (s *Server) Route(ctx context.Context, m *nodepb.RouteRequest) (*nodepb.RouteReply, error) {
	if s.options.Route == nil {
		return nil, status.Error(codes.Unimplemented, "this node counts no words")
	}
	a, err := s.options.Gate.Admit(ctx)
	if err != nil {
		return nil, err
	}
	done, err := s.begin()
	if err != nil {
		return nil, err
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, wire.BudgetOf(m.GetBudgetUs()))
	defer cancel()
	reply, err := s.options.Route(ctx, m, a.May)
	return reply, wire.ErrorOf(err)
}

// checkOracles returns an error for an Ask that names a channel which the repository has not.
func checkOracles(m *api.Ask, t api.Target) error {
	for _, name := range m.Oracles {
		if !slices.Contains(t.Channels(), name) {
			return fmt.Errorf("%w: no oracle %q; there are %s", wire.ErrInvalid, name, strings.Join(t.Channels(), ", "))
		}
	}
	return nil
}
