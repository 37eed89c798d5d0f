package oracles

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"patina/store"
	"patina/store/doc"
	"patina/store/vector"
)

// Nearest ranks each kind by cosine with q: files by their nearest chunk or card, other documents
// by their nearest chunk. q must have length 1, or be zero, which is near to nothing. It returns up
// to limit documents of each kind with a cosine above 0, the best first, with ties by doc_id. It
// returns store.ErrNoVectors if the index has no vectors.
func Nearest(
	ctx context.Context, r *store.Reader, q []float32, f doc.Filter, limit int,
) (map[doc.Kind][]doc.Ranked, error) {
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
	rows, err := r.Vectors(snap)
	if err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	defer rows.Release()
	wants := func(k doc.Kind) bool { return doc.Wants(f, k) }
	return nearestIn(ctx, r, nearSpace{rows, snap.Segments, nil}, q, f, wants, limit)
}

// A nearSpace is the vectors that one model has made of an index.
type nearSpace struct {
	rows     *store.Vectors
	segments []*store.Segment // with their places in rows
	scale    *scale           // nil for the built-in model
}

// nearestIn is Nearest for the kinds that wants returns true for, in one space.
func nearestIn(
	ctx context.Context, r *store.Reader, in nearSpace, q []float32, f doc.Filter, wants func(doc.Kind) bool, limit int,
) (map[doc.Kind][]doc.Ranked, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	allow, err := r.Allowed(ctx, snap, f)
	if err != nil {
		return nil, err
	}
	s := &nearSearch{
		question: q, allow: allow, limit: limit, chunks: chunksFor(f), rows: in.rows, scale: in.scale,
		lists: make(map[doc.Kind]*nearList), room: nearRooms.Get().(*nearRoom),
	}
	defer nearRooms.Put(s.room)
	s.room.reset()
	s.rounded = slices.Grow(s.room.rounded[:0], len(q))[:len(q)]
	s.room.rounded = s.rounded
	vector.Quantise(s.rounded, q)
	for i, k := range doc.Kinds() {
		if wants(k) {
			s.lists[k] = s.room.listFor(i, rescored*limit)
		}
	}
	if d := s.rows.Dimension(); d != len(q) {
		return nil, fmt.Errorf("find the nearest: the question has %d dimensions, the index %d",
			len(q), d)
	}
	if err := s.scanAll(ctx, in.segments); err != nil {
		return nil, err
	}
	out := make(map[doc.Kind][]doc.Ranked)
	for k, l := range s.lists {
		if out[k], err = namedDocuments(ctx, r, snap, k, s.rescore(l.sorted()), s.limit); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A nearSearch is the search of one question through the segments.
type nearSearch struct {
	question []float32
	rounded  []int8
	rows     *store.Vectors
	allow    *doc.Bitmap // nil allows all
	lists    map[doc.Kind]*nearList
	searched []searched
	limit    int // documents of each kind
	chunks   int // chunks listed for a document
	scale    *scale
	room     *nearRoom
}

// A searched is a segment with candidates. The products of its rows with the question are in dots
// if all are known, and in some if some are. If both are nil, they are computed for the groups that
// are kept.
type searched struct {
	*store.Segment
	dots []int32
	some *vector.Found
}

// A nearRoom is the memory of one search. It is reused, because the products of all rows are large.
type nearRoom struct {
	rounded []int8
	dots    []int32 // of segments
	group   []int32 // of one group
	found   []*vector.Found
	used    int // number of used elements of found
	folded  []neighbour
	lists   []*nearList // by kind
	rated   []rated
	shown   []chunkDot
}

var nearRooms = sync.Pool{New: func() any { return new(nearRoom) }}

func (r *nearRoom) reset() { r.used = 0 }

// listFor returns an empty list for a kind, given by its index.
func (r *nearRoom) listFor(kind, limit int) *nearList {
	for len(r.lists) <= kind {
		r.lists = append(r.lists, new(nearList))
	}
	l := r.lists[kind]
	*l = nearList{limit: limit, items: l.items[:0]}
	return l
}

// foundRoom returns a place for the rows found in one more segment.
func (r *nearRoom) foundRoom() *vector.Found {
	if r.used == len(r.found) {
		r.found = append(r.found, new(vector.Found))
	}
	r.used++
	return r.found[r.used-1]
}

// scanAll fills the lists.
func (s *nearSearch) scanAll(ctx context.Context, segments []*store.Segment) error {
	scanned := slices.DeleteFunc(slices.Clone(segments), func(g *store.Segment) bool {
		return g.Vectors < 0 || g.Chunks == 0 || s.lists[doc.Kind(g.Space)] == nil
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
	total := 0
	for _, g := range scanned {
		total += int(g.VectorRows())
	}
	s.room.dots = slices.Grow(s.room.dots[:0], total)[:total]
	left := s.room.dots
	for _, g := range scanned {
		if err := ctx.Err(); err != nil {
			return err
		}
		if slices.Contains(byGraph, g) || s.chooseBySigns(g) {
			continue
		}
		n := g.VectorRows()
		if err := s.scanSegment(g, left[:n]); err != nil {
			return err
		}
		s.choose(g, left[:n])
		left = left[n:]
	}
	return nil
}

// chooseBySigns adds a segment's groups with rows near the question, if it has signs. It reports
// false and adds nothing if they have too few groups, because large documents may take all places.
// It does not work with a filter, because the allowed rows may be few and far.
func (s *nearSearch) chooseBySigns(g *store.Segment) (done bool) {
	if s.allow != nil {
		return false
	}
	found := s.room.foundRoom()
	if !s.rows.Near(found, g, s.rounded) {
		return false
	}
	at := int32(len(s.searched))
	s.room.folded = appendGroups(s.room.folded[:0], g, found, at)
	if len(s.room.folded) < s.limit && len(found.Rows) < int(g.VectorRows()) {
		return false
	}
	s.searched = append(s.searched, searched{Segment: g, some: found})
	list := s.lists[doc.Kind(g.Space)]
	for _, n := range s.room.folded {
		list.push(n)
	}
	return true
}

// appendGroups appends a segment's visible groups that have found rows, each with its best product.
func appendGroups(out []neighbour, g *store.Segment, found *vector.Found, at int32) []neighbour {
	chunks, _ := slices.BinarySearch(found.Rows, int32(g.Chunks))
	cards, group, i := chunks, int32(0), 0
	for i < chunks || cards < len(found.Rows) {
		n := neighbour{segment: at, group: math.MaxInt32, best: math.MinInt32}
		if i < chunks {
			for g.Starts[group+1] <= uint32(found.Rows[i]) {
				group++
			}
			n.group = group
		}
		if cards < len(found.Rows) {
			n.group = min(n.group, found.Rows[cards]-int32(g.Chunks))
		}
		for end := int32(g.Starts[n.group+1]); i < chunks && found.Rows[i] < end; i++ {
			n.best = max(n.best, found.Dots[i])
		}
		if cards < len(found.Rows) && found.Rows[cards] == int32(g.Chunks)+n.group {
			n.best = max(n.best, found.Dots[cards])
			cards++
		}
		if g.Hidden == nil || !g.Hidden[n.group] {
			n.key = g.Keys[n.group]
			out = append(out, n)
		}
	}
	return out
}

// sees reports whether a search may find a group.
func (s *nearSearch) sees(g *store.Segment, group int) bool {
	return (g.Hidden == nil || !g.Hidden[group]) && (s.allow == nil || s.allow.Has(g.Keys[group]))
}

// scanSegment sets dots to the products of a segment's rows with the question. With a filter, it
// may leave out the rows of excluded groups.
func (s *nearSearch) scanSegment(g *store.Segment, dots []int32) error {
	if s.allow == nil || !s.rows.Sound(g) {
		return s.rows.Dots(dots, g, s.rounded)
	}
	multiply := func(from, to uint32) {
		if from < to {
			rows := s.rows.Slice(g.Vectors+int64(from), int64(to-from))
			vector.Dots(dots[from:to], rows, s.rounded)
		}
	}
	for from := 0; from < len(g.Keys); from++ {
		to := from
		for to < len(g.Keys) && s.sees(g, to) {
			to++
		}
		multiply(g.Starts[from], g.Starts[to])
		if len(dots) > int(g.Chunks) {
			multiply(g.Chunks+uint32(from), g.Chunks+uint32(to))
		}
		from = to
	}
	return nil
}

// choose adds a segment's groups to the list of its kind.
func (s *nearSearch) choose(g *store.Segment, dots []int32) {
	list, cards := s.lists[doc.Kind(g.Space)], dots[g.Chunks:]
	at := int32(len(s.searched))
	s.searched = append(s.searched, searched{Segment: g, dots: dots})
	for i, key := range g.Keys {
		lo, hi := g.Starts[i], g.Starts[i+1]
		if lo == hi || !s.sees(g, i) {
			continue
		}
		best := slices.Max(dots[lo:hi])
		if len(cards) > 0 {
			best = max(best, cards[i])
		}
		list.push(neighbour{key, at, int32(i), best})
	}
}
