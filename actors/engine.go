package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	cmap "github.com/orcaman/concurrent-map"

	"patina/fusion"
	"patina/oracles"
	"patina/store"
)

// defaultSlots times the readers of a query (one an oracle, one for evidence) fits into the 16 connections of a store.
const defaultSlots = 4

// answerGrace is how long beyond its timeout a caller waits for an answer; only a defect makes it wait so long.
const answerGrace = 5 * time.Second

// ErrClosed says that an engine has been closed.
var ErrClosed = errors.New("engine is closed")

// Options say what an engine answers for.
type Options struct {
	Projects []Project
	Oracles  []oracles.Oracle // nil: oracles.Default()
	Logger   *slog.Logger     // nil: nothing is logged
	Slots    int              // queries a project answers at once; 4 if 0, 2 at least
	Within   time.Duration    // how long Open waits for the indexes; no limit if 0
	// Fresh tells how many commits an index is behind the working tree (-1: it cannot be told), with a note to show or "".
	// It is called once for each query and project, by several goroutines, and must be quick. It may be nil.
	Fresh func(p Project, g store.Generation) (behind int, note string)

	load func(p Project) (*store.Store, error) // nil: loadIndex
}

// An Engine answers questions about projects. It is safe for concurrent use. Close ends it.
type Engine struct {
	system  *actor.ActorSystem
	hosts   []*host
	names   []string // of the oracles
	router  *actor.PID
	repos   []*actor.PID
	end     context.CancelFunc
	work    *sync.WaitGroup // goroutines that run calls
	queries queries
}

// A system's registry of actors is 1,024 maps of SHARD_COUNT maps each, every one with a lock. With 32, as it comes, a process spends
// 2 ms and 4 MB on them before its first question, and each collection of garbage looks at all; 1,024 locks are enough.
func init() { cmap.SHARD_COUNT = 1 }

// Open starts an engine. A project without a usable index is named in every answer; if there is no other, Open says why. An index
// that is not open within the time given goes on opening, and is waited for by each question until its deadline.
func Open(o Options) (*Engine, error) {
	if len(o.Projects) == 0 {
		return nil, errors.New("open engine: no project")
	}
	if o.Oracles == nil {
		o.Oracles = oracles.Default()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.load == nil {
		o.load = loadIndex
	}
	o.Slots = max(2, cmp.Or(o.Slots, defaultSlots))
	indexes, err := openAll(o)
	if err != nil {
		return nil, err
	}
	e := &Engine{work: &sync.WaitGroup{}}
	for _, x := range o.Oracles {
		e.names = append(e.names, x.Name())
	}
	e.system = actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return o.Logger }),
		actor.WithDeadLetterRequestLogging(false))
	life, end := context.WithCancel(context.Background())
	e.end = end
	if err := e.spawn(life, o, indexes); err != nil {
		return nil, errors.Join(err, e.Close(context.Background()))
	}
	return e, nil
}

func loadIndex(p Project) (*store.Store, error) { return store.OpenSealed(p.StoreDir, p.View, p.Seal) }

// openAll opens what can be opened; its error says that nothing can.
func openAll(o Options) ([]*stored, error) {
	ctx, cancel := context.Background(), func() {}
	if o.Within > 0 {
		ctx, cancel = context.WithTimeout(ctx, o.Within)
	}
	defer cancel()
	var all []*stored
	var errs []error
	for _, p := range o.Projects {
		x := &stored{log: o.Logger, load: func() (*store.Store, error) { return o.load(p) }}
		if _, err := x.open(ctx); err != nil && !errors.Is(err, errSlow) {
			errs = append(errs, fmt.Errorf("open index of %q: %w", p.Name, err))
		}
		all = append(all, x)
	}
	if len(errs) == len(o.Projects) {
		return nil, errors.Join(errs...)
	}
	return all, nil
}

func (e *Engine) spawn(life context.Context, o Options, indexes []*stored) error {
	var targets []target
	for i, p := range o.Projects {
		h := &host{project: p, index: indexes[i], fresh: o.Fresh, log: o.Logger, work: e.work, life: life}
		e.hosts = append(e.hosts, h)
		r := newRepo(h, o.Oracles, o.Slots)
		pid, err := e.system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return r }), "repo/"+p.Name)
		if err != nil {
			return fmt.Errorf("start project %q: %w", p.Name, err)
		}
		e.repos = append(e.repos, pid)
		targets = append(targets, target{awaited{from: p.Name, project: p.Name, channels: e.names}, pid})
	}
	r := &router{log: o.Logger, targets: targets}
	pid, err := e.system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return r }), "router")
	e.router = pid
	return err
}

// Scry answers a request. Parts that fail or are late are named in the answer; an error means that there is none: the
// request is not valid, ctx has ended, or the engine is closed.
func (e *Engine) Scry(ctx context.Context, r Request) (*Answer, error) {
	return e.scry(ctx, r, func(limit int, ranking []fusion.Result) []int {
		first := make([]int, min(limit, len(ranking)))
		for i := range first {
			first[i] = i
		}
		return first
	})
}

// Close lets no query begin, waits for those under way, stops every actor and closes the indexes. When ctx ends first it
// cancels the queries and returns an error; a call that ignores the end of its context may then still run.
func (e *Engine) Close(ctx context.Context) error {
	if !e.queries.close() {
		return nil
	}
	drained := wait(ctx, e.queries.running.Wait)
	e.end()
	for _, pid := range slices.Concat([]*actor.PID{e.router}, e.repos) {
		if pid != nil {
			drained = errors.Join(drained, wait(ctx, func() { _ = e.system.Root.PoisonFuture(pid).Wait() }))
		}
	}
	drained = errors.Join(drained, wait(ctx, e.work.Wait))
	for _, h := range e.hosts {
		if err := h.index.close(); err != nil {
			drained = errors.Join(drained, fmt.Errorf("close index of %q: %w", h.project.Name, err))
		}
	}
	e.system.Shutdown()
	return drained
}

// wait runs f, which waits for something, for as long as ctx allows.
func wait(ctx context.Context, f func()) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close engine: %w", ctx.Err())
	}
}
