package workspace

import (
	"context"
	"maps"

	"patina/registry"
	"patina/route"
	"patina/store/lookup"
)

// sketch keeps a sketch of the place's index, for questions asked in other projects.
func (p Place) sketch(ctx context.Context) error {
	i, err := Inspect(ctx, p)
	if err != nil {
		return err
	}
	defer func() { _ = i.Close() }()
	chunks, df, err := lookup.Frequencies(ctx, i.reader, route.MaxTerms)
	if err != nil {
		return err
	}
	return registry.PutSketch(p.Home, p.ID, route.New(chunks, maps.All(df)).Bytes())
}

// Sketch returns the place's sketch; nil if it has none, or a damaged one.
func (p Place) Sketch() *route.Sketch {
	b, err := registry.Sketch(p.Home, p.ID, route.MaxBytes)
	if err != nil || b == nil {
		return nil
	}
	s, err := route.Parse(b)
	if err != nil {
		return nil
	}
	return &s
}
