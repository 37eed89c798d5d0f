package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/actors/ranking"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
)

// defaultSlots is chosen so that the readers of all queries (one for each oracle, one for evidence)
// fit into the 20 connections of a store.
const defaultSlots = 4

// answerGrace is the time beyond its timeout for which a caller waits for an answer. Only a defect
// needs it, or a machine on which the actors do not run for that time.
const answerGrace = 5 * time.Second

// errSilent is returned if not even the report that everybody was late has come.
var errSilent = fmt.Errorf(
	"no answer within %s of its deadline: the machine is too busy, or this is a defect", answerGrace)

// Options configure an engine.
type Options struct {
	Projects []Project
	Oracles  []oracles.Oracle // if nil, oracles.Default()
	Logger   *slog.Logger     // if nil, nothing is logged
	Slots    int              // concurrent queries of a project, at least 2; 0 means 4
	Lazy     bool             // open indexes at the first question; Projects may be nil
	Within   time.Duration    // how long Open waits for indexes; 0 means no limit
	// Fresh returns how many commits an index is behind the working tree (-1 if unknown), and a
	// note to show, or "". It is called once for each query and project. It must be quick and safe
	// for concurrent use. It may be nil.
	Fresh func(p Project, g doc.Generation) (behind int, note string)

	// Extractor is the version of this program's tokenizer and parsers. IndexState reports indexes
	// of other versions. If it is empty, versions are not compared.
	Extractor string

	// Diff returns the changes of a commit, which an index does not hold, and a note about missing
	// parts, or "". It may be nil.
	Diff func(ctx context.Context, p Project, sha string) (diff, note string)

	// Follow returns the commits that changed the lines of a symbol, newest first. The note says
	// which are missing, or why there are none. It must end with ctx. It may be nil.
	Follow func(ctx context.Context, p Project, s api.FollowedSymbol) (commits []doc.Revision, note string)

	// Tracked returns the files that git tracks. It may be nil.
	Tracked func(ctx context.Context, p Project) ([]string, error)

	load      func(p Project) (*store.Store, error) // if nil, loadIndex
	processor func() time.Duration                  // if nil, processorUsed
	stalled   func() time.Duration                  // if nil, Total of the engine's meter
}

// An Engine answers questions about projects. It is safe for concurrent use. The caller must Close
// it.
type Engine struct {
	options Options // with defaults
	system  *actor.System
	router  *actor.PID
	life    context.Context
	end     context.CancelFunc
	queries queries
	texts   *ranking.Readings

	mu      sync.Mutex
	members []*member // in the order in which they joined
	joined  int
	beats   int            // how often Beat was called, to ask another project each time
	leaving sync.WaitGroup // removed members
}

// Open starts an engine. If no project has a usable index, it returns an error, unless Lazy is set.
// Otherwise each answer names the projects without one. An index that is not open within Within
// goes on opening, and questions wait for it until their deadline.
func Open(o Options) (*Engine, error) {
	if len(o.Projects) == 0 && !o.Lazy {
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
	if o.processor == nil {
		o.processor = processorUsed
	}
	e := &Engine{texts: &ranking.Readings{}}
	if o.stalled == nil {
		o.stalled = e.queries.stall.Total
	}
	o.Slots = max(2, cmp.Or(o.Slots, defaultSlots))
	e.options = o
	e.life, e.end = context.WithCancel(context.Background())
	e.system = actor.NewSystem(o.Logger)
	if err := e.start(); err != nil {
		return nil, errors.Join(err, e.Close(context.Background()))
	}
	return e, nil
}

func (e *Engine) start() (err error) {
	r := &router{log: e.options.Logger}
	e.router, err = e.system.Spawn("router", r)
	if err != nil {
		return err
	}
	for _, p := range e.options.Projects {
		if err := e.Add(p); err != nil {
			return err
		}
	}
	if e.options.Lazy {
		return nil
	}
	return e.openAll()
}

// openAll opens every index. It returns an error if all failed.
func (e *Engine) openAll() error {
	ctx, cancel := e.life, func() {}
	if e.options.Within > 0 {
		ctx, cancel = context.WithTimeout(ctx, e.options.Within)
	}
	defer cancel()
	var errs []error
	for _, m := range e.members {
		if _, err := m.host.index.openIndex(ctx); err != nil && !errors.Is(err, api.ErrNotOpen) {
			errs = append(errs, fmt.Errorf("open index of %q: %w", m.from, err))
		}
	}
	if len(errs) == len(e.members) {
		return errors.Join(errs...)
	}
	return nil
}

// Scry answers a request. Parts that fail or are late are named in the answer. It returns an error
// only if there is no answer: the request is invalid, ctx has ended, or the engine is closed.
func (e *Engine) Scry(ctx context.Context, r api.Request) (*api.Answer, error) {
	a, err := e.scry(ctx, r, nil, nil)
	if err != nil {
		return nil, err
	}
	renumber(a)
	return a, nil
}

// renumber numbers the results, because some of the ranking may be left out.
func renumber(a *api.Answer) {
	for i := range a.Results {
		a.Results[i].Rank = i + 1
	}
}

// Close refuses new queries, waits for the running ones, stops all actors and closes the indexes.
// If ctx ends before, it cancels the queries and returns an error. A call that ignores its context
// may then still run.
func (e *Engine) Close(ctx context.Context) error {
	if !e.queries.closeOnce() {
		return nil
	}
	drained := waitFor(ctx, e.queries.running.Wait)
	e.mu.Lock()
	e.end()
	left := e.members
	e.members = nil
	e.mu.Unlock()
	if e.router != nil {
		drained = errors.Join(drained, waitFor(ctx, e.router.Drain))
	}
	for _, m := range left {
		drained = errors.Join(drained, retire(ctx, m))
	}
	drained = errors.Join(drained, waitFor(ctx, e.leaving.Wait))
	return drained
}

// receiveReply waits for a reply until its deadline, and then for answerGrace. The grace must begin
// after the deadline was seen, because a stopped process would otherwise find both over when it
// continues.
func receiveReply[R any](ctx context.Context, e *Engine, reply <-chan R, budget time.Duration) (R, error) {
	var none R
	for _, d := range []time.Duration{budget, answerGrace} {
		over := make(chan struct{})
		alarm := actor.BeginStopwatch(e.options.stalled, MostStalled(d)).After(d, func() { close(over) })
		defer alarm.Stop()
		select {
		case r := <-reply:
			return r, nil
		case <-ctx.Done():
			return none, ctx.Err()
		case <-e.life.Done(): // Close waits no longer for running queries
			return none, api.ErrClosed
		case <-over:
		}
	}
	return none, errSilent
}

// waitFor runs f, which must wait for something, and returns when f does or ctx ends.
func waitFor(ctx context.Context, f func()) error {
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
