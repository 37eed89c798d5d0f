package project

import (
	"context"
	"sync"
	"time"

	"patina/actors"
	"patina/ask/embedders"
	"patina/memory/recall"
	"patina/oracles"
	"patina/scrape"
	"patina/scrape/git"
	"patina/store"
)

// Open opens an engine on the place. It waits for the index at most within, or without limit if
// within is 0. After that the index continues to open, and each request waits for it until its own
// deadline. The caller must close the engine.
func Open(ctx context.Context, p Place, within time.Duration) (*actors.Engine, error) {
	return OpenAll(ctx, p, nil, within)
}

// Answering returns the project for an engine. If the error wraps store.ErrForeign, the index is
// not trusted, but the project is valid.
func (p Place) Answering(ctx context.Context) (actors.Project, error) {
	seal, err := p.sealed(ctx)
	x := actors.Project{
		ID: p.ID, Name: p.Name, Root: p.Root, StoreDir: p.Store, Seal: seal, View: store.MainView,
		Embedders: embedders.Process().For(p.Home, p.ID),
	}
	if tree, missing := git.Find(p.Root); missing == nil {
		x.View, x.Repository = tree.View(), git.NameOfURL(tree.Origin())
	}
	return x, err
}

// OpenAll opens an engine on the place and on other projects, which stay open, unlike visits. It is
// for measurements that ask all of them at once. others may be nil.
func OpenAll(ctx context.Context, p Place, others []actors.Project, within time.Duration) (*actors.Engine, error) {
	home, err := p.Answering(ctx)
	if err != nil {
		return nil, err
	}
	defined := sync.OnceValue(func() []recall.Definition { return Definitions(p) })
	home.Oracles = oracles.AtHome(p.Home, p.ID, p.Scoring, defined)
	o := EngineOptions()
	o.Projects, o.Within = append([]actors.Project{home}, others...), within
	return actors.Open(o)
}

// EngineOptions returns the options of an engine on projects of this machine: how it compares an
// index with its working tree, and how it reads the history.
func EngineOptions() actors.Options {
	return actors.Options{
		Fresh: fresh, Diff: diff, Follow: followed, Tracked: tracked,

		Extractor: scrape.Version(),
	}
}
