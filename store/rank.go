package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"patina/store/text"
)

// Lexical ranks the documents of each kind by BM25F over all their chunks (ranking.md B): files by the p-norm of their
// chunks, every other document by its best chunk. It returns up to limit documents a kind, best first, ties by doc_id;
// files that define the one symbol which the question names, and those that a long text names, are always among them.
func (r *Reader) Lexical(ctx context.Context, q text.Question, f Filter, limit int) (map[Kind][]Ranked, error) {
	found, err := r.finding(ctx, q)
	if err != nil {
		return nil, err
	}
	s := found.scoring
	allow, err := r.allowed(ctx, s.snap, f)
	if err != nil {
		return nil, err
	}
	wanted := found.named.any()
	for key := range found.defined {
		wanted[key] = true
	}
	lists := make(map[Kind]*best)
	for _, k := range Kinds() {
		if wants(f, k) {
			lists[k] = &best{limit: limit}
		}
	}
	forced := &best{limit: len(wanted) + 1}
	err = s.groups(func(space string) bool { return lists[Kind(space)] != nil }, func(g *segment, key int64, scores []float32) {
		if allow != nil && !allow.has(key) {
			return
		}
		kind := Kind(g.space)
		list := lists[kind]
		var score float64
		if g.pooled {
			score = pnorm(scores, s.p, list.floor)
		} else {
			score = float64(slices.Max(scores))
		}
		list.add(key, score, scores)
		if kind == Code && wanted[key] {
			forced.add(key, score, scores)
		}
	})
	if err != nil {
		return nil, err
	}
	out := make(map[Kind][]Ranked)
	for kind, b := range lists {
		items := b.cut()
		if kind == Code {
			items = joinScored(items, forced.cut())
		}
		if out[kind], err = r.named(ctx, s.snap, kind, items); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// joinScored adds to items what more holds and it lacks.
func joinScored(items, more []scored) []scored {
	for _, m := range more {
		if !slices.ContainsFunc(items, func(s scored) bool { return s.key == m.key }) {
			items = append(items, m)
		}
	}
	return items
}

func wants(f Filter, k Kind) bool { return len(f.Kinds) == 0 || slices.Contains(f.Kinds, k) }

// named turns keys into doc_ids.
func (r *Reader) named(ctx context.Context, snap *snapshot, kind Kind, items []scored) ([]Ranked, error) {
	keys := make([]int64, len(items))
	for i, x := range items {
		keys[i] = x.key
	}
	ids, err := r.docIDs(ctx, snap, kind, keys)
	if err != nil {
		return nil, err
	}
	out := make([]Ranked, 0, len(items))
	for i, x := range items {
		id := ids[x.key]
		if id.doc == "" {
			return nil, fmt.Errorf("name document %d: %w", keys[i], ErrDamaged)
		}
		out = append(out, Ranked{DocID: id.doc, Path: id.path, Raw: x.score, Chunks: x.chunks})
	}
	slices.SortFunc(out, func(a, b Ranked) int { return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.DocID, b.DocID)) })
	return out, nil
}

// rowsIn runs a query that ends in "IN " over keys and calls each for every row.
func (r *Reader) rowsIn(ctx context.Context, query string, keys []int64, each func(scan func(...any) error) error) error {
	for batch := range slices.Chunk(keys, 500) {
		rows, err := r.conn.QueryContext(ctx, query+`(?`+strings.Repeat(",?", len(batch)-1)+`)`, args(batch)...)
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := each(rows.Scan); err != nil {
				_ = rows.Close()
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	return nil
}
