package oracles

import (
	"sync"

	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// A board holds the scores of a question's chunks, by segment of its scoring. The ranking by words
// fills it and evidence reads it again, because most of their work is the same. It must not be used
// concurrently.
type board struct {
	acc   []float32
	dirty []uint8
	best  []float32
	parts []scores
	room  renderingRoom
}

// scores are the scores of one segment.
type scores struct {
	filled bool
	acc    []float32 // by chunk
	dirty  []uint8   // by block of 64 chunks: not 0 if any has a score
	gain   []float32 // by chunk: what translations add to acc; nil if nothing
	best   []float32 // by group: the score of its best chunk; 0 if the view does not see the group
}

var boards = sync.Pool{New: func() any { return new(board) }}

// saturation scales the term part of BM25, so that it tends to k1+1.
const saturation = text.K1 + 1

// allSpaces accepts every segment of a scoring.
func allSpaces(string) bool { return true }

// newBoard returns an empty board. Its last user must call wipe.
func (s *scoring) newBoard() *board {
	blocks, groups := 0, 0
	for _, g := range s.segments {
		blocks += blocksOf(g)
		groups += len(g.Keys)
	}
	b := boards.Get().(*board)
	if len(b.dirty) < blocks {
		b.acc, b.dirty = make([]float32, blocks*64), make([]uint8, blocks)
	}
	if len(b.best) < groups {
		b.best = make([]float32, groups)
	}
	b.parts = b.parts[:0]
	block, group := 0, 0
	for _, g := range s.segments {
		b.parts = append(b.parts, scores{
			acc: b.acc[block*64:][:g.Chunks], dirty: b.dirty[block:][:blocksOf(g)], best: b.best[group:][:len(g.Keys)],
		})
		block += blocksOf(g)
		group += len(g.Keys)
	}
	return b
}

func blocksOf(g *store.Segment) int { return (int(g.Chunks) + 63) / 64 }

// wipe empties a board for the next question. The board must not be used afterwards.
func (b *board) wipe() {
	for i, d := range b.dirty {
		if d != 0 {
			b.dirty[i] = 0
			clear(b.acc[i*64 : i*64+64])
		}
	}
	clear(b.parts)
	boards.Put(b)
}

// fill scores the chunks of a segment, unless they have been scored on this board.
func (s *scoring) fill(b *board, segment int) error {
	p, g := &b.parts[segment], s.segments[segment]
	if p.filled {
		return nil
	}
	for t, l := range s.lists[segment] {
		if l.Len == 0 {
			continue
		}
		weight := float32(s.idf[t] * saturation)
		if err := text.Accumulate(l.Bytes, l.Len, g.Chunks, weight, p.acc, p.dirty); err != nil {
			return doc.DamagedBy(err)
		}
	}
	s.findBest(p, g)
	p.filled = true
	return s.render(b, segment)
}

// findBest sets the score of each group's best chunk.
func (s *scoring) findBest(p *scores, g *store.Segment) {
	for i := range g.Keys {
		best := float32(0)
		if p.touches(g, i) {
			for _, x := range p.groupScores(g, i) {
				if x > best {
					best = x
				}
			}
		}
		p.best[i] = best
	}
}

// groupScores returns the scores of a group's chunks.
func (p *scores) groupScores(g *store.Segment, group int) []float32 {
	return p.acc[g.Starts[group]:g.Starts[group+1]]
}

// touches reports whether the view sees a group and any of its chunks may have a score.
func (p *scores) touches(g *store.Segment, group int) bool {
	lo, hi := g.Starts[group], g.Starts[group+1]
	if lo >= hi || g.Hidden != nil && g.Hidden[group] {
		return false
	}
	for i := lo >> 6; i <= (hi-1)>>6; i++ {
		if p.dirty[i] != 0 {
			return true
		}
	}
	return false
}

// groups scores every chunk in the segments that want accepts. It calls f for each group that has a
// score and that the view sees. The scores of the group's chunks are valid only during the call.
func (s *scoring) groups(
	want func(space string) bool, f func(g *store.Segment, key int64, scores []float32),
) error {
	b := s.newBoard()
	defer b.wipe()
	for i, g := range s.segments {
		if !want(g.Space) {
			continue
		}
		if err := s.fill(b, i); err != nil {
			return err
		}
		p := &b.parts[i]
		for gi, key := range g.Keys {
			if p.best[gi] > 0 {
				f(g, key, p.groupScores(g, gi))
			}
		}
	}
	return nil
}
