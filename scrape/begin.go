package scrape

import (
	"context"
	"time"

	"patina/scrape/walk"
)

// accept waits until git has accepted the tree, then lets the caller claim the store. Nothing may
// be written before it returns.
func (r *run) accept(ctx context.Context) (err error) {
	var paths []string
	if r.readsSome() {
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

// A claimError wraps an error from Options.Claim, because Run returns that unchanged.
type claimError struct{ error }

// staleTick is longer than file times lag behind the process's clock.
const staleTick = 20 * time.Millisecond

// stale drops a walk that began before another scrape held the store, because the other may have
// seen more.
func (r *run) stale() {
	if r.begun != nil && r.w.Before().After(r.begun.At.Add(-staleTick)) {
		r.begun.End()
		r.begun = nil
	}
}

// beginWalk returns the running walk if it lists the same paths, else another one.
func (r *run) beginWalk(ctx context.Context, paths []string) (*walk.Walk, error) {
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

// endWalk ends an unused walk, if there is one.
func (r *run) endWalk() {
	if r.begun != nil {
		r.begun.End()
	}
}
