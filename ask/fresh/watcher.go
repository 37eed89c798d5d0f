// This file follows a working tree while its project is open, so that an index is not behind
// what has just been written.
//
// A Watcher is told by the file system which names have changed (inotify and its like, by fsnotify)
// and has them read: after a pause, or at once where an answer waits. watcher.go has its states,
// events.go turns notifications into names, watches.go says which folders are watched, and
// barrier.go waits for what is still under way.
//
// Where notifications cannot be had, because the tree has too many folders or the system gives no
// more watches, the tree is compared with its index again and again, and the Watcher says why.
//
// It knows no index: reading, and listing folders, are its owner's.

package fresh

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	// pause is how long nothing must change before a change is read. Editors write in bursts.
	pause = 150 * time.Millisecond
	// longest is how long a change waits at most while others follow.
	longest = time.Second
	// retry is the time after which a change that could not be read is tried again.
	retry = 2 * time.Second
	// poll is the time between two comparisons of a tree that is not watched.
	poll = 2 * time.Second
	// mostNames is how many names are read one by one. With more, the whole tree is read.
	mostNames = 500
)

// A Change says what may differ from the index.
type Change struct {
	Names []string // files and folders, relative with slashes, sorted
	All   bool     // anything may: the whole tree is to be compared, and Names are to be read
	Lost  bool     // so much has changed that names were dropped: the whole tree is to be read
	Head  bool     // commits, branches or git's index have moved
}

// Options say what is followed, and how changes are read.
type Options struct {
	Root string // of the working tree
	Git  []string
	// Folders lists the folders in which a file may count, at and below some paths, "." for all.
	// whole is false if there are more than most.
	Folders func(ctx context.Context, below []string, most int) (folders []string, whole bool, err error)
	// Read brings the index up to date. It returns how many files and commits it has read.
	Read func(ctx context.Context, c Change) (int, error)
	// Log hears what a user of the server may want to know. It may be nil.
	Log *slog.Logger
	// Most bounds the folders that are watched; 0: half of what the system allows.
	Most int
}

// A State says how far the index is behind.
type State struct {
	Read    int      // files and commits that were read while the caller waited
	Pending []string // names that are not read yet; few of them
	Count   int      // of them
	All     bool     // the whole tree is still to be compared
	Why     error    // it could not be read
}

// Behind reports whether something is not read yet.
func (s State) Behind() bool { return s.Count > 0 || s.All || s.Why != nil }

// A Watcher follows one working tree. It is safe for concurrent use.
type Watcher struct {
	o      Options
	end    context.CancelFunc
	over   chan struct{} // closed once everything has ended
	system *system

	mu      sync.Mutex
	noted   uint64 // the number of the last change
	done    uint64 // of the last one that was read
	waiting change // not taken yet
	taken   change // being read
	first   time.Time
	last    time.Time
	read    int // files and commits, ever
	err     error
	watched bool          // notifications say everything
	begun   uint64        // the number of the comparison that follows the setting of watches
	asked   bool          // somebody has waited already
	moved   chan struct{} // closed whenever one of these changes
	wake    chan struct{} // something is waiting
	hurry   chan struct{} // somebody is
}

// A change is a Change being gathered.
type change struct {
	names     map[string]bool
	folders   map[string]bool // new ones, to be watched
	all, head bool
	lost      bool // with all: names are missing
}

func (c *change) isEmpty() bool { return len(c.names) == 0 && !c.all && !c.head }

// join adds another change.
func (c *change) join(other change) {
	for _, m := range []struct{ to, from *map[string]bool }{{&c.names, &other.names}, {&c.folders, &other.folders}} {
		if *m.to == nil {
			*m.to = map[string]bool{}
		}
		maps.Copy(*m.to, *m.from)
	}
	c.all, c.head, c.lost = c.all || other.all, c.head || other.head, c.lost || other.lost
	if len(c.names) > mostNames {
		c.all, c.lost = true, true
		clear(c.names)
	}
}

// Start follows a tree until Close, or until ctx ends. The tree is compared with its index at once.
func Start(ctx context.Context, o Options) *Watcher {
	inner, end := context.WithCancel(ctx)
	w := &Watcher{
		o: o, end: end, over: make(chan struct{}), moved: make(chan struct{}),
		wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
	}
	if w.o.Log == nil {
		w.o.Log = slog.New(slog.DiscardHandler)
	}
	w.note(change{all: true, head: true})
	w.system = newSystem(w)
	var both sync.WaitGroup
	both.Go(func() { w.reading(inner) })
	both.Go(func() { w.watching(inner) })
	go func() {
		both.Wait()
		w.system.close()
		close(w.over)
	}()
	return w
}

// Close ends the watch and waits until nothing is read any more.
func (w *Watcher) Close() {
	w.end()
	<-w.over
}

// note adds a change.
func (w *Watcher) note(c change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.noted++
	if now := time.Now(); w.waiting.isEmpty() {
		w.first, w.last = now, now
	} else {
		w.last = now
	}
	w.waiting.join(c)
	signal(w.wake)
}

// signal fills a channel of one place, if it is empty.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// changed tells those who wait. It is called with mu held.
func (w *Watcher) changed() {
	close(w.moved)
	w.moved = make(chan struct{})
}

// reading reads one change after another.
func (w *Watcher) reading(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-w.wake:
		case <-ctx.Done():
			return
		}
		if !w.rest(ctx) {
			return
		}
		w.readOne(ctx)
	}
}

// rest waits until the tree has rested, or somebody is in a hurry.
func (w *Watcher) rest(ctx context.Context) bool {
	for {
		w.mu.Lock()
		until := w.last.Add(pause)
		if limit := w.first.Add(longest); limit.Before(until) {
			until = limit
		}
		if w.noted == 1 { // nobody writes yet: it is the beginning
			until = time.Time{}
		}
		w.mu.Unlock()
		left := time.Until(until)
		if left <= 0 {
			return true
		}
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
		case <-w.hurry:
			timer.Stop()
			return true
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
}

// readOne reads what is waiting.
func (w *Watcher) readOne(ctx context.Context) {
	w.mu.Lock()
	at := w.noted
	w.taken, w.waiting = w.waiting, change{}
	c := w.taken
	w.mu.Unlock()
	if c.isEmpty() && len(c.folders) == 0 {
		return
	}
	w.system.follow(ctx, slices.Sorted(maps.Keys(c.folders)))
	n, err := w.o.Read(ctx, Change{Names: slices.Sorted(maps.Keys(c.names)), All: c.all, Head: c.head, Lost: c.lost})
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.changed()
	w.taken, w.err = change{}, err
	w.read += n
	if err == nil {
		w.done = at
		return
	}
	if ctx.Err() != nil {
		return
	}
	w.o.Log.Warn("the tree could not be read", "root", w.o.Root, "error", err)
	c.join(w.waiting)
	w.waiting = c
	w.waiting.all = true // whoever was in the way may have read some of it
	time.AfterFunc(retry, func() { signal(w.wake) })
}

// Read counts the files and commits that were read so far.
func (w *Watcher) Read() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.read
}

// Settle waits until everything that was written before the call is read, but no longer than
// within. The State says what is not, and how much was read beyond a former count of Read.
func (w *Watcher) Settle(ctx context.Context, read int, within time.Duration) State {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	w.unsure(ctx)
	w.mu.Lock()
	want := w.noted
	w.mu.Unlock()
	for {
		w.mu.Lock()
		reached, moved, s := w.done >= want, w.moved, w.state(read)
		w.mu.Unlock()
		switch {
		case reached: // what is behind it was written later
			return State{Read: s.Read}
		case s.Why != nil:
			return s
		}
		signal(w.hurry)
		select {
		case <-moved:
		case <-ctx.Done():
			return s
		}
	}
}

// unsure notes that anything may have changed, unless notifications say what has. What changed
// before the first call is found by the comparison at the beginning.
func (w *Watcher) unsure(ctx context.Context) {
	w.mu.Lock()
	watched, first := w.watched, !w.asked
	w.asked = true
	coming := w.waiting.all && w.waiting.head
	w.mu.Unlock()
	watched = watched && w.system.stands()
	if watched && w.system.barrier(ctx) || !watched && (first || coming) {
		return
	}
	w.note(change{all: true, head: true})
}

// state is called with mu held.
func (w *Watcher) state(read int) State {
	s := State{Read: w.read - read, Why: w.err}
	both := change{}
	both.join(w.taken)
	both.join(w.waiting)
	names := slices.Sorted(maps.Keys(both.names))
	s.All, s.Count, s.Pending = both.all, len(names), names
	return s
}

// Ready reports whether the tree is watched, and was compared with its index since. Before, and
// where it cannot be watched, an answer that waits waits for a comparison of the whole tree.
func (w *Watcher) Ready() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.watched && w.done >= w.begun
}

// isWatched reports whether notifications tell everything.
func (w *Watcher) isWatched() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.watched
}
