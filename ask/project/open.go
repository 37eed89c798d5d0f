package project

import (
	"context"
	"time"

	"patina/actors"
	"patina/oracles"
	"patina/scrape"
)

// Open opens an engine on the place. It waits for the index no longer than within, unless that is
// 0. Then the index goes on opening, and each request waits for it until its own deadline.
func Open(ctx context.Context, p Place, within time.Duration) (*actors.Engine, error) {
	return OpenAll(ctx, p, nil, within)
}

// Answering returns the project for an engine. Its index is not believed if there is an error; one
// that wraps store.ErrForeign still comes with the project.
func (p Place) Answering(ctx context.Context) (actors.Project, error) {
	seal, err := p.sealed(ctx)
	return actors.Project{ID: p.ID, Name: p.Name, Root: p.Root, StoreDir: p.Store, Seal: seal, View: p.view()}, err
}

// OpenAll opens an engine on the place and on others that stay open, which visits do not. It is for
// measurements that ask all of them at once.
func OpenAll(ctx context.Context, p Place, others []actors.Project, within time.Duration) (*actors.Engine, error) {
	home, err := p.Answering(ctx)
	if err != nil {
		return nil, err
	}
	home.Oracles = oracles.AtHome(p.Home, p.ID, p.Scoring)
	return actors.Open(actors.Options{
		Projects: append([]actors.Project{home}, others...),
		Fresh:    fresh,
		Diff:     diff,
		Follow:   followed,
		Tracked:  tracked,
		Within:   within,

		Extractor: scrape.Version(),
	})
}
