package wire

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/actors/api"
	"patina/wire/nodepb"
)

// The statuses of an engine cross as codes and come back.
func TestStatusesCrossAsCodes(t *testing.T) {
	for _, want := range []api.Status{api.Unreachable, api.Overloaded, api.Deadline, api.Unavailable, api.Failed} {
		err := ErrorOf(fmt.Errorf("ask: %w", &api.Failure{Status: want, Detail: "why"}))
		if f := FailureOf(err); f.Status != want || !strings.Contains(f.Detail, "why") {
			t.Errorf("%s: %v becomes %+v", want, err, f)
		}
	}
	for _, test := range []struct {
		err   error
		code  codes.Code
		is    error // of the failure; nil: not looked at
		again bool
	}{
		{fmt.Errorf("ask: %w %q; there are a, b", api.ErrNoProject, "x"), codes.NotFound, api.ErrNoProject, false},
		{context.DeadlineExceeded, codes.DeadlineExceeded, context.DeadlineExceeded, false},
		{context.Canceled, codes.Canceled, context.Canceled, false},
		{api.ErrClosed, codes.Unavailable, nil, true},
		{fmt.Errorf("%w: limit -1", ErrInvalid), codes.InvalidArgument, nil, false},
		{errors.New("torn page"), codes.Internal, nil, true},
		{&api.Failure{Status: api.Overloaded}, codes.ResourceExhausted, nil, true},
		{status.Error(codes.Unimplemented, "no such call"), codes.Unimplemented, nil, false},
	} {
		err := ErrorOf(test.err)
		if status.Code(err) != test.code || Retryable(err) != test.again {
			t.Errorf("%v becomes %v, retryable %v", test.err, err, Retryable(err))
		}
		if f := FailureOf(err); test.is != nil && !errors.Is(f, test.is) {
			t.Errorf("%v is not %v", f, test.is)
		}
	}
	if ErrorOf(nil) != nil {
		t.Error("nil is an error")
	}
}

// A hidden repository and one that there is not look alike, and no path of the machine is told.
func TestErrorsTellNothing(t *testing.T) {
	if got := ErrorOf(fmt.Errorf("%w %q; there are secret, plans", api.ErrNoProject, "x")); got.Error() != ErrNoRepository.Error() {
		t.Error(got)
	}
	if got := ErrorOf(errors.New("open /srv/patina/index.db: no such file")); strings.Contains(got.Error(), "/srv") {
		t.Error(got)
	}
}

// Which replica is fresher is said by head and scrape, within what clocks of fetching differ.
func TestFresher(t *testing.T) {
	at := func(head string, minutes int64) *nodepb.Hosted {
		return &nodepb.Hosted{Head: head, ScrapedAtUnix: 60 * minutes}
	}
	for _, test := range []struct {
		a, b *nodepb.Hosted
		want bool
	}{
		{at("x", 30), at("y", 10), true},
		{at("y", 10), at("x", 30), false},
		{at("x", 19), at("y", 10), false}, // within the same ten minutes
		{at("x", 90), at("x", 10), false}, // the same commit
		{at("x", 90), nil, true},
	} {
		if got := Fresher(test.a, test.b); got != test.want {
			t.Errorf("%v, %v: %v", test.a, test.b, got)
		}
	}
}
