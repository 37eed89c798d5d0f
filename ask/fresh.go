package ask

import (
	"context"
	"time"

	"patina/actors/api"
	"patina/ask/fresh"
	"patina/ask/project"
)

// A sighting is a comparison of the tree with its index, made concurrently with a question.
type sighting struct {
	done chan struct{} // closed when the comparison has ended
	live *fresh.State  // instead of s, if the tree is watched
	s    fresh.Sight
	err  error
	next func()          // ends the turn at the tree; may be called once done is closed
	late <-chan struct{} // closed when the comparison must not be waited for, because a disk hangs
}

// unlooked is printed for a tree that was not compared.
const unlooked = "not compared with the working tree"

// A tree compares the working tree of a call with its index, and reports the difference.
type tree struct {
	engines  Engines
	refresh  time.Duration // time for reading changes; 0 means that the tree is not compared
	frozen   bool          // the caller wants the index as it is
	resident bool          // see Options
	limit    *deadline

	sighted *sighting // nil if the tree is not compared
	lag     *api.Lag  // nil if the difference is unknown
	watched bool      // the lag is that of a watched tree, all of which is looked at
	said    bool      // the answer states the difference
}

// look begins to compare the tree of a place with its index, unless that is forbidden. The sighting
// must be released.
func (t *tree) look(ctx context.Context, p project.Place, e api.Service) {
	t.sighted, t.watched = nil, false
	if p.Far != "" { // its own machine compares it
		t.lag = nil
		return
	}
	if t.refresh <= 0 {
		t.lag = &api.Lag{Why: unlooked + " (refresh = false)"}
		if t.frozen {
			t.lag.Why = unlooked + " (--no-refresh)"
		}
		return
	}
	if p.IsWritable() {
		if f := t.engines.Follow(p, e); f != nil {
			t.settle(ctx, p, e, f)
			return
		}
	}
	w := t.newSighting(t.limit.remaining() / 2)
	go func() {
		defer close(w.done)
		t.compare(ctx, p, e, w)
	}()
	t.sighted = w
}

// newSighting returns a sighting that must not be waited for longer than a time.
func (t *tree) newSighting(within time.Duration) *sighting {
	late := make(chan struct{})
	t.limit.clock.After(t.limit.clock.Elapsed()+within, func() { close(late) })
	return &sighting{done: make(chan struct{}), late: late, next: func() {}}
}

// compare compares the tree of a place with its index.
func (t *tree) compare(ctx context.Context, p project.Place, e api.Service, w *sighting) {
	within := t.limit.remaining() / 3 // in case a disk hangs; the work is bounded otherwise
	w.next = t.engines.Turn(ctx, p)
	w.s, w.err = fresh.Look(ctx, p, e, within, t.limit.clock)
}

// settleWithin is the time that an answer of a tool waits for recent changes. Until the tree is
// watched, it waits for a comparison of the whole tree, as a command does.
const settleWithin = 100 * time.Millisecond

// settle waits, concurrently with the question, until earlier changes are read. If nobody watches
// the tree any more, it compares the tree.
func (t *tree) settle(ctx context.Context, p project.Place, e api.Service, f Follower) {
	within := t.limit.remaining() / 2
	switch {
	case !f.Ready():
	case t.resident:
		within = settleWithin
	default:
		within = min(within, t.refresh)
	}
	w := t.newSighting(t.limit.remaining() * 3 / 4) // the wait, and a comparison
	t.sighted = w
	before := f.Read() // the question's answer may lack changes that are read from here on
	go func() {
		defer close(w.done)
		if s := f.Settle(ctx, before, within); !s.Lost {
			w.live = &s
			return
		}
		t.compare(ctx, p, e, w)
	}()
}

// watchedLag returns how far the index is behind a watched tree.
func (t *tree) watchedLag(l fresh.State) *api.Lag {
	lag := &api.Lag{Watched: t.resident, Folders: true, Read: l.Read}
	if l.Behind() {
		lag.Pending, lag.Why = l.Pending, "being read"
	}
	if l.Behind() && l.Count == 0 {
		lag.Why = "the tree is still being compared"
	}
	if l.Why != nil {
		lag.Why = fresh.Unread(l.Why)
	}
	return lag
}

// release ends the turn at the tree, once the comparison has ended. w may be nil.
func (w *sighting) release() {
	if w == nil {
		return
	}
	select {
	case <-w.done:
		w.next()
	default:
		go func() {
			<-w.done
			w.next()
		}()
	}
}

// catchUp waits for the comparison and reads the changes, if that is quick. It sets t.lag, and
// reports whether the index has changed.
func (t *tree) catchUp(ctx context.Context, p project.Place) bool {
	w := t.sighted
	if w == nil {
		return false
	}
	defer w.release()
	select {
	case <-w.done:
	case <-w.late:
		t.lag = &api.Lag{Folders: true, Why: "the tree could not be looked at in time"}
		return false
	case <-ctx.Done():
		return false
	}
	if w.live != nil {
		t.lag, t.watched = t.watchedLag(*w.live), true
		return w.live.Read > 0
	}
	if w.err != nil {
		t.lag = &api.Lag{Folders: true, Why: "the tree could not be looked at: " + w.err.Error()}
		return false
	}
	t.lag = &api.Lag{Files: w.s.Known, Looked: w.s.Looked, Folders: w.s.Folders, Quiet: w.s.Quiet}
	if !w.s.Moved() {
		return false
	}
	n, err := fresh.Refresh(ctx, p, w.s, min(t.refresh, t.limit.remaining()/2))
	if err != nil {
		t.lag.Pending, t.lag.New = append(w.s.Removed, w.s.Changed...), w.s.New
		if w.s.Head || w.s.Files() > 0 {
			t.lag.Why = fresh.Unread(err)
		}
		return false
	}
	t.lag.Read = n
	return true
}

// State returns an index's state with its lag behind the tree, for an answer that states it.
func (t *tree) State(x api.IndexState) api.IndexState {
	x.Lag, t.said = t.lag, true
	if x.Lag != nil && x.Lag.Files == 0 {
		lag := *x.Lag
		lag.Files, x.Lag = x.Generation.Files, &lag
		if t.watched {
			lag.Looked = lag.Files
		}
	}
	return x
}

// Unsaid returns the lag of the index behind its tree, or nil if the tree was not compared or the
// answer has stated the lag.
func (t *tree) Unsaid() *api.Lag {
	if t.sighted == nil || t.said {
		return nil
	}
	return t.lag
}
