package oracles

import (
	"context"

	"patina/code/lookup"
	"patina/store"
	"patina/store/text"
)

// questionFiles returns the files whose path ends with the whole question, extension included. It
// returns nil if the question is not written like a path.
func questionFiles(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, raw string,
) (map[int64]string, error) {
	p, ok := lookup.WrittenPath(raw)
	if !ok {
		return nil, nil
	}
	found, err := lookup.FilesEnding(ctx, r, snap, p)
	return found, store.Damaged(err)
}

// definingFiles returns X of each file, if the question asks for one symbol or is the name of a
// file ("server.go").
func definingFiles(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, q text.Question,
) (map[int64]float64, error) {
	if files, err := questionFiles(ctx, r, snap, q.Raw); err != nil || len(files) > 0 {
		x := make(map[int64]float64, len(files))
		for k := range files {
			x[k] = 1
		}
		return x, err
	}
	n, ds, err := lookup.Meant(ctx, r, snap, q.Raw)
	if err != nil {
		return nil, err
	}
	x := make(map[int64]float64)
	for _, d := range ds {
		x[d.File] = max(x[d.File], lookup.DefinitionScore(n, d.Path, d.Entry))
	}
	return x, nil
}
