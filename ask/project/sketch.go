package project

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"patina/belief/knowledge"
	"patina/code/lookup"
	"patina/registry"
	"patina/registry/route"
	"patina/store/text"
)

// sketch writes a sketch of the place's index, for questions asked in other projects. Unless anew
// is set, it keeps a sketch that is still valid, because making one takes longer than reading a
// changed file.
func (p Place) sketch(ctx context.Context, anew bool) error {
	i, err := Inspect(ctx, p)
	if err != nil {
		return err
	}
	defer func() { _ = i.Close() }()
	var c route.Contents
	if c.Chunks, c.Counted, err = lookup.CodeChunks(ctx, i.reader); err != nil {
		return err
	}
	snap, err := i.reader.Snapshot(ctx)
	if err != nil {
		return err
	}
	beliefs, err := knowledge.Active(ctx, i.reader, snap)
	if err != nil {
		return err
	}
	c.Beliefs, c.Stated = len(beliefs), statedTerms(beliefs)
	if s := p.Sketch(); !anew && s != nil && s.Stands(c) {
		return nil
	}
	if err := fillFromCode(ctx, i, &c); err != nil {
		return err
	}
	return registry.PutSketch(p.Home, p.ID, route.New(c).Bytes())
}

// statedTerms returns the terms of the id and the statement of each belief, the best supported
// first.
func statedTerms(beliefs map[int64]knowledge.Held) (out [][]string) {
	sorted := slices.SortedFunc(maps.Values(beliefs), func(a, b knowledge.Held) int {
		return cmp.Or(cmp.Compare(b.Standing, a.Standing), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Path, b.Path))
	})
	for _, b := range sorted {
		out = append(out, text.ParseQuestion(b.ID+" "+b.Statement).Terms)
	}
	return out
}

// fillFromCode adds the terms and names of the code.
func fillFromCode(ctx context.Context, i *Inspection, c *route.Contents) (err error) {
	if c.Terms, err = lookup.Frequencies(ctx, i.reader, route.MaxTerms); err != nil {
		return err
	}
	c.Names, err = lookup.DefinedIn(ctx, i.reader)
	return err
}

// CodeSketch makes a sketch of the place's index that has no words of beliefs. It writes nothing.
func (p Place) CodeSketch(ctx context.Context) (*route.Sketch, error) {
	i, err := Inspect(ctx, p)
	if err != nil {
		return nil, err
	}
	defer func() { _ = i.Close() }()
	var c route.Contents
	if c.Chunks, c.Counted, err = lookup.CodeChunks(ctx, i.reader); err != nil {
		return nil, err
	}
	if err := fillFromCode(ctx, i, &c); err != nil {
		return nil, err
	}
	s := route.New(c)
	return &s, nil
}

// Sketch returns the place's sketch, or nil if there is no sketch or it is damaged.
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
