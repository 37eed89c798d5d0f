package main

import (
	"context"
	"errors"
	"time"

	"patina/actors"
	"patina/ask/fresh"
	"patina/ask/watch"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
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

// watch begins to compare the tree with the index. It returns nil where that is forbidden.
func (s *scrying) watch(ctx context.Context, e actors.Service) *sighting {
	if s.settings.Refresh <= 0 {
		s.lag = &actors.Lag{Why: unlooked + " (refresh = false)"}
		if s.noRefresh {
			s.lag.Why = unlooked + " (--no-refresh)"
		}
		return nil
	}
	if w := s.follow(e); w != nil {
		return s.settled(ctx, w)
	}
	within := s.left() / 3 // against a disk that hangs: the work is bounded otherwise
	late := make(chan struct{})
	s.clock.After(s.clock.Elapsed()+s.left()/2, func() { close(late) })
	w := &sighting{done: make(chan struct{}), late: late}
	go func() {
		defer close(w.done)
		w.next = s.turn(ctx)
		w.s, w.err = fresh.Look(ctx, s.place, e, within, s.clock)
	}()
	return w
}

// settleWithin is how long an answer of a tool waits for what was just written. As long as the tree
// is not watched, it waits for a comparison of the whole tree, as a command does.
const settleWithin = 100 * time.Millisecond

// follow returns what watches the tree, if this is a tool's call and the index is ours.
func (s *scrying) follow(e actors.Service) *watch.Watcher {
	if s.tool == nil || !s.place.IsWritable() {
		return nil
	}
	return s.tool.warm.follow(s.place, e)
}

// settled waits, beside the question, until what was written before is read.
func (s *scrying) settled(ctx context.Context, f *watch.Watcher) *sighting {
	within := settleWithin
	if !f.Ready() {
		within = s.left() / 2
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

// turn waits until no other call of this process compares and reads the tree.
func (s *scrying) turn(ctx context.Context) (next func()) {
	if s.tool == nil {
		return func() {}
	}
	return s.tool.warm.turn(ctx, s.place)
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
// has changed. s.lag then says what is known of the tree.
func (s *scrying) catchUp(ctx context.Context, w *sighting) bool {
	if w == nil {
		return false
	}
	defer w.release()
	select {
	case <-w.done:
	case <-w.late:
		s.lag = &actors.Lag{Folders: true, Why: "the tree could not be looked at in time"}
		return false
	case <-ctx.Done():
		return false
	}
	if w.live != nil {
		s.lag = watchedLag(*w.live)
		return w.live.Read > 0
	}
	if w.err != nil {
		s.lag = &actors.Lag{Folders: true, Why: "the tree could not be looked at: " + w.err.Error()}
		return false
	}
	s.lag = &actors.Lag{Files: w.s.Known, Looked: w.s.Looked, Folders: w.s.Folders, Quiet: w.s.Quiet}
	if !w.s.Moved() {
		return false
	}
	n, err := fresh.Refresh(ctx, s.place, w.s, min(s.settings.Refresh, s.left()/2))
	if err != nil {
		s.lag.Pending, s.lag.New = append(w.s.Removed, w.s.Changed...), w.s.New
		if w.s.Head || w.s.Files() > 0 {
			s.lag.Why = fresh.Unread(err)
		}
		return false
	}
	s.lag.Read = n
	return true
}

// lagged adds to an index's state how far it is behind its tree.
func (s *scrying) lagged(x actors.IndexState) actors.IndexState {
	x.Lag, s.told = s.lag, true
	if x.Lag != nil && x.Lag.Files == 0 {
		lag := *x.Lag
		lag.Files, x.Lag = x.Generation.Files, &lag
		if lag.Watched {
			lag.Looked = lag.Files
		}
	}
	return x
}

// lagging says on standard error that the index is behind, if no answer says so and there is one.
func (s *scrying) lagging(err error) {
	if _, ended := errors.AsType[cli.Exit](err); s.lag == nil || s.sighted == nil || s.told || err != nil && !ended {
		return
	}
	if line := deliver.Lagging(s.lag, s.dialect()); line != "" {
		s.Warn("%s", line)
	}
}
