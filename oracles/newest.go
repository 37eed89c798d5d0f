package oracles

import (
	"context"

	"patina/store"
)

// newestCommits answers a question of no words: the commits that pass the filter, newest first.
func newestCommits(ctx context.Context, r *store.Reader, f store.Filter, limit int) (map[store.Kind][]store.Ranked, error) {
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
	out := make(map[store.Kind][]store.Ranked)
	for _, kind := range store.Timed() {
		if store.Wants(f, kind) {
			if out[kind], err = namedDocuments(ctx, r, snap, kind, ranked, len(ranked)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
