package oracles

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// BM25 ranks the documents of each kind by BM25F over all their chunks (docs/ranking.md, "BM25F and
// the p-norm"). The score of a file is the p-norm of its chunks, that of every other document its
// best chunk. It returns up to limit documents of each kind, the best first, with ties by doc_id.
// Files that define the one symbol of the question, or that a long text names, are added even
// beyond limit.
func BM25(
	ctx context.Context, r *store.Reader, q text.Question, f doc.Filter, limit int,
) (map[doc.Kind][]doc.Ranked, error) {
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
	b := found.board()
	w := wordSearch{scoring: s, board: b, allow: allow, wanted: found.wantedFiles()}
	chunks := chunksFor(f)
	if _, ok := lookup.WrittenFile(q.Raw); ok {
		chunks = allChunks
	}
	out := make(map[doc.Kind][]doc.Ranked)
	for _, kind := range doc.Kinds() {
		if !doc.Wants(f, kind) {
			continue
		}
		hits, forced, err := w.rank(kind, limit)
		if err != nil {
			return nil, err
		}
		if out[kind], err = namedDocuments(ctx, r, s.snap, kind, w.scored(hits, chunks), limit); err != nil {
			return nil, err
		}
		more, err := namedDocuments(ctx, r, s.snap, kind, w.scored(forced, chunks), len(forced))
		if err != nil {
			return nil, err
		}
		for _, x := range more {
			if !slices.ContainsFunc(out[kind], func(y doc.Ranked) bool { return y.DocID == x.DocID }) {
				out[kind] = append(out[kind], x)
			}
		}
		slices.SortFunc(out[kind], bestFirstByName)
	}
	found.keepBoard(b)
	return out, nil
}

// A wordSearch ranks documents by the scores on a board.
type wordSearch struct {
	*scoring
	board  *board
	allow  *doc.Bitmap    // nil allows all
	wanted map[int64]bool // files of code that are listed whatever their score
}

// A wordHit is a group and its score.
type wordHit struct {
	key            int64
	score          float64
	segment, group int
}

// rank returns the best groups of a kind, the best first, and all wanted ones. hits holds at least
// limit groups, if there are as many, and ties beyond it.
func (w *wordSearch) rank(kind doc.Kind, limit int) (hits, forced []wordHit, err error) {
	list := wordList{limit: limit}
	least := greatest{limit: limit}
	for i, g := range w.segments {
		if g.Space != string(kind) {
			continue
		}
		if err := w.fill(w.board, i); err != nil {
			return nil, nil, err
		}
		for gi, best := range w.board.parts[i].best {
			if best > least.floor && w.allows(g.Keys[gi]) {
				least.push(best)
			}
		}
	}
	list.floor = float64(least.floor) // a file's score is at least that of its best chunk
	for i, g := range w.segments {
		if g.Space == string(kind) {
			forced = append(forced, w.listGroups(&list, i, kind == doc.Code)...)
		}
	}
	list.truncate()
	return list.items, forced, nil
}

func (w *wordSearch) allows(key int64) bool { return w.allow == nil || w.allow.Has(key) }

// listGroups adds the groups of a segment to a list. It returns the wanted ones.
func (w *wordSearch) listGroups(to *wordList, segment int, code bool) (forced []wordHit) {
	g, p := w.segments[segment], &w.board.parts[segment]
	for gi, best := range p.best {
		if best <= 0 {
			continue
		}
		h := wordHit{key: g.Keys[gi], score: float64(best), segment: segment, group: gi}
		floor := to.floor
		isWanted := code && w.wanted[h.key]
		if isWanted {
			floor = 0
		}
		chunks := int(g.Starts[gi+1] - g.Starts[gi])
		if g.Pooled && mostScore(h.score, chunks, w.p) < floor || !w.allows(h.key) {
			continue
		}
		if g.Pooled {
			h.score = fileScore(p.groupScores(g, gi), h.score, w.p, floor)
		}
		to.push(h)
		if isWanted {
			forced = append(forced, h)
		}
	}
	return forced
}

// scored returns hits with their best chunks.
func (w *wordSearch) scored(hits []wordHit, chunks int) []scored {
	out := make([]scored, len(hits))
	for i, h := range hits {
		scores := w.board.parts[h.segment].groupScores(w.segments[h.segment], h.group)
		out[i] = scored{key: h.key, score: h.score, chunks: topChunks(scores, chunks)}
	}
	return out
}

// bestFirstByName orders by score, then by doc_id.
func bestFirstByName(a, b doc.Ranked) int {
	return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.DocID, b.DocID))
}

// namedDocuments returns the first limit items with their doc_ids, with ties by doc_id. The error
// wraps store.ErrDamaged if a key has no document.
func namedDocuments(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, kind doc.Kind, items []scored, limit int,
) ([]doc.Ranked, error) {
	keys := make([]int64, len(items))
	for i, x := range items {
		keys[i] = x.key
	}
	ids, err := r.DocIDs(ctx, snap, kind, keys)
	if err != nil {
		return nil, err
	}
	out := make([]doc.Ranked, 0, len(items))
	for i, x := range items {
		id := ids[i]
		if id == nil || id.Doc == "" {
			return nil, fmt.Errorf("name document %d: %w", keys[i], store.ErrDamaged)
		}
		out = append(out, doc.Ranked{
			DocID: id.Doc, Path: id.Path, Raw: x.score, Chunks: x.chunks, Near: x.near, Chance: x.chance,
		})
	}
	slices.SortFunc(out, bestFirstByName)
	return out[:min(len(out), limit)], nil
}
