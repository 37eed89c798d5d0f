package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/fresh"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/memory/recall"
	"patina/store/doc"
	"patina/wire/nodepb"
)

// maxMessage bounds a message. A tree of a million files has some 100 MB.
const maxMessage = 512 << 20

// drainTime is the time in which running calls may end when the server does. A command that is cut
// off asks an engine of its own.
const drainTime = 700 * time.Millisecond

// A Lender opens engines, and keeps them open after their use.
type Lender interface {
	Open(ctx context.Context, p project.Place, within time.Duration) (e api.Service, done func(), err error)
	// Follow is as in ask.Engines.
	Follow(p project.Place, e api.Service) ask.Follower
	// Followed is Follow for a tree that is already followed. It returns nil otherwise.
	Followed(p project.Place, e api.Service) ask.Follower
}

// Options configure a server. Home, Lender and Log must be set.
type Options struct {
	Home    string // of the user's records
	Version string // of this build
	Lender  Lender
	Log     *slog.Logger
	// Pages serves pages of a project until ctx ends, and calls ready once it listens. It may be
	// nil.
	Pages func(ctx context.Context, s Site, ready func(address string)) error
	// Idle is the time without a lent engine or a site after which Serve returns. 0 means never.
	Idle time.Duration
}

// A Server lends engines to the other processes of its user.
type Server struct {
	nodepb.UnimplementedLocalServer
	Options
	build, environment string
	pageEnvironment    string
	end                func() // ends Serve

	mu     sync.Mutex
	last   uint64
	leases map[uint64]*lease
	sites  int       // whose pages are served
	used   time.Time // when the last lease or site ended
}

// A lease is the use of an engine by a client. It ends with the stream that asked for it.
type lease struct {
	place  project.Place
	engine api.Service
	later  bool // the tree is to be watched when the lease ends; guarded by Server.mu
}

// NewServer returns a server. Clients of another build are refused.
func NewServer(o Options) *Server {
	thisFile()
	return &Server{
		Options: o, build: buildOf(o.Version), environment: environment(), pageEnvironment: pageEnvironment(), leases: map[uint64]*lease{},
		used: time.Now(),
	}
}

// Serve answers at a listener until ctx ends, or until no engine was lent for the time Idle. Then
// running calls have a moment to end. It closes the listener.
func (s *Server) Serve(ctx context.Context, l *Listener) error {
	g := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage),
		grpc.WaitForHandlers(false))
	nodepb.RegisterLocalServer(g, s)
	ctx, s.end = context.WithCancel(ctx)
	defer s.end()
	go s.watchIdle(ctx)
	ended := make(chan error, 1)
	go func() { ended <- g.Serve(l) }()
	select {
	case err := <-ended:
		return errors.Join(err, l.lock.Close())
	case <-ctx.Done():
	}
	s.mu.Lock()
	s.Log.Info("draining", "lent", len(s.leases))
	s.mu.Unlock()
	timer := time.AfterFunc(drainTime, g.Stop)
	defer timer.Stop()
	g.GracefulStop()
	if err := <-ended; err != nil {
		return fmt.Errorf("serve %q: %w", l.Path(), err)
	}
	return nil
}

// watchIdle ends the server when no engine was lent for the time Idle.
func (s *Server) watchIdle(ctx context.Context) {
	if s.Idle <= 0 {
		return
	}
	for {
		s.mu.Lock()
		left := s.Idle - time.Since(s.used)
		if len(s.leases) > 0 || s.sites > 0 {
			left = s.Idle
		}
		s.mu.Unlock()
		if left <= 0 {
			s.Log.Info("ending: no question for " + s.Idle.String())
			s.end()
			return
		}
		select {
		case <-time.After(max(left, time.Millisecond)):
		case <-ctx.Done():
			return
		}
	}
}

// Hello implements nodepb.LocalServer.
func (s *Server) Hello(context.Context, *nodepb.HelloRequest) (*nodepb.HelloReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &nodepb.HelloReply{
		Pid: int64(os.Getpid()), InUse: int64(len(s.leases)), Lent: s.last, Version: s.Version,
		Build: s.build, Environment: s.environment,
	}, nil
}

// Open implements nodepb.LocalServer.
func (s *Server) Open(r *nodepb.OpenRequest, stream grpc.ServerStreamingServer[nodepb.Opened]) error {
	refuse := func(why string) error { return stream.Send(&nodepb.Opened{Refused: why}) }
	if r.GetBuild() != s.build && replaced() {
		s.Log.Info("ending: this program was replaced by another build")
		s.end()
	}
	if why := differences(r, &nodepb.HelloReply{Build: s.build, Environment: s.environment}); why != "" {
		return refuse(why)
	}
	if err := stream.Send(&nodepb.Opened{Pid: int64(os.Getpid())}); err != nil {
		return err
	}
	p, ok := placeOf(s.Home, r.GetProject())
	if !ok {
		return refuse("the records say something else about the project")
	}
	// The engine may be open for long. Since then git may have begun to track the index.
	if _, err := p.Answering(stream.Context()); err != nil {
		return refuse(err.Error())
	}
	p.Scoring = recall.Scoring(r.GetScoring())
	e, done, err := s.Lender.Open(stream.Context(), p, time.Duration(r.GetWithinUs())*time.Microsecond)
	if err != nil {
		return refuse(err.Error())
	}
	defer done()
	id := s.beginLease(&lease{place: p, engine: e})
	defer s.finish(id)
	m := &nodepb.Opened{Lease: id, MayFollow: p.IsWritable()}
	if w := s.Lender.Followed(p, e); w != nil {
		m.Watched, m.Ready, m.Read = true, w.Ready(), int64(w.Read())
	}
	if err := stream.Send(m); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (s *Server) beginLease(l *lease) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.leases[s.last] = l
	return s.last
}

func (s *Server) finish(id uint64) {
	s.mu.Lock()
	l := s.leases[id]
	delete(s.leases, id)
	s.used = time.Now()
	s.mu.Unlock()
	if l.later {
		s.Lender.Follow(l.place, l.engine)
	}
}

// leaseOf returns a lease that has not ended.
func (s *Server) leaseOf(id uint64) (*lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.leases[id]; l != nil {
		return l, nil
	}
	return nil, status.Errorf(codes.NotFound, "no lease %d", id)
}

// Call implements nodepb.LocalServer.
func (s *Server) Call(ctx context.Context, r *nodepb.CallRequest) (*nodepb.CallReply, error) {
	l, err := s.leaseOf(r.GetLease())
	if err != nil {
		return nil, err
	}
	h, ok := handlers[r.GetVerb()]
	if !ok {
		return nil, status.Errorf(codes.Unimplemented, "no request %q", r.GetVerb())
	}
	answer, err := h.handle(ctx, l.engine, r.GetRequest())
	if f, ok := errors.AsType[*api.Failure](err); ok {
		return &nodepb.CallReply{Failure: encode(*f)}, nil
	}
	if err != nil {
		return nil, status.Error(codes.Unknown, err.Error())
	}
	return &nodepb.CallReply{Answer: answer}, nil
}

// Visit implements nodepb.LocalServer.
func (s *Server) Visit(ctx context.Context, r *nodepb.VisitRequest) (*nodepb.VisitReply, error) {
	l, err := s.leaseOf(r.GetLease())
	if err != nil {
		return nil, err
	}
	host, ok := l.engine.(visit.Host)
	if !ok {
		return nil, status.Error(codes.Unimplemented, "the engine answers for one project")
	}
	p, ok := placeOf(s.Home, r.GetProject())
	if !ok {
		return nil, status.Error(codes.FailedPrecondition, "the records say something else about the project")
	}
	v := visit.Visit{Place: p, Name: string(r.GetName())}
	if !r.GetAllKinds() {
		v.Kinds = []doc.Kind{}
		for _, k := range r.GetKinds() {
			v.Kinds = append(v.Kinds, doc.Kind(k))
		}
	}
	x, err := v.Answering(ctx)
	if err == nil {
		err = host.Visit(x)
	}
	if err != nil {
		return nil, status.Error(codes.Unknown, err.Error())
	}
	return &nodepb.VisitReply{}, nil
}

// Settle implements nodepb.LocalServer.
func (s *Server) Settle(ctx context.Context, r *nodepb.SettleRequest) (*nodepb.SettleReply, error) {
	l, err := s.leaseOf(r.GetLease())
	if err != nil {
		return nil, err
	}
	if r.GetLater() {
		s.mu.Lock()
		defer s.mu.Unlock()
		l.later = true
		return &nodepb.SettleReply{}, nil
	}
	w := s.Lender.Follow(l.place, l.engine)
	if w == nil {
		return &nodepb.SettleReply{Lost: true}, nil
	}
	state := w.Settle(ctx, int(r.GetRead()), time.Duration(r.GetWithinUs())*time.Microsecond)
	m := &nodepb.SettleReply{
		Lost: state.Lost, Read: int64(state.Read), Count: int64(state.Count), All: state.All,
	}
	for _, name := range state.Pending {
		m.Pending = append(m.Pending, []byte(name))
	}
	if state.Why != nil {
		m.Why = fresh.Unread(state.Why)
	}
	return m, nil
}
