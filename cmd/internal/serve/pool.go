// This file keeps engines open between the calls of a server, and makes first indexes.

package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/ask"
	"patina/ask/fresh"
	"patina/ask/project"
	"patina/registry"
	"patina/scrape"
	"patina/store"
)

// A Pool keeps engines open between calls, and makes first indexes. In all of them together only so
// many projects are open; one that nobody asks is closed (room.go). It is safe for concurrent use.
type Pool struct {
	life context.Context // ends first scrapes
	log  *slog.Logger
	most int           // projects open at once
	idle time.Duration // how long one stays open that nobody asks

	mu       sync.Mutex
	kept     map[string]*kept // by root
	building map[string]*building
	// completing has the stores whose draft is being built anew.
	completing map[string]bool
}

// New makes a pool that holds so many projects open as the settings say. Its engines and its first
// scrapes end with life.
func NewPool(life context.Context, log *slog.Logger, s registry.Settings) *Pool {
	w := &Pool{life: life, log: log, most: s.Open, idle: s.Idle, kept: map[string]*kept{}, building: map[string]*building{}, completing: map[string]bool{}}
	go w.watchIdle()
	return w
}

// A kept is an engine on one project, or one that is being opened.
type kept struct {
	project registry.Project // as it was when the engine was opened
	ready   chan struct{}    // closed once e and err are there
	e       *actors.Engine
	err     error
	turn    chan struct{}  // held while the tree is compared and read
	follow  *fresh.Watcher // guarded by Pool.mu; nil: nobody has asked yet

	users  int       // guarded by Pool.mu
	used   time.Time // guarded by Pool.mu
	gone   bool      // guarded by Pool.mu: the last user closes it
	closed bool      // guarded by Pool.mu
}

// Open returns the engine of a place, opened anew where the place has another index than before.
// done ends its use.
func (w *Pool) Open(ctx context.Context, p project.Place, within time.Duration) (e api.Service, done func(), err error) {
	if !p.Published() { // it may have been removed under an engine
		w.forget(p)
		return nil, nil, fmt.Errorf("no index for %q: %w", p.Root, store.ErrNoIndex)
	}
	k := w.take(p, within)
	done = sync.OnceFunc(func() { w.leave(k) })
	select {
	case <-k.ready:
	case <-ctx.Done():
		done()
		return nil, nil, ctx.Err()
	}
	if k.err != nil {
		done()
		return nil, nil, k.err
	}
	return lent{k.e, w}, done, nil
}

// take finds the engine of a place or begins to open one.
func (w *Pool) take(p project.Place, within time.Duration) *kept {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.kept[p.Root]
	if k != nil && k.project != p.Project {
		w.retire(k)
		k = nil
	}
	if k == nil {
		w.makeRoom()
		k = &kept{project: p.Project, ready: make(chan struct{}), turn: make(chan struct{}, 1)}
		w.kept[p.Root] = k
		go func() {
			k.e, k.err = project.Open(w.life, p, within)
			close(k.ready)
			if k.err == nil && p.IsWritable() && w.draft(k.e) {
				w.complete(p)
			}
			if k.err != nil {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.retire(k)
			}
		}()
	}
	k.users++
	k.used = time.Now()
	return k
}

// forget retires the engine of a place.
func (w *Pool) forget(p project.Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if k := w.kept[p.Root]; k != nil {
		w.retire(k)
	}
}

// leave ends a use.
func (w *Pool) leave(k *kept) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k.users--
	w.settle(k)
}

// retire forgets an engine. Its last user closes it.
func (w *Pool) retire(k *kept) {
	if w.kept[k.project.Root] == k {
		delete(w.kept, k.project.Root)
	}
	k.gone = true
	w.settle(k)
}

// settle closes a forgotten engine that nobody uses. It may be called again.
func (w *Pool) settle(k *kept) {
	if !k.gone || k.users > 0 || k.closed {
		return
	}
	k.closed = true
	go func() {
		<-k.ready
		if k.follow != nil {
			k.follow.Close()
		}
		if k.e != nil {
			closeEngine(k.e)
		}
	}()
}

// Close closes every engine. Calls that still run end with the process.
func (w *Pool) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range w.kept {
		w.retire(k)
	}
}

// Follow returns what watches the tree of a place, begun where nobody has asked before. It is nil
// if the engine is being closed, or is none of the pool.
func (w *Pool) Follow(p project.Place, e api.Service) *fresh.Watcher {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.kept[p.Root]
	if l, ok := e.(lent); k == nil || k.gone || !ok || l.Engine != k.e {
		return nil
	}
	if k.follow == nil {
		k.follow = fresh.Follow(w.life, p, e, w.log)
	}
	return k.follow
}

// Turn waits until nobody else compares the tree of a place with its index. next ends the turn.
func (w *Pool) Turn(ctx context.Context, p project.Place) (next func()) {
	w.mu.Lock()
	k := w.kept[p.Root]
	w.mu.Unlock()
	if k == nil {
		return func() {}
	}
	select {
	case k.turn <- struct{}{}:
		return sync.OnceFunc(func() { <-k.turn })
	case <-ctx.Done():
		return func() {}
	}
}

// closeEngine closes an engine that nobody uses. A call that does not return ends with the process.
func closeEngine(e *actors.Engine) {
	end, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = e.Close(end)
}

// A Client is one call to a pool. It implements ask.Engines.
type Client struct {
	*Pool
	Tell func(scrape.Progress) // hears how a first scrape goes
}

// Mend implements ask.Engines. It makes a missing index unasked, and builds nothing in the place of
// a stranger's.
func (c Client) Mend(ctx context.Context, p project.Place, m ask.Missing) (bool, error) {
	if !errors.Is(m.Cause, store.ErrNoIndex) {
		return false, nil
	}
	if m.Tries > 0 || !p.Published() {
		return true, c.build(ctx, p, c.Tell)
	}
	return true, nil
}

// A building is a first scrape. It goes on when its askers stop waiting.
type building struct {
	done chan struct{}
	err  error

	mu    sync.Mutex
	heard []func(scrape.Progress)
}

// build makes the index of a place, unless that is under way, and waits for it.
func (w *Pool) build(ctx context.Context, p project.Place, tell func(scrape.Progress)) error {
	w.mu.Lock()
	b := w.building[p.Store]
	if b == nil {
		b = &building{done: make(chan struct{})}
		w.building[p.Store] = b
		go func() {
			b.err = scraped(w.life, p, b.tell)
			w.mu.Lock()
			delete(w.building, p.Store)
			w.mu.Unlock()
			if b.err == nil {
				w.complete(p)
			}
			close(b.done)
		}()
	}
	w.mu.Unlock()
	b.listen(tell)
	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *building) listen(tell func(scrape.Progress)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heard = append(b.heard, tell)
}

func (b *building) tell(p scrape.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, tell := range b.heard {
		tell(p)
	}
}

// lockedPause is the time between two looks at a store that another process fills.
const lockedPause = 200 * time.Millisecond

// complete builds the index of a place anew if it is a draft. Meanwhile questions are answered from
// the draft, and say so. What fails is tried again by the next server.
func (w *Pool) complete(p project.Place) {
	w.mu.Lock()
	if w.completing[p.Store] {
		w.mu.Unlock()
		return
	}
	w.completing[p.Store] = true
	w.mu.Unlock()
	go func() {
		err := completed(w.life, p)
		w.mu.Lock()
		delete(w.completing, p.Store)
		w.mu.Unlock()
		if err != nil && w.life.Err() == nil {
			w.log.Warn("the draft of an index was not completed", "project", p.Root, "error", err)
		}
	}()
}

// draft reports whether an engine answers from a draft, or from words alone, which a server or a
// scrape that was ended may leave.
func (w *Pool) draft(e *actors.Engine) bool {
	t, err := e.Tree(w.life, api.TreeRequest{ReadOptions: api.ReadOptions{Timeout: time.Minute}, Limit: 1})
	return err == nil && (t.Index.Generation.Draft || t.Index.Generation.WordsOnly)
}

// completed waits until no other process writes the index. Where that one has completed it, nothing
// is left to do.
func completed(ctx context.Context, p project.Place) error {
	for {
		_, err := project.Scrape(ctx, p.Of(p.Root, p.Store), scrape.Options{}, func(error) {})
		if !errors.Is(err, store.ErrLocked) {
			return err
		}
		select {
		case <-time.After(lockedPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// scraped makes a draft of the index of a place. Where another process does so, it waits for that
// one.
func scraped(ctx context.Context, p project.Place, tell func(scrape.Progress)) error {
	for {
		_, err := project.Scrape(ctx, p, scrape.Options{Draft: true, Progress: tell}, func(error) {})
		if !errors.Is(err, store.ErrLocked) {
			return err
		}
		select {
		case <-time.After(lockedPause):
		case <-ctx.Done():
			return ctx.Err()
		}
		if now := p.Of(p.Root, p.Store); now.Secret != "" && now.Doubt == "" {
			return nil
		}
	}
}
