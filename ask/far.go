package ask

import (
	"context"
	"time"

	"patina/actors/api"
	"patina/ask/project"
	"patina/ask/visit"
)

// A farEngines opens engines on repositories that other machines answer for. It implements Engines.
type farEngines struct{ mother visit.Mother }

// Open implements Engines. An engine of one far repository costs nothing until it asks.
func (f farEngines) Open(_ context.Context, p project.Place, _ time.Duration) (api.Service, func(), error) {
	e, err := visit.OpenFar(p, f.mother)
	if err != nil {
		return nil, nil, err
	}
	return e, func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = e.Close(ctx)
	}, nil
}

// Mend implements Engines. No index is missing here.
func (farEngines) Mend(context.Context, project.Place, Missing) (bool, error) { return false, nil }

// Turn implements Engines.
func (farEngines) Turn(context.Context, project.Place) func() { return func() {} }

// Follow implements Engines.
func (farEngines) Follow(project.Place, api.Service) Follower { return nil }
