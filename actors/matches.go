package actors

import (
	"context"
	"time"

	"patina/code/lookup"
	"patina/store/doc"
)

// A MatchesRequest asks for the lines of files with a literal, or that match a regular expression.
// It gives one of the two.
type MatchesRequest struct {
	ReadOptions
	Literal string
	Regex   string // in the syntax of Go's regexp, for single lines
	Filter  doc.Filter
	Limit   int // lines wanted; all are counted
}

// A MatchesAnswer holds the lines found. It is partial if the time was over before all files were
// read.
type MatchesAnswer struct {
	Index IndexState
	lookup.TextMatches
}

// Matches implements Service.
func (e *Engine) Matches(ctx context.Context, r MatchesRequest) (*MatchesAnswer, error) {
	return lookUp[MatchesAnswer](ctx, e, r)
}

func (MatchesRequest) verb() string { return "matches" }

// A search keeps a part of its budget for the answer.
const (
	matchesShare = 10
	matchesMost  = 100 * time.Millisecond
)

func (r MatchesRequest) readFrom(ctx context.Context, d *desk) (any, error) {
	within := ctx
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		within, cancel = context.WithDeadline(ctx, end.Add(-reservedPart(time.Until(end), matchesShare, matchesMost)))
		defer cancel()
	}
	found, err := lookup.FindText(within, d.Reader, lookup.TextPattern{Literal: r.Literal, Regex: r.Regex}, r.Filter, r.Limit)
	return &MatchesAnswer{d.compared(), found}, err
}
