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
	engines Engines
	refresh time.Duration // time for reading changes; 0 means that the tree is not compared
	frozen  bool          // the caller wants the index as it is
	limit   *deadline

	sighted *sighting // nil if the tree is not compared
	lag     *api.Lag  // nil if the difference is unknown
	said    bool      // the answer states the difference
}

// look begins to compare the tree of a place with its index, unless that is forbidden. The sighting
// must be released.
func (t *tree) look(ctx context.Context, p project.Place, e api.Service) {
	t.sighted = nil
	if t.refresh <= 0 {
		t.lag = &api.Lag{Why: unlooked + " (refresh = false)"}
		if t.frozen {
			t.lag.Why = unlooked + " (--no-refresh)"
		}
		return
	}
	if p.IsWritable() {
		if w := t.engines.Follow(p, e); w != nil {
			t.sighted = t.settle(ctx, w)
			return
		}
	}
	within := t.limit.remaining() / 3 // in case a disk hangs; the work is bounded otherwise
	late := make(chan struct{})
	t.limit.clock.After(t.limit.clock.Elapsed()+t.limit.remaining()/2, func() { close(late) })
	w := &sighting{done: make(chan struct{}), late: late}
	clock := t.limit.clock
	go func() {
		defer close(w.done)
		w.next = t.engines.Turn(ctx, p)
		w.s, w.err = fresh.Look(ctx, p, e, within, clock)
	}()
	t.sighted = w
}

// settleWithin is the time that an answer of a tool waits for recent changes. Until the tree is
// watched, it waits for a comparison of the whole tree, as a command does.
const settleWithin = 100 * time.Millisecond

// settle waits, concurrently with the question, until earlier changes are read.
func (t *tree) settle(ctx context.Context, f *fresh.Watcher) *sighting {
	within := settleWithin
	if !f.Ready() {
		within = t.limit.remaining() / 2
	}
	w := &sighting{done: make(chan struct{}), next: func() {}, live: &fresh.State{}}
	before := f.Read() // the question's answer may lack changes that are read from here on
	go func() {
		defer close(w.done)
		*w.live = f.Settle(ctx, before, within)
	}()
	return w
}

// watchedLag returns how far the index is behind a watched tree.
func watchedLag(l fresh.State) *api.Lag {
	lag := &api.Lag{Watched: true, Folders: true, Read: l.Read}
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
		t.lag = watchedLag(*w.live)
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
		if lag.Watched {
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
