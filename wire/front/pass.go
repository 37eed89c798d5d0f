package front

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/nodepb"
	"patina/wire/peer"
	"patina/wire/serve"
)

// passing returns the description of a Node service whose Query and Read get frames.
func passing(d grpc.ServiceDesc) *grpc.ServiceDesc {
	d.Streams, d.Methods = slices.Clone(d.Streams), slices.Clone(d.Methods)
	for i, x := range d.Streams {
		if x.StreamName == queryStream.StreamName {
			d.Streams[i].Handler = func(srv any, st grpc.ServerStream) error { return srv.(*Server).passQuery(st) }
		}
	}
	for i, x := range d.Methods {
		if strings.HasSuffix(nodepb.Node_Read_FullMethodName, "/"+x.MethodName) {
			d.Methods[i].Handler = handleRead
		}
	}
	return &d
}

// queryStream describes the stream of a question to a node.
var queryStream = &grpc.StreamDesc{StreamName: "Query", ServerStreams: true, ClientStreams: true}

// passQuery passes a question on to a replica. Until the first answer another replica may take
// over. Then the stream stays with the replica that has the generation, and ends with it: whoever
// asks begins anew.
func (s *Server) passQuery(st grpc.ServerStream) error {
	life, cancel := context.WithTimeout(st.Context(), wire.MaxBudget)
	defer cancel()
	if _, err := s.Gate().Admit(life); err != nil {
		return err // who is not known has no stream
	}
	first, err := receive(life, st)
	if err != nil {
		return unlessEnded(err)
	}
	var m nodepb.ToRepository
	if proto.Unmarshal(first.bytes, &m) != nil || m.GetAsk() == nil {
		return status.Error(codes.InvalidArgument, "a query begins with an Ask")
	}
	ask := m.GetAsk()
	a, leave, err := s.enterRepository(life, ask.GetRepository())
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(forUser(life, a), wire.BudgetOf(ask.GetBudgetUs()))
	defer cancel()
	q, call, err := peer.Try(ctx, s.set, ask.GetRepository(), peer.How{Hedge: true},
		func(life context.Context, c *peer.Call) (*question, error) {
			return s.askNode(life, c, first, c.Budget(timeLeft(ctx)))
		})
	if err != nil {
		return s.errorOf(err, ask.GetRepository())
	}
	defer call.End()
	defer context.AfterFunc(life, call.End)()
	if err := st.SendMsg(q.lists); err != nil {
		return err
	}
	next, err := receiveOr(life, st, call.Context().Done())
	if errors.Is(err, errOver) {
		return s.nodeError(&peer.CallError{Node: call.Node, Err: call.Reason(wire.ErrorOf(api.ErrClosed))})
	}
	if err != nil {
		return unlessEnded(err)
	}
	if a, err = s.Gate().Admit(life); err == nil {
		err = s.checkMay(a, ask.GetRepository())
	}
	if err != nil {
		return err
	}
	_ = q.stream.SendMsg(next) // the error is what it is in RecvMsg
	var answer frame
	err = q.stream.RecvMsg(&answer)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return s.nodeError(&peer.CallError{Node: call.Node, Err: call.Reason(err)})
	}
	return st.SendMsg(&answer)
}

// A question is a stream to a node after its first answer.
type question struct {
	stream grpc.ClientStream
	lists  *frame
}

// ask sends an Ask to a node, and returns the stream with its lists.
func (s *Server) askNode(life context.Context, c *peer.Call, first *frame, budget time.Duration) (*question, error) {
	st, err := c.Conn.NewStream(life, queryStream, nodepb.Node_Query_FullMethodName, grpc.ForceCodecV2(s.codec))
	if err != nil {
		return nil, err
	}
	again := &nodepb.AskRequest{BudgetUs: budget.Microseconds(), Attempt: int32(c.Attempt)}
	m, err := with(first, &nodepb.ToRepository{Of: &nodepb.ToRepository_Ask{Ask: again}})
	if err != nil {
		return nil, err
	}
	_ = st.SendMsg(m) // the error is what it is in RecvMsg
	q := &question{stream: st, lists: &frame{}}
	return q, unlessMoved(st.RecvMsg(q.lists))
}

// unlessMoved returns an error of a node. That it has no such repository becomes an error after
// which another replica is asked: the node has dropped it a moment ago, and it was allowed here.
func unlessMoved(err error) error {
	if status.Code(err) == codes.NotFound {
		return status.Error(codes.Unavailable, "does not host the repository any more")
	}
	return err
}

// enter lets an asker use a repository until leave is called.
func (s *Server) enterRepository(ctx context.Context, repository string) (a *serve.Asker, leave func(), err error) {
	if a, err = s.Gate().Admit(ctx); err != nil {
		return nil, nil, err
	}
	if err = s.checkMay(a, repository); err != nil {
		return nil, nil, err
	}
	leave, err = s.beginCall(a)
	return a, leave, err
}

// forUser returns the context of calls to nodes for an asker. It has none of the metadata of the
// asker's own call.
func forUser(ctx context.Context, a *serve.Asker) context.Context {
	if a.User == "" {
		return metadata.NewOutgoingContext(ctx, nil)
	}
	return metadata.NewOutgoingContext(ctx, metadata.Pairs(serve.ForUser, a.User))
}

// receive returns the next message of a stream. It returns io.EOF when the asker has ended it, and
// an error by the end of ctx at the latest.
func receive(ctx context.Context, st grpc.ServerStream) (*frame, error) {
	return receiveOr(ctx, st, nil)
}

var errOver = errors.New("the call is over")

// receiveOr is receive until over is closed. Then it returns errOver.
func receiveOr(ctx context.Context, st grpc.ServerStream, over <-chan struct{}) (*frame, error) {
	got := make(chan error, 1)
	f := &frame{}
	// It ends with the stream, which ends when its handler returns.
	go func() { got <- st.RecvMsg(f) }()
	select {
	case err := <-got:
		return f, err
	case <-ctx.Done():
		return nil, wire.ErrorOf(ctx.Err())
	case <-over:
		return nil, errOver
	}
}

// unlessEnded returns nil for a stream that its other end has ended in order.
func unlessEnded(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func handleRead(srv any, ctx context.Context, dec func(any) error, through grpc.UnaryServerInterceptor) (any, error) {
	in := new(frame)
	if err := dec(in); err != nil {
		return nil, err
	}
	do := func(ctx context.Context, in any) (any, error) { return srv.(*Server).passRead(ctx, in.(*frame)) }
	if through == nil {
		return do(ctx, in)
	}
	return through(ctx, in, &grpc.UnaryServerInfo{Server: srv, FullMethod: nodepb.Node_Read_FullMethodName}, do)
}

// passRead passes a look-up on to a replica.
func (s *Server) passRead(ctx context.Context, in *frame) (*frame, error) {
	var m nodepb.ReadRequest
	if err := proto.Unmarshal(in.bytes, &m); err != nil {
		return nil, status.Error(codes.InvalidArgument, "the message is no ReadRequest")
	}
	a, leave, err := s.enterRepository(ctx, m.GetRepository())
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(forUser(ctx, a), wire.BudgetOf(m.GetBudgetUs()))
	defer cancel()
	end, _ := ctx.Deadline()
	out, call, err := peer.Try(ctx, s.set, m.GetRepository(), peer.How{Hedge: true},
		func(life context.Context, c *peer.Call) (*frame, error) {
			life, cancel := context.WithDeadline(life, end)
			defer cancel()
			in, err := with(in, &nodepb.ReadRequest{BudgetUs: c.Budget(time.Until(end)).Microseconds()})
			if err != nil {
				return nil, err
			}
			out := &frame{}
			err = c.Conn.Invoke(life, nodepb.Node_Read_FullMethodName, in, out, grpc.ForceCodecV2(s.codec))
			return out, unlessMoved(err)
		})
	if err != nil {
		return nil, s.errorOf(err, m.GetRepository())
	}
	call.End()
	return out, nil
}

// timeLeft returns how much time a context with a deadline has.
func timeLeft(ctx context.Context) time.Duration {
	end, _ := ctx.Deadline()
	return time.Until(end)
}

// errorOf returns an error of peer.Try as that of the call. An error that is about the question is
// as the node gave it. One that is about nodes names them, without their addresses, which are
// nobody's business.
func (s *Server) errorOf(err error, repository string) error {
	call, ok := errors.AsType[*peer.CallError](err)
	if !ok {
		f, ok := errors.AsType[*api.Failure](err)
		switch {
		case !ok: // that of the context
			return wire.ErrorOf(err)
		case f.Status == api.Failed: // another protocol
			return status.Error(codes.Internal, f.Detail)
		}
		return s.noneUp(repository)
	}
	last := s.nodeError(call)
	if !wire.Retryable(last) {
		return last
	}
	var texts []string
	for _, x := range append(slices.Clip(call.Before), call) {
		texts = append(texts, status.Convert(s.nodeError(x)).Message())
	}
	return status.Error(status.Code(last), strings.Join(texts, "; "))
}

// nodeError returns the error of a call to a node for the asker. It names the node if another one
// might do better.
func (s *Server) nodeError(e *peer.CallError) error {
	_, down := errors.AsType[*api.Failure](e.Err)
	switch {
	case down || status.Code(e.Err) == codes.Unavailable:
		s.Log().Debug("call failed", "node", e.Node, "why", e.Err.Error())
		return status.Error(codes.Unavailable, s.hosts.condition(e.Node))
	case wire.Retryable(e.Err):
		return status.Error(status.Code(e.Err), e.Node+": "+status.Convert(e.Err).Message())
	}
	return wire.ErrorOf(e.Err)
}

// noneUp returns the error for a repository of which no replica can be asked.
func (s *Server) noneUp(repository string) error {
	hosting := s.hosts.hosting(repository)
	if len(hosting) == 0 {
		return wire.ErrNoRepository
	}
	var texts []string
	for _, n := range hosting {
		texts = append(texts, s.hosts.condition(n))
	}
	return status.Error(codes.Unavailable, strings.Join(texts, "; "))
}
