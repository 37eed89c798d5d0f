package ask

import (
	"context"
	"time"

	"patina/actors/api"
	"patina/ask/fresh"
	"patina/ask/project"
)

// A sighting is the comparison of the tree with its index, made beside a question.
type sighting struct {
	done chan struct{}
	live *fresh.State // instead of s, where the tree is watched
	s    fresh.Sight
	err  error
	next func()          // ends the turn at the tree, once done is closed
	late <-chan struct{} // a disk that hangs is not waited for
}

// unlooked is printed for a tree that was not compared.
const unlooked = "not compared with the working tree"

// A tree compares the working tree of a call with its index, and says how far they are apart.
type tree struct {
	engines Engines
	refresh time.Duration // how long reading what changed may take; 0: nothing is compared
	frozen  bool          // the caller wants the index as it is
	limit   *deadline

	sighted *sighting // nil: nothing is compared
	lag     *api.Lag  // nil: nothing is known yet
	said    bool      // the answer says so
}

// look begins to compare the tree of a place with its index, unless that is forbidden.
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
	within := t.limit.remaining() / 3 // against a disk that hangs: the work is bounded otherwise
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

// settleWithin is how long an answer of a tool waits for what was just written. As long as the tree
// is not watched, it waits for a comparison of the whole tree, as a command does.
const settleWithin = 100 * time.Millisecond

// settle waits, beside the question, until what was written before is read.
func (t *tree) settle(ctx context.Context, f *fresh.Watcher) *sighting {
	within := settleWithin
	if !f.Ready() {
		within = t.limit.remaining() / 2
	}
	w := &sighting{done: make(chan struct{}), next: func() {}, live: &fresh.State{}}
	before := f.Read() // what is read from here on may be missing from the question's answer
	go func() {
		defer close(w.done)
		*w.live = f.Settle(ctx, before, within)
	}()
	return w
}

// watchedLag says how far the index is behind a tree that is watched.
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

// release ends the turn at the tree, at the latest when the look has ended.
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

// catchUp waits for the look and reads what changed, if that is quick. It reports whether the index
// has changed. lag then says what is known of the tree.
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

// State adds to an index's state how far it is behind its tree, for an answer that says so.
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

// Unsaid returns how far the index is behind its tree, where that was looked at and the answer does
// not say it; else nil.
func (t *tree) Unsaid() *api.Lag {
	if t.sighted == nil || t.said {
		return nil
	}
	return t.lag
}
