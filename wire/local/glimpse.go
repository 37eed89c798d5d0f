package local

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/wire/nodepb"
)

var _ api.Glimpser = (*lent)(nil)

// Glimpse implements api.Glimpser.
func (l *lent) Glimpse(ctx context.Context, r api.Request, show func(*api.Glimpse)) (*api.Answer, error) {
	return callEither(ctx, l,
		func() (*api.Answer, error) { return l.glimpseServer(ctx, r, show) },
		func(e api.Service) (*api.Answer, error) { return glimpse(ctx, e, r, show) })
}

// glimpse asks an engine. One that shows no glimpses answers only.
func glimpse(ctx context.Context, e api.Service, r api.Request, show func(*api.Glimpse)) (*api.Answer, error) {
	if g, ok := e.(api.Glimpser); ok {
		return g.Glimpse(ctx, r, show)
	}
	return e.Scry(ctx, r)
}

// A shown is one message of the stream of a question: glimpses, and the answer or its failure at
// the end.
type shown struct {
	Glimpse *api.Glimpse
	Answer  *api.Answer
	Failure *api.Failure
}

// glimpseServer asks the server. Its errors are those of callServer.
func (l *lent) glimpseServer(ctx context.Context, r api.Request, show func(*api.Glimpse)) (*api.Answer, error) {
	inner, done := l.b.link.watch(ctx)
	defer done()
	a, err := l.b.receiveGlimpses(inner, r, show)
	if err == nil {
		return a, nil
	}
	if f, ok := errors.AsType[*api.Failure](err); ok && !errors.Is(f, api.ErrClosed) {
		return nil, f
	}
	l.b.judge(inner, err)
	return nil, fmt.Errorf("%w: %w", errBeyond, err)
}

// receiveGlimpses asks the server, and passes each glimpse to show.
func (b *borrowed) receiveGlimpses(ctx context.Context, r api.Request, show func(*api.Glimpse)) (*api.Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the stream
	stream, err := b.link.calls.Glimpse(ctx, &nodepb.CallRequest{Lease: b.lease, Request: encode(r)})
	if err != nil {
		return nil, err
	}
	for {
		reply, err := stream.Recv()
		if err != nil {
			return nil, err
		}
		m := shown{}
		if err := decode(reply.GetAnswer(), &m); err != nil {
			return nil, err
		}
		switch {
		case m.Glimpse != nil:
			show(m.Glimpse)
		case m.Failure != nil:
			return nil, m.Failure
		case m.Answer != nil:
			return m.Answer, nil
		default:
			return nil, errors.New("an empty message")
		}
	}
}

// Glimpse implements nodepb.LocalServer.
func (s *Server) Glimpse(m *nodepb.CallRequest, stream grpc.ServerStreamingServer[nodepb.CallReply]) error {
	r := api.Request{}
	l, err := s.leaseOf(m.GetLease())
	if err != nil {
		return err
	}
	if err := decode(m.GetRequest(), &r); err != nil {
		return status.Error(codes.InvalidArgument, err.Error())
	}
	send := func(x shown) error { return stream.Send(&nodepb.CallReply{Answer: encode(x)}) }
	a, err := glimpse(stream.Context(), l.engine, r, func(g *api.Glimpse) {
		_ = send(shown{Glimpse: g}) // the answer has the same error
	})
	if f, ok := errors.AsType[*api.Failure](err); ok {
		return send(shown{Failure: f})
	}
	if err != nil {
		return status.Error(codes.Unknown, err.Error())
	}
	return send(shown{Answer: a})
}
