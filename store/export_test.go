package store

import "context"

// BuildGraphFrom is BuildGraph for an index of fewer vectors.
func BuildGraphFrom(ctx context.Context, dir string, many int64) error {
	return buildGraph(ctx, dir, many, func(int64, int64) {})
}

// OpenGraph makes the readers of r's database use its graph for kinds of so many rows, and waits for it.
func (r *Reader) OpenGraph(many int64) error {
	g, err := openGraph(r.on.name)
	v := &r.on.vectors
	v.mu.Lock()
	defer v.mu.Unlock()
	v.many, v.graph, v.opening = many, g, true
	return err
}
