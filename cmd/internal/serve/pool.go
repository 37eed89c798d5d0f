// The pool of a server: open engines and first indexes.

package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"patina/actors"
	"patina/actors/api"
	"patina/ask"
	"patina/ask/embedders"
	"patina/ask/fresh"
	"patina/ask/project"
	"patina/memory/recall"
	"patina/registry"
	"patina/scrape"
	"patina/store"
)

// A Pool keeps engines open between calls, and makes first indexes. The number of open projects is
// bounded over all engines, and idle ones are closed (room.go). It is safe for concurrent use.
type Pool struct {
	life context.Context // ends engines and first scrapes
	log  *slog.Logger
	most int           // number of open projects
	idle time.Duration // how long a project stays open without a question
	// lends is true if the engines are for other processes, which complete drafts themselves.
	lends bool

	mu       sync.Mutex
	kept     map[placeKey]*kept
	building map[string]*building
	// completing has the stores whose draft is being completed.
	completing map[string]bool
	borrowed   map[string]bool // the stores of borrowed engines
	// chosen has the models of each store as they were when its vectors were looked at last.
	chosen map[string]string
	queue  *embedders.Queue // makes vectors in the background
}

// NewPool returns a pool with the bounds in the settings. Its engines and its first scrapes end
// with life.
func NewPool(life context.Context, log *slog.Logger, s registry.Settings) *Pool {
	w := &Pool{
		life: life, log: log, most: s.Open, idle: s.Idle, kept: map[placeKey]*kept{},
		building: map[string]*building{}, completing: map[string]bool{}, borrowed: map[string]bool{},
		chosen: map[string]string{}, queue: embedders.NewQueue(life, log),
	}
	go w.watchIdle()
	return w
}

// NewLender returns a pool for the callers of other processes. It makes and completes no index.
func NewLender(life context.Context, log *slog.Logger, s registry.Settings) *Pool {
	w := NewPool(life, log, s)
	w.lends = true
	return w
}

// A kept is an engine on one project, open or being opened.
type kept struct {
	key     placeKey
	project registry.Project // as it was at opening
	view    string           // of the working tree that was in the folder
	ready   chan struct{}    // closed once e and err are set
	e       *actors.Engine
	err     error
	turn    chan struct{}  // held while the tree is compared and read
	follow  *fresh.Watcher // guarded by Pool.mu; nil before the first question

	users  int       // guarded by Pool.mu
	used   time.Time // guarded by Pool.mu
	gone   bool      // guarded by Pool.mu: the last user closes it
	closed bool      // guarded by Pool.mu
}

// A placeKey tells engines apart. Notes are scored by the engine.
type placeKey struct {
	root    string
	scoring recall.Scoring
}

func keyOf(p project.Place) placeKey { return placeKey{p.Root, cmp.Or(p.Scoring, recall.Measured)} }

// Open returns the engine of a place. If the place has another index than before, the engine is
// opened again. The caller must call done. It returns store.ErrNoIndex if there is no index.
func (w *Pool) Open(ctx context.Context, p project.Place, within time.Duration) (e api.Service, done func(),
	err error,
) {
	if !p.Published() { // the index may have been removed under an engine
		w.forgetPlace(p)
		return nil, nil, fmt.Errorf("no index for %q: %w", p.Root, store.ErrNoIndex)
	}
	w.embedIfChosen(p)
	k := w.take(p, p.View(), within)
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

// take returns the engine of a place, or starts to open one. view is that of the place.
func (w *Pool) take(p project.Place, view string, within time.Duration) *kept {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.kept[keyOf(p)]
	if k != nil && (k.project != p.Project || k.view != view) {
		w.retire(k)
		k = nil
	}
	if k == nil {
		w.makeRoom()
		k = &kept{key: keyOf(p), project: p.Project, view: view, ready: make(chan struct{}), turn: make(chan struct{}, 1)}
		w.kept[k.key] = k
		go func() {
			k.e, k.err = project.Open(w.life, p, within)
			close(k.ready)
			if k.err == nil {
				w.log.Info("opened", "project", p.Root)
			}
			if k.err == nil && !w.lends {
				w.completeDraft(p, k.e)
			}
			if k.err == nil {
				w.embedMissing(p)
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

// forgetPlace retires the engine of a place.
func (w *Pool) forgetPlace(p project.Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range w.kept {
		if k.project.Root == p.Root {
			w.retire(k)
		}
	}
}

// leave ends one use.
func (w *Pool) leave(k *kept) {
	w.mu.Lock()
	defer w.mu.Unlock()
	k.users--
	w.settle(k)
}

// retire removes an engine from the pool. Its last user closes it. The caller must hold mu.
func (w *Pool) retire(k *kept) {
	if w.kept[k.key] == k {
		delete(w.kept, k.key)
	}
	k.gone = true
	w.settle(k)
}

// settle closes a retired engine without users. It may be called again. The caller must hold mu.
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
			w.log.Info("closed", "project", k.project.Root)
		}
	}()
}

// Close closes every engine, and ends the work in the background. Running calls end with the
// process.
func (w *Pool) Close() {
	w.queue.CloseWithin(endTime)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, k := range w.kept {
		w.retire(k)
	}
}

// Follow returns the watcher of a place's tree, and starts it at the first call. It returns nil if
// the engine is being closed, or is not of this pool.
func (w *Pool) Follow(p project.Place, e api.Service) ask.Follower {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.keptFor(p, e)
	if k == nil {
		return nil
	}
	if k.follow == nil {
		k.follow = fresh.Follow(w.life, p, e, w.log, func() { w.embedMissing(p) })
	}
	return k.follow
}

// Followed returns the watcher of a place's tree, or nil if there is none yet.
func (w *Pool) Followed(p project.Place, e api.Service) ask.Follower {
	w.mu.Lock()
	defer w.mu.Unlock()
	if k := w.keptFor(p, e); k != nil && k.follow != nil {
		return k.follow
	}
	return nil
}

// keptFor returns the kept of an engine in use. It returns nil if the engine is being closed, or is
// not of this pool. The caller must hold mu.
func (w *Pool) keptFor(p project.Place, e api.Service) *kept {
	k := w.kept[keyOf(p)]
	if l, ok := e.(lent); k == nil || k.gone || !ok || l.Engine != k.e {
		return nil
	}
	return k
}

// Turn waits until no other call compares the tree of a place with its index, or until ctx ends.
// The caller must call next.
func (w *Pool) Turn(ctx context.Context, p project.Place) (next func()) {
	w.mu.Lock()
	k := w.kept[keyOf(p)]
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

// closeEngine closes an unused engine. It waits at most a second, and a hanging call ends with the
// process.
func closeEngine(e *actors.Engine) {
	end, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = e.Close(end)
}

// A Client is one call to a pool. It implements ask.Engines.
type Client struct {
	*Pool
	Tell func(scrape.Progress) // called with the progress of a first scrape; must not be nil
}

// Mend implements ask.Engines. It makes a missing index without asking, but never replaces a
// stranger's.
func (c Client) Mend(ctx context.Context, p project.Place, m ask.Missing) (bool, error) {
	if !errors.Is(m.Cause, store.ErrNoIndex) {
		return false, nil
	}
	if m.Tries > 0 || !p.Published() {
		return true, c.build(ctx, p, c.Tell)
	}
	return true, nil
}

// A building is a first scrape. It goes on even if all callers stop waiting.
type building struct {
	done chan struct{}
	err  error

	mu    sync.Mutex
	heard []func(scrape.Progress)
}

// build makes the index of a place, unless that is already running, and waits for it.
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

// lockedPause is the time between two tries at a store that another process writes.
const lockedPause = 200 * time.Millisecond

// complete completes the index of a place in the background, if it is a draft. Meanwhile answers
// come from the draft, and say so. A failure is tried again by the next server.
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
		if err == nil {
			w.embedMissing(p)
		}
	}()
}

// completeDraft completes the index of an engine, if that is a draft or has words only. An
// interrupted server or scrape may leave such an index.
func (w *Pool) completeDraft(p project.Place, e api.Service) {
	if !p.IsWritable() {
		return
	}
	t, err := e.Tree(w.life, api.TreeRequest{ReadOptions: api.ReadOptions{Timeout: time.Minute}, Limit: 1})
	if err == nil && (t.Index.Generation.Draft || t.Index.Generation.WordsOnly) {
		w.complete(p)
	}
}

// Borrowed is told of an engine that another process lends. Drafts are completed here, at the first
// use of an index.
func (w *Pool) Borrowed(p project.Place, e api.Service) {
	w.mu.Lock()
	known := w.borrowed[p.Store]
	w.borrowed[p.Store] = true
	w.mu.Unlock()
	if !known {
		w.completeDraft(p, e)
	}
}

// completed completes the index. It waits while another process writes it, and then may find no
// more to do.
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

// scraped makes a draft of a place's index. If another process makes one, it waits for that.
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
