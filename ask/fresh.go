package ask

import (
	"context"
	"time"

	"patina/actors"
	"patina/ask/fresh"
	"patina/ask/watch"
)

// A sighting is the comparison of the tree with its index, made beside a question.
type sighting struct {
	done chan struct{}
	live *watch.State // instead of s, where the tree is watched
	s    fresh.Sight
	err  error
	next func()          // ends the turn at the tree, once done is closed
	late <-chan struct{} // a disk that hangs is not waited for
}

// unlooked is what an answer says of a tree that was not looked at.
const unlooked = "not compared with the working tree"

// A tree is what a call knows of the working tree.
type tree struct {
	sighted *sighting
	lag     *actors.Lag // nil: the tree was not compared
	said    bool        // the answer says so
}

// look begins to compare the tree with the index. It returns nil where that is forbidden.
func (c *Call) look(ctx context.Context, e actors.Service) *sighting {
	if c.Settings.Refresh <= 0 {
		c.lag = &actors.Lag{Why: unlooked + " (refresh = false)"}
		if c.NoRefresh {
			c.lag.Why = unlooked + " (--no-refresh)"
		}
		return nil
	}
	if c.Place.IsWritable() {
		if w := c.Engines.Follow(c.Place, e); w != nil {
			return c.settle(ctx, w)
		}
	}
	within := c.left() / 3 // against a disk that hangs: the work is bounded otherwise
	late := make(chan struct{})
	c.clock.After(c.clock.Elapsed()+c.left()/2, func() { close(late) })
	w := &sighting{done: make(chan struct{}), late: late}
	go func() {
		defer close(w.done)
		w.next = c.Engines.Turn(ctx, c.Place)
		w.s, w.err = fresh.Look(ctx, c.Place, e, within, c.clock)
	}()
	return w
}

// settleWithin is how long an answer of a tool waits for what was just written. As long as the tree
// is not watched, it waits for a comparison of the whole tree, as a command does.
const settleWithin = 100 * time.Millisecond

// settle waits, beside the question, until what was written before is read.
func (c *Call) settle(ctx context.Context, f *watch.Watcher) *sighting {
	within := settleWithin
	if !f.Ready() {
		within = c.left() / 2
	}
	w := &sighting{done: make(chan struct{}), next: func() {}, live: &watch.State{}}
	before := f.Read() // what is read from here on may be missing from the question's answer
	go func() {
		defer close(w.done)
		*w.live = f.Settle(ctx, before, within)
	}()
	return w
}

// watchedLag says how far the index is behind a tree that is watched.
func watchedLag(l watch.State) *actors.Lag {
	lag := &actors.Lag{Watched: true, Folders: true, Read: l.Read}
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
// has changed. c.lag then says what is known of the tree.
func (c *Call) catchUp(ctx context.Context, w *sighting) bool {
	if w == nil {
		return false
	}
	defer w.release()
	select {
	case <-w.done:
	case <-w.late:
		c.lag = &actors.Lag{Folders: true, Why: "the tree could not be looked at in time"}
		return false
	case <-ctx.Done():
		return false
	}
	if w.live != nil {
		c.lag = watchedLag(*w.live)
		return w.live.Read > 0
	}
	if w.err != nil {
		c.lag = &actors.Lag{Folders: true, Why: "the tree could not be looked at: " + w.err.Error()}
		return false
	}
	c.lag = &actors.Lag{Files: w.s.Known, Looked: w.s.Looked, Folders: w.s.Folders, Quiet: w.s.Quiet}
	if !w.s.Moved() {
		return false
	}
	n, err := fresh.Refresh(ctx, c.Place, w.s, min(c.Settings.Refresh, c.left()/2))
	if err != nil {
		c.lag.Pending, c.lag.New = append(w.s.Removed, w.s.Changed...), w.s.New
		if w.s.Head || w.s.Files() > 0 {
			c.lag.Why = fresh.Unread(err)
		}
		return false
	}
	c.lag.Read = n
	return true
}

// State adds to an index's state how far it is behind its tree, for an answer that says so.
func (c *Call) State(x actors.IndexState) actors.IndexState {
	x.Lag, c.said = c.lag, true
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
func (c *Call) Unsaid() *actors.Lag {
	if c.sighted == nil || c.said {
		return nil
	}
	return c.lag
}
