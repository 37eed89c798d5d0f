package oracles

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"patina/store"
	"patina/store/text"
)

// Lexical ranks the documents of each kind by BM25F over all their chunks: files by the p-norm of
// their chunks, every other document by its best chunk (docs/ranking.md, "BM25F and the p-norm").
// It returns up to limit documents a kind, best first, ties by doc_id. Files that define the one
// symbol which the question names, and files that a long text names, are always among them.
func BM25(ctx context.Context, r *store.Reader, q text.Question, f store.Filter, limit int) (map[store.Kind][]store.Ranked, error) {
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
	lists := make(map[store.Kind]*best)
	for _, k := range store.Kinds() {
		if store.Wants(f, k) {
			lists[k] = &best{limit: limit}
		}
	}
	forced := &best{limit: len(wanted) + 1}
	err = s.groups(func(space string) bool { return lists[store.Kind(space)] != nil }, func(g *store.Segment, key int64, scores []float32) {
		if allow != nil && !allow.Has(key) {
			return
		}
		kind := store.Kind(g.Space)
		list := lists[kind]
		var score float64
		if g.Pooled {
			score = pnorm(scores, s.p, list.floor)
		} else {
			score = float64(slices.Max(scores))
		}
		list.add(key, score, scores)
		if kind == store.Code && wanted[key] {
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
func named(ctx context.Context, r *store.Reader, snap *store.Snapshot, kind store.Kind, items []scored) ([]store.Ranked, error) {
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
		out = append(out, store.Ranked{DocID: id.Doc, Path: id.Path, Raw: x.score, Chunks: x.chunks})
	}
	slices.SortFunc(out, func(a, b store.Ranked) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.DocID, b.DocID))
	})
	return out, nil
}

const (
	// MaxTerms bounds the stems that rank a question: the rarest (docs/ranking.md, "Words").
	MaxTerms = 64
	// maxDistinct bounds the stems whose rarity is looked up.
	maxDistinct = 4096
	// shownChunks bounds the chunks listed for a document.
	shownChunks = 4
)

// A scoring is a question prepared for one generation: the posting lists of its terms in each
// segment, and the weight of each term. All kinds share one idf: n and N count the live chunks of
// all of them (docs/ranking.md, "One list of all kinds").
type scoring struct {
	snap     *store.Snapshot
	segments []*store.Segment
	terms    []string
	lists    [][]store.PostingList // by segment, by term
	df       []int                 // live chunks with the term
	idf      []float64             // times the term's weight in a long text
	mass     float64               // Σ idf
	known    float64               // Evidence.Known
	p        int                   // in the p-norm
}

// prepare reads the posting lists for a question in one corpus: the kinds, or commit subjects.
func prepare(ctx context.Context, r *store.Reader, q text.Question, wantSubjects bool) (*scoring, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	s := &scoring{snap: snap, p: shortNorm}
	total := 0
	for _, g := range snap.Segments {
		if (g.Space == store.Subjects) == wantSubjects {
			s.segments = append(s.segments, g)
			total += g.Live
		}
	}
	if q.Long {
		s.p = longNorm
		s.terms, s.known, err = heaviest(ctx, r, s.segments, q, wantSubjects)
	} else {
		s.terms, err = rarest(ctx, r, s.segments, q.Terms)
	}
	if err != nil {
		return nil, err
	}
	if s.lists, err = r.Lists(ctx, s.segments, s.terms); err != nil {
		return nil, err
	}
	if err := s.weigh(total, q.Weights); err != nil {
		return nil, err
	}
	if !q.Long {
		s.known = s.knownOf(q.Parts)
	}
	return s, nil
}

// rarest returns terms if they are few, else the MaxTerms rarest that occur.
func rarest(ctx context.Context, r *store.Reader, segs []*store.Segment, terms []string) ([]string, error) {
	if len(terms) <= MaxTerms || len(segs) == 0 {
		return terms[:min(len(terms), MaxTerms)], nil
	}
	terms = terms[:min(len(terms), maxDistinct)]
	n, err := r.Frequencies(ctx, segs, terms)
	if err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return n[t] == 0 })
	slices.SortStableFunc(kept, func(a, b string) int { return cmp.Compare(n[a], n[b]) })
	return kept[:min(len(kept), MaxTerms)], nil
}

// weigh counts each term's live chunks and computes idf, times the weights in a long text.
func (s *scoring) weigh(total int, weights map[string]float64) error {
	s.df = make([]int, len(s.terms))
	s.idf = make([]float64, len(s.terms))
	for t := range s.terms {
		for i, g := range s.segments {
			n, err := g.Seen(s.lists[i][t])
			if err != nil {
				return err
			}
			s.df[t] += n
		}
		s.idf[t] = text.IDF(s.df[t], total)
		if weights != nil {
			s.idf[t] *= weights[s.terms[t]]
		}
		s.mass += s.idf[t]
	}
	return nil
}

// board holds the scores of one segment's chunks. dirty marks blocks of 64 chunks with any score.
type board struct {
	acc   []float32
	dirty []uint8
}

var boards = sync.Pool{New: func() any { return new(board) }}

func (b *board) fit(chunks uint32) {
	if n := (int(chunks) + 63) / 64; len(b.dirty) < n {
		b.acc, b.dirty = make([]float32, n*64), make([]uint8, n)
	}
}

func (b *board) wipe() {
	for i, d := range b.dirty {
		if d != 0 {
			b.dirty[i] = 0
			clear(b.acc[i*64 : i*64+64])
		}
	}
}

// touched reports whether any chunk in [lo, hi) may have a score.
func (b *board) touched(lo, hi uint32) bool {
	for i := lo >> 6; i <= (hi-1)>>6; i++ {
		if b.dirty[i] != 0 {
			return true
		}
	}
	return false
}

// saturation scales BM25's term part, so that it tends to k1+1.
const saturation = text.K1 + 1

// groups scores every chunk in the segments that want accepts. It calls f for each group with a
// score, if the view sees it. scores holds the group's chunks and is valid only during the call.
func (s *scoring) groups(want func(space string) bool, f func(g *store.Segment, key int64, scores []float32)) error {
	b := boards.Get().(*board)
	defer boards.Put(b)
	for i, g := range s.segments {
		if !want(g.Space) {
			continue
		}
		b.fit(g.Chunks)
		err := s.accumulate(i, b)
		if err == nil {
			for gi, key := range g.Keys {
				lo, hi := g.Starts[gi], g.Starts[gi+1]
				if lo < hi && (g.Hidden == nil || !g.Hidden[gi]) && b.touched(lo, hi) {
					f(g, key, b.acc[lo:hi])
				}
			}
		}
		b.wipe()
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *scoring) accumulate(i int, b *board) error {
	for t, l := range s.lists[i] {
		if l.Len == 0 {
			continue
		}
		if err := text.Accumulate(l.Bytes, l.Len, s.segments[i].Chunks, float32(s.idf[t]*saturation), b.acc, b.dirty); err != nil {
			return store.DamagedList(err)
		}
	}
	return nil
}

// A scored group is a candidate for a list.
type scored struct {
	key    int64
	score  float64
	chunks []int
}

// best keeps the groups with the highest scores; ties go to the lower key.
type best struct {
	limit int
	floor float64 // lower scores are too late
	items []scored
}

// add adds a group with its score and its chunks' scores.
func (b *best) add(key int64, score float64, chunks []float32) {
	if score <= 0 || score < b.floor {
		return
	}
	b.items = append(b.items, scored{key, score, topChunks(chunks)})
	if len(b.items) >= 2*b.limit {
		b.cut()
		b.floor = b.items[len(b.items)-1].score
	}
}

func (b *best) cut() []scored {
	slices.SortFunc(b.items, func(x, y scored) int {
		if x.score != y.score {
			return cmp.Compare(y.score, x.score)
		}
		return cmp.Compare(x.key, y.key)
	})
	b.items = b.items[:min(len(b.items), b.limit)]
	return b.items
}

// normChunks bounds the chunks in a file's score: the best ones. Without a bound, a large file with
// one common word in many chunks outweighs a chunk with all words (bench/RESULTS.md, "p-norm").
const normChunks = 16

// The p in the p-norm (docs/ranking.md, "BM25F and the p-norm"). 3 lies on a plateau for questions,
// 5 for long texts: one chunk with many words says more than many chunks with a few.
const (
	shortNorm = 3
	longNorm  = 5
)

// pnorm returns a file's score from its best chunks: (Σ sᵖ)^(1/p). Below floor it may be too high,
// since nobody looks at such scores.
func pnorm(scores []float32, p int, floor float64) float64 {
	sum, n := 0.0, 0
	for _, s := range scores {
		if s > 0 {
			sum += power(float64(s), p)
			n++
		}
	}
	if n <= normChunks || sum < power(floor, p) {
		return root(sum, p)
	}
	var top [normChunks]float32 // ascending: the least makes room
	for _, s := range scores {
		if s <= top[0] {
			continue
		}
		i := 1
		for ; i < normChunks && top[i] < s; i++ {
			top[i-1] = top[i]
		}
		top[i-1] = s
	}
	sum = 0
	for _, s := range top {
		sum += power(float64(s), p)
	}
	return root(sum, p)
}

// power returns xᵖ.
func power(x float64, p int) float64 {
	cube := x * x * x
	if p == longNorm {
		return cube * x * x
	}
	return cube
}

// root undoes power.
func root(x float64, p int) float64 {
	if p == longNorm {
		return math.Pow(x, 1.0/longNorm)
	}
	return math.Cbrt(x)
}

// topChunks returns the ordinals of the highest scores, highest first.
func topChunks(scores []float32) []int {
	var top []int
	for i, s := range scores {
		if s <= 0 {
			continue
		}
		at := len(top)
		for at > 0 && scores[top[at-1]] < s {
			at--
		}
		if at < shownChunks {
			top = slices.Insert(top, at, i)
			top = top[:min(len(top), shownChunks)]
		}
	}
	return top
}
