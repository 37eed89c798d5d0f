package project

import (
	"context"

	"patina/oracles/embed"
	"patina/store/doc"
)

// Model returns the model of a place's vectors: the table adapted to it, or the built-in one if the
// index cannot be read. It never returns nil.
func Model(ctx context.Context, p Place) doc.Embedder {
	i, err := Inspect(ctx, p)
	if err != nil {
		return embed.Base()
	}
	defer func() { _ = i.Close() }()
	if table, err := i.reader.Table(ctx); err == nil && len(table) > 0 {
		if m, err := embed.Load(table); err == nil {
			return m
		}
	}
	return embed.Base()
}
