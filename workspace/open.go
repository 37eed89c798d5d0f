package workspace

import (
	"context"
	"time"

	"patina/actors"
	"patina/oracles"
	"patina/store/scrape"
)

// Open opens an engine on the place. It waits for the index no longer than within, unless that is
// 0. Then the index goes on opening, and each request waits for it until its own deadline.
func Open(ctx context.Context, p Place, within time.Duration) (*actors.Engine, error) {
	return OpenAll(ctx, p, nil, within)
}

// OpenAll opens an engine on the place and on others that stay open, which visits do not. It is for
// measurements that ask all of them at once.
func OpenAll(ctx context.Context, p Place, others []Visit, within time.Duration) (*actors.Engine, error) {
	seal, err := p.sealed(ctx)
	if err != nil {
		return nil, err
	}
	projects := []actors.Project{{
		ID: p.ID, Name: p.Name, Root: p.Root, StoreDir: p.Store, Seal: seal, View: p.view(), Oracles: oracles.AtHome(p.Home, p.ID, p.Scoring),
	}}
	for _, v := range others {
		project, err := v.project(ctx)
		if err != nil {
			return nil, err
		}
		projects = append(projects, project)
	}
	return actors.Open(actors.Options{
		Projects: projects,
		Fresh:    fresh,
		Diff:     diff,
		Follow:   followed,
		Tracked:  tracked,
		Within:   within,

		Extractor: scrape.Version(),
	})
}
