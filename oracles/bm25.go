package oracles

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"patina/store"
	"patina/store/lookup"
	"patina/store/text"
)

// BM25 ranks the documents of each kind by BM25F over all their chunks (docs/ranking.md, "BM25F and
// the p-norm"). A file has the p-norm of its chunks, every other document its best chunk. It
// returns up to limit documents a kind, best first, ties by doc_id. It always includes the files
// that define the one symbol in the question, and files named by a long text.
func BM25(
	ctx context.Context, r *store.Reader, q text.Question, f store.Filter, limit int,
) (map[store.Kind][]store.Ranked, error) {
	if q.Listing {
		return newestCommits(ctx, r, f, limit)
	}
	found, err := findingOf(ctx, r, q)
	if err != nil {
		return nil, err
	}
	s := found.scoring
	allow, err := r.Allowed(ctx, s.snap, f)
	if err != nil {
		return nil, err
	}
	wanted := found.named.any()
	for key := range found.defined {
		wanted[key] = true
	}
	chunks := chunksFor(f)
	if _, ok := lookup.WrittenFile(q.Raw); ok {
		chunks = allChunks
	}
	lists := make(map[store.Kind]*best)
	for _, k := range store.Kinds() {
		if store.Wants(f, k) {
			lists[k] = &best{limit: limit, chunks: chunks}
		}
	}
	forced := &best{limit: len(wanted) + 1, chunks: chunks}
	wants := func(space string) bool { return lists[store.Kind(space)] != nil }
	err = s.groups(wants, func(g *store.Segment, key int64, scores []float32) {
		if allow != nil && !allow.Has(key) {
			return
		}
		kind := store.Kind(g.Space)
		list := lists[kind]
		isWanted := kind == store.Code && wanted[key]
		score := float64(slices.Max(scores))
		if g.Pooled {
			if mostScore(score, len(scores), s.p) < list.floor && !isWanted {
				return
			}
			score = fileScore(scores, score, s.p, list.floor)
		}
		list.add(key, score, scores)
		if isWanted {
			forced.add(key, score, scores)
		}
	})
	if err != nil {
		return nil, err
	}
	out := make(map[store.Kind][]store.Ranked)
	for kind, b := range lists {
		items := b.cut()
		if kind == store.Code {
			items = joinScored(items, forced.cut())
		}
		if out[kind], err = named(ctx, r, s.snap, kind, items); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// joinScored appends those in more, but not in items.
func joinScored(items, more []scored) []scored {
	for _, m := range more {
		if !slices.ContainsFunc(items, func(s scored) bool { return s.key == m.key }) {
			items = append(items, m)
		}
	}
	return items
}

// named turns keys into doc_ids.
func named(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, kind store.Kind, items []scored,
) ([]store.Ranked, error) {
	keys := make([]int64, len(items))
	for i, x := range items {
		keys[i] = x.key
	}
	ids, err := r.DocIDs(ctx, snap, kind, keys)
	if err != nil {
		return nil, err
	}
	out := make([]store.Ranked, 0, len(items))
	for i, x := range items {
		id := ids[x.key]
		if id.Doc == "" {
			return nil, fmt.Errorf("name document %d: %w", keys[i], store.ErrDamaged)
		}
		out = append(out, store.Ranked{DocID: id.Doc, Path: id.Path, Raw: x.score, Chunks: x.chunks, Near: x.near, Chance: x.chance})
	}
	slices.SortFunc(out, func(a, b store.Ranked) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.DocID, b.DocID))
	})
	return out, nil
}
