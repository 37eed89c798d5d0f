package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/nodepb"
)

// A Server answers calls for the repositories of its Backend. Stop or Drain ends it.
type Server struct {
	nodepb.UnimplementedNodeServer
	*Base
	serial atomic.Uint64 // names queries
	sums   sums
}

// New returns a server that does not listen yet.
func New(o Options) *Server {
	s := &Server{Base: NewBase(o)}
	nodepb.RegisterNodeServer(s.GRPC, s)
	return s
}

// enter lets an asker use a repository until leave is called. A hidden repository is refused as one
// that there is not.
func (s *Server) enterRepository(ctx context.Context, repository string) (t api.Target, leave func(), err error) {
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
	done, err := s.Begin()
	if err != nil {
		end()
		return nil, nil, err
	}
	return t, func() { done(); end() }, nil
}

// Read implements nodepb.NodeServer.
func (s *Server) Read(ctx context.Context, m *nodepb.ReadRequest) (*nodepb.ReadReply, error) {
	t, leave, err := s.enterRepository(ctx, m.GetRepository())
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

// checkOracles returns an error for an Ask that names a channel which the repository has not.
func checkOracles(m *api.Ask, t api.Target) error {
	for _, name := range m.Oracles {
		if !slices.Contains(t.Channels(), name) {
			return fmt.Errorf("%w: no oracle %q; there are %s", wire.ErrInvalid, name, strings.Join(t.Channels(), ", "))
		}
	}
	return nil
}
