package oracles

import (
	"context"

	"patina/store"
	"patina/store/doc"
)

// newestCommits answers a question without words by the commits that pass the filter, the newest
// first.
func newestCommits(ctx context.Context, r *store.Reader, f doc.Filter, limit int) (map[doc.Kind][]doc.Ranked, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	allow, err := r.Allowed(ctx, snap, f)
	if err != nil {
		return nil, err
	}
	keys, err := r.NewestCommits(ctx, snap, allow, limit)
	if err != nil {
		return nil, err
	}
	ranked := make([]scored, len(keys))
	for i, k := range keys {
		ranked[i] = scored{key: k, score: float64(len(keys) - i)}
	}
	out := make(map[doc.Kind][]doc.Ranked)
	for _, kind := range doc.Timed() {
		if doc.Wants(f, kind) {
			if out[kind], err = namedDocuments(ctx, r, snap, kind, ranked, len(ranked)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
