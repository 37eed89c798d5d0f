package serve

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/wire"
	"patina/wire/nodepb"
)

type queryStream = grpc.BidiStreamingServer[nodepb.ToRepository, nodepb.FromRepository]

// Query implements nodepb.NodeServer. The stream is the hold on the generation that is asked. It
// lasts wire.MaxBudget at most, because an asker may be gone without a word.
func (s *Server) Query(st queryStream) error {
	life, cancel := context.WithTimeout(st.Context(), wire.MaxBudget)
	defer cancel()
	in, err := receive(life, st)
	if err != nil {
		return unlessEnded(err)
	}
	ask := in.GetAsk()
	if ask == nil {
		return status.Error(codes.InvalidArgument, "a query begins with an Ask")
	}
	t, leave, err := s.enterRepository(life, ask.GetRepository())
	if err != nil {
		return err
	}
	defer leave()
	m, err := wire.DecodeAsk(ask, fmt.Sprintf("wire.%d", s.serial.Add(1)))
	if err == nil {
		err = checkOracles(m, t)
	}
	if err != nil {
		return wire.ErrorOf(err)
	}
	ended := false
	defer func() { // also after a panic: the hold must end
		if !ended {
			_, _ = t.Describe(context.WithoutCancel(life), &api.Describe{Query: m.Query})
		}
	}()
	if err := answerAsk(life, st, t, m); err != nil {
		return err
	}
	in, err = receive(life, st)
	if err != nil {
		return unlessEnded(err)
	}
	describe := in.GetDescribe()
	if describe == nil {
		return status.Error(codes.InvalidArgument, "a Describe follows an Ask")
	}
	if err := s.mayStill(life, ask.GetRepository()); err != nil {
		return err
	}
	d, err := wire.DecodeDescribe(describe, m.Query)
	if err != nil || len(d.Wants) == 0 {
		return wire.ErrorOf(err)
	}
	ended = true // whatever becomes of it
	return answerDescribe(life, st, t, d)
}

// mayStill checks the rights of an asker in the second message of a stream.
func (s *Server) mayStill(ctx context.Context, repository string) error {
	a, err := s.options.Gate.Admit(ctx)
	if err == nil && !a.May(repository) {
		err = wire.ErrNoRepository
	}
	return err
}

// receive returns the next message of a stream. It returns io.EOF when the asker has ended it, and
// an error by the end of ctx at the latest.
func receive(ctx context.Context, st queryStream) (*nodepb.ToRepository, error) {
	type message struct {
		in  *nodepb.ToRepository
		err error
	}
	got := make(chan message, 1)
	go func() { // it ends with the stream, which ends when its handler returns
		in, err := st.Recv()
		got <- message{in, err}
	}()
	select {
	case m := <-got:
		return m.in, m.err
	case <-ctx.Done():
		return nil, wire.ErrorOf(ctx.Err())
	}
}

// unlessEnded returns nil for a stream that the asker has ended, because nothing is shown then.
func unlessEnded(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// answerAsk sends the lists for an Ask.
func answerAsk(ctx context.Context, st queryStream, t api.Target, m *api.Ask) error {
	ctx, cancel := context.WithTimeout(ctx, m.Budget)
	defer cancel()
	l, err := t.Ask(ctx, m)
	if err != nil {
		return wire.ErrorOf(err)
	}
	if why := refusal(l); why != "" {
		return status.Error(codes.ResourceExhausted, why)
	}
	out, err := wire.EncodeLists(l)
	if err != nil {
		return wire.ErrorOf(err)
	}
	return st.Send(&nodepb.FromRepository{Of: &nodepb.FromRepository_Lists{Lists: out}})
}

// refusal returns why nothing was searched because the repository has too much to do, or "".
func refusal(l *api.Lists) string {
	why := ""
	for _, c := range l.Channels {
		if c.Status != api.Overloaded {
			return ""
		}
		why = c.Detail
	}
	return why
}

// answerDescribe sends descriptions.
func answerDescribe(ctx context.Context, st queryStream, t api.Target, d *api.Describe) error {
	ctx, cancel := context.WithTimeout(ctx, d.Budget)
	defer cancel()
	found, err := t.Describe(ctx, d)
	if err != nil {
		return wire.ErrorOf(err)
	}
	out, err := wire.EncodeDescriptions(found)
	if err != nil {
		return wire.ErrorOf(err)
	}
	return st.Send(&nodepb.FromRepository{Of: &nodepb.FromRepository_Descriptions{Descriptions: out}})
}
