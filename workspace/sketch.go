package workspace

import (
	"context"
	"maps"

	"patina/registry"
	"patina/route"
	"patina/store/lookup"
)

// sketch keeps a sketch of the place's index, for questions asked in other projects. One that still
// stands is left as it is: making one takes longer than reading a changed file.
func (p Place) sketch(ctx context.Context, anew bool) error {
	i, err := Inspect(ctx, p)
	if err != nil {
		return err
	}
	defer func() { _ = i.Close() }()
	chunks, counted, err := lookup.CodeChunks(ctx, i.reader)
	if err != nil {
		return err
	}
	if s := p.Sketch(); !anew && s != nil && s.Stands(counted) {
		return nil
	}
	df, err := lookup.Frequencies(ctx, i.reader, route.MaxTerms)
	if err != nil {
		return err
	}
	return registry.PutSketch(p.Home, p.ID, route.New(chunks, counted, maps.All(df)).Bytes())
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
