// This file follows a working tree while its project is open, so that an index includes recent
// changes.
//
// The file system notifies a Watcher of the names that have changed (inotify and the like, by
// fsnotify). The Watcher reads them after a pause, or at once if an answer waits. watcher.go has
// its states, events.go turns notifications into names, watches.go sets the watches, and barrier.go
// waits for outstanding notifications.
//
// If notifications are unavailable, because the tree has too many folders or the system gives no
// more watches, the tree is compared with its index again and again, and the Watcher logs why.
//
// It does not know the index. Its owner reads changes and lists folders.

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
	// pause is the time without changes after which a change is read, because editors write in
	// bursts.
	pause = 150 * time.Millisecond
	// longest is the longest time that a change waits while others follow.
	longest = time.Second
	// retry is the time after which a change that could not be read is tried again.
	retry = 2 * time.Second
	// poll is the time between two comparisons of a tree that is not watched.
	poll = 2 * time.Second
	// mostNames is the number of names that are read one by one. With more, the whole tree is read.
	mostNames = 500
)

// A Change says where the tree may differ from the index.
type Change struct {
	Names []string // files and folders, relative with slashes, sorted
	All   bool     // anywhere: the whole tree must be compared, and Names must be read
	Lost  bool     // names were dropped because they were too many: the whole tree must be read
	Head  bool     // commits, branches or git's index have changed
}

// Options say which tree is followed, and how changes are read. Folders and Read must not be nil.
type Options struct {
	Root string // of the working tree
	Git  []string
	// Folders lists the folders with relevant files, at and below some paths, "." for all. whole
	// must be false if there are more than most.
	Folders func(ctx context.Context, below []string, most int) (folders []string, whole bool, err error)
	// Read brings the index up to date. It returns the number of files and commits read.
	Read func(ctx context.Context, c Change) (int, error)
	// Log gets warnings for the user of the server. It may be nil.
	Log *slog.Logger
	// Most bounds the folders that are watched; 0 means half of the number that the system allows.
	Most int
}

// A State says how far the index is behind.
type State struct {
	Read    int      // files and commits read while the caller waited
	Pending []string // names that are not read yet, sorted
	Count   int      // number of Pending
	All     bool     // the whole tree must still be compared
	Why     error    // why the changes could not be read, or nil
	Lost    bool     // nobody watches the tree any more, and nothing else is known
}

// Behind reports whether there are changes that are not read.
func (s State) Behind() bool { return s.Count > 0 || s.All || s.Why != nil }

// A Watcher follows one working tree. It may be used concurrently.
type Watcher struct {
	o      Options
	end    context.CancelFunc
	over   chan struct{} // closed when all goroutines have ended
	system *system

	mu      sync.Mutex
	noted   uint64 // number of the last change
	done    uint64 // number of the last change that was read
	waiting change // recorded but not taken
	taken   change // being read
	first   time.Time
	last    time.Time
	read    int // files and commits in total
	err     error
	watched bool          // notifications are complete
	begun   uint64        // number of the comparison after the watches were set
	asked   bool          // Settle has been called
	moved   chan struct{} // closed when one of these fields changes
	wake    chan struct{} // there is a change to read
	hurry   chan struct{} // an answer waits
}

// A change is a Change that is being gathered.
type change struct {
	names     map[string]bool
	folders   map[string]bool // new ones, which must be watched
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

// Start follows a tree until Close is called or ctx ends. It compares the tree with its index at
// once. The caller must call Close.
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

// Close stops the watcher and waits until nothing is being read.
func (w *Watcher) Close() {
	w.end()
	<-w.over
}

// note records a change.
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

// signal fills a channel of capacity one, if it is empty.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// changed wakes the waiting calls. mu must be held.
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

// rest waits until the tree rests or an answer waits. It returns false if ctx ends.
func (w *Watcher) rest(ctx context.Context) bool {
	for {
		w.mu.Lock()
		until := w.last.Add(pause)
		if limit := w.first.Add(longest); limit.Before(until) {
			until = limit
		}
		if w.noted == 1 { // the first comparison need not wait
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

// readOne reads the recorded change.
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
	w.waiting.all = true // the process that was in the way may have read a part of it
	time.AfterFunc(retry, func() { signal(w.wake) })
}

// Read returns the number of files and commits read so far.
func (w *Watcher) Read() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.read
}

// Settle waits until all changes before the call are read, but at most within. The State says which
// changes are not read, and how many files and commits were read since Read returned read.
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
		case reached: // remaining changes are later than the call
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

// unsure records that anything may have changed, unless notifications are complete. At the first
// call it relies on the comparison of Start.
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

// state returns the present state. mu must be held.
func (w *Watcher) state(read int) State {
	s := State{Read: w.read - read, Why: w.err}
	both := change{}
	both.join(w.taken)
	both.join(w.waiting)
	names := slices.Sorted(maps.Keys(both.names))
	s.All, s.Count, s.Pending = both.all, len(names), names
	return s
}

// Ready reports whether the tree is watched, and was compared with its index since. Until then
// Settle may have to wait for a comparison of the whole tree.
func (w *Watcher) Ready() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.watched && w.done >= w.begun
}

// isWatched reports whether notifications are complete.
func (w *Watcher) isWatched() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.watched
}
