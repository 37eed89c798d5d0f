package oracles

import (
	"cmp"
	"math"
	"slices"

	"patina/store/doc"
	"patina/store/vector"
)

// rescored is the number of candidates to compare with the exact question, as a multiple of the
// limit. The scan rounds the question, which changes a cosine by a thousandth, so far fewer
// candidates change places.
const rescored = 2

// chanceOfChunks is the amount by which a file's best cosine rises, by chance, if its number of
// chunks is multiplied by e, because the greatest of many random numbers rises with the logarithm
// of their number (docs/ranking.md, "Meaning"). 0.02 to 0.03 are alike.
const chanceOfChunks = 0.025

// margin is how much lower the rounded product of a nearer row may be. It is eight standard
// deviations of the error of rounding the question (1/√12 a component).
const margin = 8 * doc.VectorScale * 29 / 100

// A rated is a candidate with its cosine to the exact question, on the scale of the built-in model.
type rated struct {
	neighbour
	cosine float64
}

// A chunkDot is a chunk and its product.
type chunkDot struct {
	ordinal int // in its document
	dot     int32
}

// rescore compares candidates with the exact question, and keeps the best and those that tie with
// the last of them. candidates must be sorted.
func (s *nearSearch) rescore(candidates []neighbour) []scored {
	if len(candidates) > s.limit {
		last := candidates[s.limit-1].best - margin
		for len(candidates) > s.limit && candidates[len(candidates)-1].best < last {
			candidates = candidates[:len(candidates)-1]
		}
	}
	best := s.room.rated[:0]
	for _, c := range candidates {
		if x := s.cosine(c); x > 0 && s.scale.rescale(x) > 0 {
			best = append(best, rated{c, s.scale.rescale(x)})
		}
	}
	s.room.rated = best
	slices.SortFunc(best, func(a, b rated) int {
		if a.cosine != b.cosine {
			return cmp.Compare(b.cosine, a.cosine)
		}
		return cmp.Compare(a.key, b.key)
	})
	return s.bestChunks(best[:withTies(len(best), s.limit, func(i int) float64 { return best[i].cosine })])
}

// bestChunks returns the best chunks of each candidate, the best first.
func (s *nearSearch) bestChunks(best []rated) []scored {
	most := 0
	for _, c := range best {
		most += min(s.chunks, s.groupSize(c.neighbour))
	}
	out := make([]scored, len(best))
	chunks, near := make([]int, 0, most), make([]float64, 0, most)
	for i, c := range best {
		from := len(chunks)
		for _, x := range s.shownChunks(c.neighbour) {
			chunks = append(chunks, x.ordinal)
			near = append(near, s.scale.rescale(float64(x.dot)/(doc.VectorScale*doc.VectorScale)))
		}
		to := len(chunks)
		out[i] = scored{key: c.key, score: c.cosine, chunks: chunks[from:to:to], near: near[from:to:to]}
		if s.searched[c.segment].Pooled {
			out[i].chance = chanceOfChunks * s.scale.spreadOf() * math.Log(float64(s.groupSize(c.neighbour)))
		}
	}
	return out
}

// groupSize returns the number of a group's chunks.
func (s *nearSearch) groupSize(n neighbour) int {
	g := s.searched[n.segment]
	return int(g.Starts[n.group+1] - g.Starts[n.group])
}

// shownChunks returns a group's best chunks, the best first. They are valid until the next call.
func (s *nearSearch) shownChunks(n neighbour) []chunkDot {
	best := s.room.shown[:0]
	for i, d := range s.chunkDots(n) {
		if d <= 0 || len(best) == s.chunks && d <= best[len(best)-1].dot {
			continue
		}
		if len(best) < s.chunks {
			best = append(best, chunkDot{})
		}
		at := len(best) - 1
		for ; at > 0 && best[at-1].dot < d; at-- {
			best[at] = best[at-1]
		}
		best[at] = chunkDot{i, d}
	}
	s.room.shown = best
	return best
}

// chunkDots returns the products of a group's chunks. They are valid until the next call.
func (s *nearSearch) chunkDots(n neighbour) []int32 {
	g, size := s.searched[n.segment], s.groupSize(n)
	first := g.Starts[n.group]
	if g.dots != nil {
		return g.dots[first:][:size]
	}
	s.room.group = slices.Grow(s.room.group[:0], size)[:size]
	vector.Dots(s.room.group, s.rows.Slice(g.Vectors+int64(first), int64(size)), s.rounded)
	return s.room.group
}

// cosine returns the best cosine of the question with the rows of a group. Rows with unknown
// products, or products below the best by more than margin, are not compared.
func (s *nearSearch) cosine(n neighbour) (best float64) {
	g, floor := s.searched[n.segment], n.best-margin
	first, card := int64(g.Starts[n.group]), int64(g.Chunks)+int64(n.group)
	if g.some != nil {
		return max(s.cosineOfSome(g, first, first+int64(s.groupSize(n)), floor),
			s.cosineOfSome(g, card, card+1, floor))
	}
	for i, d := range s.chunkDots(n) {
		if d >= floor {
			best = max(best, s.exact(g.Vectors+first+int64(i)))
		}
	}
	if card < g.VectorRows() && (g.dots == nil || g.dots[card] >= floor) {
		best = max(best, s.exact(g.Vectors+card))
	}
	return best
}

// cosineOfSome is cosine for the found rows among those from from up to to.
func (s *nearSearch) cosineOfSome(g searched, from, to int64, floor int32) (best float64) {
	at, _ := slices.BinarySearch(g.some.Rows, int32(from))
	for ; at < len(g.some.Rows) && int64(g.some.Rows[at]) < to; at++ {
		if g.some.Dots[at] >= floor {
			best = max(best, s.exact(g.Vectors+int64(g.some.Rows[at])))
		}
	}
	return best
}

// exact returns the cosine of the question with one row.
func (s *nearSearch) exact(row int64) float64 {
	r := s.rows.Slice(row, 1)[:len(s.question)]
	var a, b, c, d float32
	for i := 0; i < len(r); i += 4 { // the dimension is a multiple of 64
		a += s.question[i] * float32(r[i])
		b += s.question[i+1] * float32(r[i+1])
		c += s.question[i+2] * float32(r[i+2])
		d += s.question[i+3] * float32(r[i+3])
	}
	return float64(a+b+c+d) / doc.VectorScale
}
