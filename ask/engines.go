package ask

import (
	"context"
	"errors"
	"time"

	"patina/actors/api"
	"patina/ask/fresh"
	"patina/ask/project"
	"patina/store"
)

// Engines opens engines on projects for a caller. A command opens one for each call, and a server
// keeps them.
type Engines interface {
	// Open opens an engine on a project. It waits for the index at most within, or without limit if
	// within is 0. The caller must call done after using the engine. The error wraps
	// store.ErrNoIndex if there is no index, and store.ErrForeign if the index is not trusted.
	Open(ctx context.Context, p project.Place, within time.Duration) (e api.Service, done func(), err error)
	// Mend makes the index that Open or a look-up missed. It reports whether to try again; false
	// means that no index should be made.
	Mend(ctx context.Context, p project.Place, m Missing) (bool, error)
	// Turn waits until no other call of the process compares and reads the tree of a project. The
	// caller must call next to end its turn.
	Turn(ctx context.Context, p project.Place) (next func())
	// Follow returns what follows a project's tree, for an engine that Open has returned. It
	// returns nil if the tree is not watched.
	Follow(p project.Place, e api.Service) Follower
}

// A Follower keeps an index up to date with its tree. A *fresh.Watcher is one.
type Follower interface {
	// Read returns the number of files and commits read so far.
	Read() int
	// Ready reports whether the tree is watched, and was compared with its index since.
	Ready() bool
	// Settle waits until all changes before the call are read, but at most within. The state
	// counts what was read since Read returned read.
	Settle(ctx context.Context, read int, within time.Duration) fresh.State
}

var _ Follower = (*fresh.Watcher)(nil)

// A Missing describes how an index was missed.
type Missing struct {
	Cause  error // wraps store.ErrNoIndex or store.ErrForeign
	Opened bool  // it was there when the engine was opened, and was removed since
	Tries  int   // number of times that it was mended before
}

// mostTries bounds the attempts to open an index, because under a server it may be removed again
// and again between opening and reading.
const mostTries = 4

// Open opens an engine on a project and passes it to f. If there is no index, Engines.Mend may make
// one. Then *p is set to the place with that index, mended is called, and f gets an engine on it.
// An error of making the index is a *MendError.
func Open(
	ctx context.Context, engines Engines, p *project.Place, within time.Duration, mended func(),
	f func(api.Service) error,
) error {
	for tries := 0; ; tries++ {
		opened, err := lend(ctx, engines, *p, within, f)
		missed := errors.Is(err, store.ErrNoIndex) || errors.Is(err, store.ErrForeign)
		if !missed || tries+1 == mostTries {
			return err
		}
		again, failed := engines.Mend(ctx, p.Of(p.Root, p.Store), Missing{Cause: err, Opened: opened, Tries: tries})
		switch {
		case failed != nil:
			return &MendError{failed}
		case !again:
			return err
		}
		*p = p.Of(p.Root, p.Store)
		mended()
	}
}

// lend opens an engine, passes it to f, and ends its use. ok reports whether it could be opened.
func lend(
	ctx context.Context, engines Engines, p project.Place, within time.Duration, f func(api.Service) error,
) (ok bool, err error) {
	e, done, err := engines.Open(ctx, p, within)
	if err != nil {
		return false, err
	}
	defer done()
	return true, f(e)
}
