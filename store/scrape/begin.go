package scrape

import (
	"context"
	"time"

	"patina/store/scrape/walk"
)

// accept waits until git has accepted the tree, and then lets the caller claim the store: nothing
// is written before.
func (r *run) accept(ctx context.Context) (err error) {
	var paths []string
	if r.named() {
		paths = r.o.Files
	}
	if r.begun, err = walk.Begin(ctx, r.o.Root, paths); err != nil || r.o.Claim == nil {
		return err
	}
	if r.o.Ownership, err = r.o.Claim(); err != nil {
		return claimError{err}
	}
	return nil
}

// A claimError is the caller's own.
type claimError struct{ error }

// staleTick is more than the clock of files lags behind that of the process.
const staleTick = 20 * time.Millisecond

// stale gives up a listing that has begun before another scrape held the store: that one may have
// seen more.
func (r *run) stale() {
	if r.begun != nil && r.w.Before().After(r.begun.At.Add(-staleTick)) {
		r.begun.End()
		r.begun = nil
	}
}

// begin returns the listing that has begun if it is one of what is wanted, else another one.
func (r *run) begin(ctx context.Context, paths []string) (*walk.Walk, error) {
	b := r.begun
	r.begun = nil
	if b != nil && b.Named == (len(paths) > 0) {
		return b, nil
	}
	if b != nil {
		b.End()
	}
	return walk.Begin(ctx, r.o.Root, paths)
}

// over ends a listing that nobody wanted.
func (r *run) over() {
	if r.begun != nil {
		r.begun.End()
	}
}
