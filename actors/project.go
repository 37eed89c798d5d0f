package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"patina/actors/actor"
	"patina/actors/api"
	"patina/actors/lookups"
	"patina/actors/ranking"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
)

// A Project is a repository for which an engine answers.
type Project struct {
	ID       string // random and permanent
	Name     string // shown in answers; must be unique in an engine
	Root     string // the working tree behind the index
	StoreDir string
	Seal     store.Seal
	// View is the working tree if several share the store, and store.MainView for the main one.
	View string
	// Repository is its name on all machines (git.NameOfURL), or "" if that is unknown. A target
	// of this name is a copy of the project and must not be asked as well.
	Repository string
	// Oracles are asked only in this project, in addition to the engine's: oracles.AtHome for the
	// user's project.
	Oracles []oracles.Oracle
	// Visited is true if only questions that name the project ask it. Few are kept open.
	Visited bool
	// Kinds are the kinds it shows; nil means all, and empty means no kind.
	Kinds []doc.Kind
	// Embedders is as in oracles.Project. It may be nil.
	Embedders func(context.Context) (map[doc.Kind]doc.BatchEmbedder, error)
}

// sameVisit reports whether a visit to p may use the index that is open for x.
func (x Project) sameVisit(p Project) bool {
	return x.Seal == p.Seal && x.StoreDir == p.StoreDir && x.View == p.View && sameKinds(x.Kinds, p.Kinds)
}

// sameKinds reports whether two values of Project.Kinds are equal. nil and empty differ.
func sameKinds(a, b []doc.Kind) bool { return (a == nil) == (b == nil) && slices.Equal(a, b) }

// A host holds the common state of one project's actors. It must not be changed.
type host struct {
	project Project
	index   *index
	oracles []*channel
	texts   *ranking.Readings // the engine's
	surveys *lookups.Surveys
	fresh   func(Project, doc.Generation) (behind int, note string)
	diff    func(ctx context.Context, p Project, sha string) (diff, note string)
	tracked func(context.Context, Project) ([]string, error)
	follow  func(context.Context, Project, api.FollowedSymbol) ([]doc.Revision, string)
	log     *slog.Logger

	extractor string               // this program's
	processor func() time.Duration // processor time used
	running   func() int           // number of running queries of the engine
	stalled   func() time.Duration // total time of stalls

	work *sync.WaitGroup // goroutines with running calls
	life context.Context // ends with the project
}

func newHost(life context.Context, e *Engine, p Project) *host {
	o := e.options
	h := &host{
		project: p, index: newIndex(p, o), texts: e.texts, surveys: lookups.NewSurveys(),
		fresh: o.Fresh, diff: o.Diff, tracked: o.Tracked, follow: o.Follow,
		log: o.Logger, extractor: o.Extractor, work: &sync.WaitGroup{}, life: life,
		processor: o.processor, running: func() int { return int(e.queries.count.Load()) }, stalled: o.stalled,
	}
	for _, x := range slices.Concat(o.Oracles, p.Oracles) {
		h.oracles = append(h.oracles, &channel{oracle: x, project: oracles.Project{
			Name: p.Name, Root: p.Root, StoreDir: p.StoreDir, Embedders: p.Embedders,
		}})
	}
	return h
}

// stopwatch returns a stopwatch for a budget that begins now.
func (h *host) stopwatch(budget time.Duration) actor.Stopwatch {
	return actor.BeginStopwatch(h.stalled, MostStalled(budget))
}

// channels returns the names of the project's channels.
func (h *host) channels() []string {
	var names []string
	for _, x := range h.oracles {
		names = append(names, x.oracle.Name())
	}
	return names
}

// closeHost closes the index and the channels. No call may be running.
func (h *host) closeHost() error {
	var errs []error
	for _, x := range h.oracles {
		if err := recoverPanic(h.log, x.closeChannel); err != nil {
			errs = append(errs, fmt.Errorf("close oracle %q of %q: %w", x.oracle.Name(), h.project.Name, err))
		}
	}
	if err := h.index.closeIndex(); err != nil {
		errs = append(errs, fmt.Errorf("close index of %q: %w", h.project.Name, err))
	}
	return errors.Join(errs...)
}

// showing returns the index of a generation for an answer.
func (h *host) showing(g doc.Generation) api.IndexState {
	return api.IndexState{
		Project: h.project.Name, Root: h.project.Root, Generation: g, Behind: -1,
		Reparse: h.extractor != "" && g.Extractor != "" && g.Extractor != h.extractor,
	}
}

// limited restricts an Ask to the kinds that the project shows.
func (h *host) limited(m *api.Ask) *api.Ask { return limitKinds(m, h.project.Kinds) }

// limitKinds restricts an Ask to the kinds of Project.Kinds.
func limitKinds(m *api.Ask, kinds []doc.Kind) *api.Ask {
	if kinds == nil {
		return m
	}
	out := *m
	out.Filter.Kinds = nil
	for _, k := range kinds {
		if doc.Wants(m.Filter, k) {
			out.Filter.Kinds = append(out.Filter.Kinds, k)
		}
	}
	if len(out.Filter.Kinds) == 0 {
		out.Filter.Kinds = []doc.Kind{noKind}
	}
	return &out
}

// noKind is a kind without documents.
const noKind doc.Kind = "none"

// newDesk returns a desk for one look-up in the reader's generation.
func (h *host) newDesk(r *store.Reader, channels []*channel) *lookups.Desk {
	d := &lookups.Desk{
		Reader: r, Index: h.showing(r.Generation()), Root: h.project.Root, Surveys: h.surveys,
		Outside: h.describeOutside,
	}
	for _, x := range channels {
		d.Channels = append(d.Channels, x.openOnce)
	}
	if h.fresh != nil {
		d.Fresh = func(g doc.Generation) (int, string) { return h.fresh(h.project, g) }
	}
	if h.diff != nil {
		d.Diff = func(ctx context.Context, sha string) (string, string) { return h.diff(ctx, h.project, sha) }
	}
	if h.follow != nil {
		d.Follow = func(ctx context.Context, s api.FollowedSymbol) ([]doc.Revision, string) {
			return h.follow(ctx, h.project, s)
		}
	}
	if h.tracked != nil {
		d.Tracked = func(ctx context.Context) ([]string, error) { return h.tracked(ctx, h.project) }
	}
	return d
}
