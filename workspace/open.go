package workspace

import (
	"context"
	"time"

	"patina/actors"
	"patina/oracles"
)

// Open opens an engine on the place. It waits for the index no longer than within, unless that is
// 0. Then the index goes on opening, and each request waits for it until its own deadline.
func Open(ctx context.Context, p Place, within time.Duration) (*actors.Engine, error) {
	seal, err := p.sealed(ctx)
	if err != nil {
		return nil, err
	}
	return actors.Open(actors.Options{
		Projects: []actors.Project{{
			ID: p.ID, Name: p.Name, Root: p.Root, StoreDir: p.Store, Seal: seal, View: p.view(), Oracles: oracles.AtHome(p.Home, p.ID, p.Scoring),
		}},
		Fresh:   fresh,
		Diff:    diff,
		Tracked: tracked,
		Within:  within,
	})
}
