package oracles

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"patina/store"
	"patina/store/vector"
)

// rescored is the number of candidates compared with the exact question, in multiples of the
// limit. The scan rounds the question, which moves a cosine by a thousandth: far fewer change
// places.
const rescored = 2

// margin is how far a rounded product may lie below another one that is smaller before rounding. It
// is eight standard deviations of the error from rounding the question (1/√12 a component).
const margin = 8 * store.VectorScale * 29 / 100

// Nearest ranks each kind by cosine with q: files by their nearest chunk or card, other documents
// by their nearest chunk. q has length 1, or is zero and near to nothing. It returns up to limit
// documents a kind with a cosine above 0, best first, ties by doc_id. ErrNoVectors says that the
// index has no vectors.
func Nearest(
	ctx context.Context, r *store.Reader, q []float32, f store.Filter, limit int,
) (map[store.Kind][]store.Ranked, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	if snap.Model == "" {
		return nil, store.ErrNoVectors
	}
	allow, err := r.Allowed(ctx, snap, f)
	if err != nil {
		return nil, err
	}
	s := &nearSearch{
		question: q, rounded: make([]int8, len(q)), allow: allow,
		lists: make(map[store.Kind]*nearList), chunks: chunksFor(f),
	}
	vector.Quantise(s.rounded, q)
	for _, k := range store.Kinds() {
		if store.Wants(f, k) {
			s.lists[k] = &nearList{limit: rescored * limit}
		}
	}
	if s.rows, err = r.Vectors(snap); err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	defer s.rows.Release()
	if d := s.rows.Dimension(); d != len(q) {
		return nil, fmt.Errorf("find the nearest: the question has %d dimensions, the index %d",
			len(q), d)
	}
	buf := dotBuffers.Get().(*[]int32)
	defer dotBuffers.Put(buf)
	if err := s.scanAll(ctx, snap, buf); err != nil {
		return nil, err
	}
	out := make(map[store.Kind][]store.Ranked)
	for k, l := range s.lists {
		if out[k], err = named(ctx, r, snap, k, s.rescore(l.cut(), limit)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A nearSearch is one question's search through the segments.
type nearSearch struct {
	question []float32
	rounded  []int8
	rows     *store.Vectors
	allow    *store.Bitmap
	lists    map[store.Kind]*nearList
	searched []searched
	chunks   int // listed for a document
}

// A searched segment has candidates.
type searched struct {
	*store.Segment
	dots []int32 // for its rows; nil if not all are known
}

// A neighbour is a candidate. It is small: thousands are sorted.
type neighbour struct {
	key     int64
	segment int32 // among those searched
	group   int32
	best    int32 // in the group
}

// A nearRow is a row in a group.
type nearRow struct {
	row     int64 // in the file
	ordinal int   // of the chunk in its document, or -1 for a card
	dot     int32
}

// A nearList keeps the groups with the greatest products.
type nearList struct {
	limit int
	floor int32 // lower products are too late
	items []neighbour
}

func (l *nearList) add(n neighbour) {
	if l.items == nil {
		l.items = make([]neighbour, 0, 2*l.limit)
	}
	l.items = append(l.items, n)
	if len(l.items) >= 2*l.limit {
		l.cut()
		l.floor = l.items[len(l.items)-1].best
	}
}

func (l *nearList) cut() []neighbour {
	slices.SortFunc(l.items, func(x, y neighbour) int {
		if x.best != y.best {
			return cmp.Compare(y.best, x.best)
		}
		return cmp.Compare(x.key, y.key)
	})
	l.items = l.items[:min(len(l.items), l.limit)]
	return l.items
}

var dotBuffers = sync.Pool{New: func() any { return new([]int32) }}

// scanAll fills the lists. buf keeps all products until they are rescored.
func (s *nearSearch) scanAll(ctx context.Context, snap *store.Snapshot, buf *[]int32) error {
	scanned := slices.DeleteFunc(slices.Clone(snap.Segments), func(g *store.Segment) bool {
		return g.Vectors < 0 || g.Chunks == 0 || s.lists[store.Kind(g.Space)] == nil
	})
	byGraph, err := s.chooseByGraph(scanned)
	if err != nil {
		return err
	}
	for _, g := range byGraph {
		if err := s.rows.Check(g); err != nil {
			return err
		}
	}
	scanned = slices.DeleteFunc(scanned, func(g *store.Segment) bool {
		return slices.Contains(byGraph, g)
	})
	total := 0
	for _, g := range scanned {
		total += int(g.VectorRows())
	}
	*buf = slices.Grow((*buf)[:0], total)[:total]
	left := *buf
	for _, g := range scanned {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, all := g.VectorRows(), true
		var err error
		if s.allow == nil {
			all, err = s.rows.Near(left[:n], g, s.rounded)
		} else { // the allowed rows may be few, and far
			err = s.rows.Dots(left[:n], g, s.rounded)
		}
		if err != nil {
			return err
		}
		s.choose(g, left[:n], all)
		left = left[n:]
	}
	return nil
}

// choose adds a segment's groups to the list of its kind. all says that dots has every product:
// otherwise those of a group that is kept are computed then.
func (s *nearSearch) choose(g *store.Segment, dots []int32, all bool) {
	list, cards := s.lists[store.Kind(g.Space)], dots[g.Chunks:]
	kept := dots
	if !all {
		kept = nil
	}
	s.searched = append(s.searched, searched{g, kept})
	at := int32(len(s.searched) - 1)
	for i, key := range g.Keys {
		lo, hi := g.Starts[i], g.Starts[i+1]
		if lo == hi {
			continue
		}
		best := slices.Max(dots[lo:hi])
		if len(cards) > 0 {
			best = max(best, cards[i])
		}
		hidden := g.Hidden != nil && g.Hidden[i]
		if best > list.floor && !hidden && (s.allow == nil || s.allow.Has(key)) {
			list.add(neighbour{key, at, int32(i), best})
		}
	}
}

// groupDots returns the products of a group's chunks, and of its card if it has one.
func (s *nearSearch) groupDots(n neighbour) (chunks, card []int32) {
	g := s.searched[n.segment]
	lo, hi := g.Starts[n.group], g.Starts[n.group+1]
	at := int64(g.Chunks) + int64(n.group)
	carded := at < g.VectorRows()
	if g.dots != nil {
		if carded {
			card = g.dots[at : at+1]
		}
		return g.dots[lo:hi], card
	}
	chunks = make([]int32, hi-lo)
	if hi > lo {
		vector.Dots(chunks, s.rows.Slice(g.Vectors+int64(lo), int64(hi-lo)), s.rounded)
	}
	if carded {
		card = make([]int32, 1)
		vector.Dots(card, s.rows.Slice(g.Vectors+at, 1), s.rounded)
	}
	return chunks, card
}

// bestRows returns a group's best rows: its chunks, best first, and its card. They lie in out,
// which has room for s.chunks and one more.
func (s *nearSearch) bestRows(n neighbour, out []nearRow) []nearRow {
	g := s.searched[n.segment]
	first := g.Starts[n.group]
	chunks, card := s.groupDots(n)
	for i, d := range chunks {
		at := len(out)
		for at > 0 && out[at-1].dot < d {
			at--
		}
		if at < s.chunks {
			row := nearRow{g.Vectors + int64(first) + int64(i), i, d}
			out = slices.Insert(out[:min(len(out), s.chunks-1)], at, row)
		}
	}
	for _, d := range card {
		out = append(out, nearRow{g.Vectors + int64(g.Chunks) + int64(n.group), -1, d})
	}
	return out
}

// rescore compares candidates with the exact question, and keeps the best.
func (s *nearSearch) rescore(candidates []neighbour, limit int) []scored {
	out := make([]scored, 0, len(candidates))
	best := make([]nearRow, 0, s.chunks+1)
	for _, c := range candidates {
		x := scored{key: c.key}
		rows := s.bestRows(c, best)
		x.chunks, x.near = make([]int, 0, len(rows)), make([]float64, 0, len(rows))
		for _, n := range rows {
			if n.dot >= c.best-margin {
				x.score = max(x.score, s.cosine(n.row))
			}
			if n.ordinal >= 0 && n.dot > 0 {
				x.chunks = append(x.chunks, n.ordinal)
				x.near = append(x.near, float64(n.dot)/(store.VectorScale*store.VectorScale))
			}
		}
		if x.score > 0 {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.key, b.key))
	})
	return out[:min(len(out), limit)]
}

// cosine compares the question with one row.
func (s *nearSearch) cosine(row int64) float64 {
	r := s.rows.Slice(row, 1)[:len(s.question)]
	var a, b, c, d float32
	for i := 0; i < len(r); i += 4 { // the dimension is a multiple of 64
		a += s.question[i] * float32(r[i])
		b += s.question[i+1] * float32(r[i+1])
		c += s.question[i+2] * float32(r[i+2])
		d += s.question[i+3] * float32(r[i+3])
	}
	return float64(a+b+c+d) / store.VectorScale
}
