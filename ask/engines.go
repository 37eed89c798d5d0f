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

// Engines opens engines on projects for a caller. A command opens one for each call, a server keeps
// them.
type Engines interface {
	// Open opens an engine on a project. It waits for the index no longer than within, unless that
	// is 0. done ends the use of the engine. The error wraps store.ErrNoIndex without an index, and
	// store.ErrForeign for one that is not believed.
	Open(ctx context.Context, p project.Place, within time.Duration) (e api.Service, done func(), err error)
	// Mend makes the index that Open, or a look-up, did not find. It reports whether to try again;
	// false means that none is to be made.
	Mend(ctx context.Context, p project.Place, m Missing) (bool, error)
	// Turn waits until no other call of the process compares and reads the tree of a project. next
	// ends the turn.
	Turn(ctx context.Context, p project.Place) (next func())
	// Follow returns what watches the tree of a project, for an engine that Open has returned. It
	// is nil if nothing does.
	Follow(p project.Place, e api.Service) *fresh.Watcher
}

// A Missing says how an index was missed.
type Missing struct {
	Cause  error // wraps store.ErrNoIndex or store.ErrForeign
	Opened bool  // it was there when the engine was opened, and removed since
	Tries  int   // how often it was mended before
}

// mostTries bounds the openings of an index that somebody removes again and again, under a server,
// between its being opened and being read.
const mostTries = 4

// Open opens an engine on a project and passes it to f. Where there is no index, one may be made
// (Engines.Mend): the place is then as it is with that index, and mended is called before the next
// try. An error of making it is a *MendError.
func Open(ctx context.Context, engines Engines, p *project.Place, within time.Duration, mended func(), f func(api.Service) error) error {
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

// lend passes an engine to f, if one can be opened.
func lend(ctx context.Context, engines Engines, p project.Place, within time.Duration, f func(api.Service) error) (ok bool, err error) {
	e, done, err := engines.Open(ctx, p, within)
	if err != nil {
		return false, err
	}
	defer done()
	return true, f(e)
}
