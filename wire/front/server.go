package front

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"patina/wire"
	"patina/wire/config"
	"patina/wire/enrol"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/pki"
	"patina/wire/serve"
)

// Options configure a Server.
type Options struct {
	Name string // of the front, for others to show
	// Config returns the configuration in force, which is another value after a change.
	Config func() *config.Config
	// Identify returns the holder of the verified certificate of a call's connection. If it is nil,
	// every caller is the user of this machine, and only a loopback address or a socket of the user
	// may be listened on.
	Identify    func(context.Context) (pki.Identity, error)
	Credentials credentials.TransportCredentials // of the server; nil: in the clear
	// ToNode returns the credentials of a connection to a node. If it is nil, the connections are
	// in the clear, and only loopback addresses are allowed.
	ToNode  func(config.Node) credentials.TransportCredentials
	CA      *pki.CA       // signs certificates; nil: this front signs none
	Beat    time.Duration // between beats of nodes; peer.Beat if 0
	Slots   int           // calls at once; 1,024 if 0
	Version string        // of patina, for others to show
	Log     *slog.Logger  // nil: nothing is logged
	// Expires returns when the certificate of the front expires. It is nil for a front without one.
	Expires func() time.Time
	GRPC    []grpc.ServerOption                 // further options of the server of grpc
	Dial    func(config.Node) []grpc.DialOption // of connections to a node, too; may be nil
}

// defaultSlots is how many calls a front passes on at once. Each costs some 100 kB.
const defaultSlots = 1024

// A Server is a front. Close ends it, after Stop or Drain.
type Server struct {
	nodepb.UnimplementedNodeServer
	nodepb.UnimplementedFrontServer
	*serve.Base
	options Options
	began   time.Time
	set     *peer.Set
	codec   codec
	hosts   *hosts
	counts  *counter
	signer  *enrol.Server
	listed  lists
	watches watches
	end     context.CancelFunc
	ended   sync.WaitGroup
}

// New returns a front that watches the nodes and does not listen yet. It returns an error for an
// address of a node that may not be asked, and for a CA where callers have no certificates.
func New(o Options) (*Server, error) {
	if o.CA != nil && o.Identify == nil {
		return nil, errors.New("a front that signs certificates must have one: secrets would be sent in the clear")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	set, err := peer.New(peer.Options{Nodes: o.Config().Trusted(), Credentials: o.ToNode, Dial: o.Dial, Beat: o.Beat, Log: o.Log})
	if err != nil {
		return nil, fmt.Errorf("start front: %w", err)
	}
	c := newCodec()
	s := &Server{options: o, began: time.Now(), set: set, codec: c, hosts: newHosts(set, o.Config)}
	isRevoked := func(name, serial string) bool { return o.Config().IsRevoked(name, serial) }
	s.signer = enrol.NewServer(o.CA, isRevoked, o.Log)
	s.counts = newCounter(set, s.hosts, o.Config, o.Identify == nil)
	s.Base = serve.NewBase(serve.Options{
		Gate:        &serve.Gate{Identify: o.Identify, Rights: func() serve.Rights { return o.Config() }},
		Credentials: o.Credentials, Slots: cmp.Or(o.Slots, defaultSlots), Version: o.Version, Log: o.Log, Expires: o.Expires,
		GRPC: append([]grpc.ServerOption{grpc.ForceServerCodecV2(c)}, o.GRPC...),
	})
	s.GRPC.RegisterService(passing(nodepb.Node_ServiceDesc), s)
	nodepb.RegisterFrontServer(s.GRPC, s)
	life, end := context.WithCancel(context.Background())
	s.end = end
	s.ended.Go(func() { s.hosts.followHosts(life) })
	s.ended.Go(func() {
		if s.Wait(life) == nil {
			s.counts.followCounts(life)
		}
	})
	return s, nil
}

// Set returns the nodes that the front asks. Only Close may close it.
func (s *Server) Set() *peer.Set { return s.set }

// Wait waits until each node was heard or is known to be silent, which takes less than a second.
// Before that, repositories are not known. It returns the error of ctx if that ends before.
func (s *Server) Wait(ctx context.Context) error {
	if err := s.set.Wait(ctx); err != nil {
		return err
	}
	s.hosts.refresh()
	return nil
}

// Update is called after the configuration has changed. It returns an error for an address of a
// node that may not be asked; then the front goes on with the nodes that it had.
func (s *Server) Update() error {
	s.hosts.update()
	if err := s.set.Update(s.options.Config().Trusted()); err != nil {
		return fmt.Errorf("take over nodes: %w", err)
	}
	return nil
}

// Close ends the calls under way and the connections to nodes.
func (s *Server) Close() {
	s.Stop()
	s.end()
	s.ended.Wait()
	s.set.Close()
}

// admit returns who makes a call, and counts it as one of theirs and of the server's until leave is
// called.
func (s *Server) admit(ctx context.Context) (a *serve.Asker, leave func(), err error) {
	if a, err = s.Gate().Admit(ctx); err != nil {
		return nil, nil, err
	}
	leave, err = s.beginCall(a)
	return a, leave, err
}

// begin counts a call of an asker until leave is called.
func (s *Server) beginCall(a *serve.Asker) (leave func(), err error) {
	end, err := a.Begin()
	if err != nil {
		return nil, err
	}
	done, err := s.Begin()
	if err != nil {
		end()
		return nil, err
	}
	return func() { done(); end() }, nil
}

// may reports whether an asker may ask a repository that there is. What is hidden and what is not
// there cost the same: nothing but a look at the configuration.
func (s *Server) may(a *serve.Asker, repository string) bool {
	return a.May(repository) && s.hosts.knows(repository)
}

// checkMay is may with the error for others.
func (s *Server) checkMay(a *serve.Asker, repository string) error {
	if !s.may(a, repository) {
		return wire.ErrNoRepository
	}
	return nil
}

// Enrol implements nodepb.FrontServer. It is the one call without a certificate.
func (s *Server) Enrol(ctx context.Context, m *nodepb.EnrolRequest) (*nodepb.Certificate, error) {
	done, err := s.Begin()
	if err != nil {
		return nil, err
	}
	defer done()
	return s.signer.Enrol(ctx, m)
}

// Renew implements nodepb.FrontServer.
func (s *Server) Renew(ctx context.Context, m *nodepb.RenewRequest) (*nodepb.Certificate, error) {
	done, err := s.Begin()
	if err != nil {
		return nil, err
	}
	defer done()
	return s.signer.Renew(ctx, m)
}
