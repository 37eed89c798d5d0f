package wire

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/wire/nodepb"
)

// NoRepository is the answer for a repository that there is not, and for one that the caller may
// not see.
const NoRepository = "no such repository"

// ErrNoRepository is the error of a call for such a repository.
var ErrNoRepository = status.Error(codes.NotFound, NoRepository)

// codesOf are the codes of statuses, for calls that have no other way to say them.
var codesOf = map[api.Status]codes.Code{
	api.Unreachable: codes.Unavailable,
	api.Overloaded:  codes.ResourceExhausted,
	api.Deadline:    codes.DeadlineExceeded,
	api.Unavailable: codes.FailedPrecondition,
	api.Failed:      codes.Internal,
}

// ErrorOf returns an engine's error as that of a call. nil is nil. It hides absolute paths, and
// which repositories there are.
func ErrorOf(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := status.FromError(err); ok {
		return err
	}
	code := codes.Internal
	f, ok := errors.AsType[*api.Failure](err)
	switch {
	case errors.Is(err, api.ErrNoProject):
		return ErrNoRepository
	case errors.Is(err, ErrInvalid):
		code = codes.InvalidArgument
	case errors.Is(err, api.ErrClosed): // the node is about to end
		code = codes.Unavailable
	case ok && f.Status.OfFailure():
		code = codesOf[f.Status]
	case errors.Is(err, context.DeadlineExceeded):
		code = codes.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		code = codes.Canceled
	}
	return status.Error(code, valid(withoutPaths(err.Error())))
}

// FailureOf returns the error of a call to a peer as a failure, without its project and request.
// err must not be nil. A *api.Failure is returned as it is.
func FailureOf(err error) *api.Failure {
	if f, ok := errors.AsType[*api.Failure](err); ok {
		return f
	}
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err)
	}
	f := &api.Failure{Status: api.Failed, Detail: s.Message()}
	switch s.Code() {
	case codes.Unavailable:
		f.Status = api.Unreachable
	case codes.ResourceExhausted:
		f.Status = api.Overloaded
	case codes.DeadlineExceeded:
		f.Status, f.Causes = api.Deadline, api.CausesOf(context.DeadlineExceeded)
	case codes.Canceled:
		f.Status, f.Causes = api.Deadline, api.CausesOf(context.Canceled)
	case codes.NotFound:
		f.Status, f.Causes = api.Unavailable, api.CausesOf(api.ErrNoProject)
	case codes.FailedPrecondition:
		f.Status = api.Unavailable
	}
	return f
}

// Retryable reports whether another replica may answer where one returned this error.
func Retryable(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.ResourceExhausted, codes.Internal:
		return true
	}
	return false
}

// Fresher reports whether the index of a is newer than that of b: of another commit, and scraped
// later by more than SameAge. The numbers of generations say nothing, because each replica counts
// its own.
func Fresher(a, b *nodepb.Hosted) bool {
	return a.GetHead() != b.GetHead() && a.GetScrapedAtUnix()-b.GetScrapedAtUnix() > int64(SameAge.Seconds())
}
