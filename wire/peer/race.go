package peer

import (
	"context"
	"errors"
	"strings"
	"time"

	"patina/actors/api"
	"patina/wire"
)

// A CallError is the error of a call at one node, after other nodes may have failed.
type CallError struct {
	Node   string
	Err    error // a status of grpc, or a *api.Failure of a node that is down
	Before []*CallError
}

// Error names each node that was asked.
func (e *CallError) Error() string {
	var all []string
	for _, x := range e.Before {
		all = append(all, x.text())
	}
	return strings.Join(append(all, e.text()), "; ")
}

func (e *CallError) text() string {
	if f, ok := errors.AsType[*api.Failure](e.Err); ok && f.Status == api.Unreachable {
		return f.Detail // it names the node
	}
	return e.Node + ": " + wire.FailureOf(e.Err).Detail
}

// Unwrap returns the error of the last node.
func (e *CallError) Unwrap() error { return e.Err }

// isRetryable reports whether another replica may answer.
func isRetryable(err error) bool {
	if f, ok := errors.AsType[*api.Failure](err); ok {
		return f.Status == api.Unreachable || f.Status == api.Overloaded
	}
	return wire.Retryable(err)
}

// How says how Try asks.
type How struct {
	Hedge bool   // a second replica may be asked beside a slow one
	Last  string // a node that is asked only if there is no other one
}

// Try calls do for one replica of a repository after the other, until one returns no error or an
// error that no other replica would mend. It cancels the losers, and returns the result with the
// winner's call, which the caller must End. do must use its context and the call's connection. It
// may run for two replicas at once, and its context ends with ctx until Try has returned.
//
// The error is a *CallError, a *api.Failure if no replica can be asked, or that of ctx.
func Try[T any](
	ctx context.Context, s *Set, repository string, how How, do func(context.Context, *Call) (T, error),
) (T, *Call, error) {
	replicas, err := s.replicas(ctx, repository, how.Last)
	if err != nil {
		var none T
		return none, nil, err
	}
	return try(ctx, s, repository, replicas, how, do)
}

// TryAny is Try for a call that is about no repository: any node that lives may answer.
func TryAny[T any](
	ctx context.Context, s *Set, how How, do func(context.Context, *Call) (T, error),
) (T, *Call, error) {
	living, err := s.living(ctx)
	if err != nil {
		var none T
		return none, nil, err
	}
	return try(ctx, s, "", living, how, do)
}

func try[T any](
	ctx context.Context, s *Set, repository string, replicas []candidate, how How,
	do func(context.Context, *Call) (T, error),
) (T, *Call, error) {
	var none T
	type outcome struct {
		call  *Call
		value T
		err   *CallError
		took  time.Duration
	}
	r := newRace(replicas, how.Hedge)
	got := make(chan outcome, len(replicas))
	var open []*Call
	ask := func(count func(node string)) {
		replica, attempt := r.take()
		count(replica.node)
		began := time.Now()
		c, err := s.beginCall(ctx, replica.node, attempt)
		if err != nil {
			got <- outcome{err: &CallError{Node: replica.node, Err: err}}
			return
		}
		open = append(open, c)
		go func() {
			v, err := do(c.life, c)
			o := outcome{call: c, value: v, took: time.Since(began)}
			if err != nil {
				o.err = &CallError{Node: c.Node, Err: c.reason(err)}
				c.End()
			}
			got <- o
		}()
	}
	var won *Call
	defer func() {
		for _, c := range open {
			if c != won {
				c.End()
			}
		}
	}()
	ask(func(string) {})
	slow := time.NewTimer(s.hedgeAfter(repository))
	defer slow.Stop()
	var errs []*CallError
	for {
		next, count := wait, s.countFailover
		select {
		case o := <-got:
			if o.err == nil {
				o.call.loosen()
				s.measure(repository, o.took)
				o.call.node.addAnswer(o.took)
				won = o.call
				return o.value, won, nil
			}
			next = r.onError(isRetryable(o.err.Err), timeLeft(ctx))
			if next == stop {
				o.err.Before = errs
				return none, nil, o.err
			}
			errs = append(errs, o.err)
		case <-slow.C:
			next, count = s.onSlow(r), s.countHedge
		case <-ctx.Done():
			return none, nil, ctx.Err()
		}
		if next == start {
			ask(count)
		}
	}
}

// timeLeft returns how much time a context has, or wire.MaxBudget without a deadline.
func timeLeft(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		return wire.MaxBudget
	}
	return time.Until(end)
}
