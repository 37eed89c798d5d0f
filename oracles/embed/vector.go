package embed

import (
	"encoding/binary"
	"math"

	"patina/store/doc"
)

// A passage's vector is the sum over its pieces of √occurrences · vector, divided by its length.
// The sum is in whole numbers. Two components share a 64-bit word, which Go multiplies at once.
// Products are converted before they are added, so that no compiler fuses the two and the result is
// the same on every machine.
const (
	// weightOne is the largest weight in a passage. 256 pieces · 255 · weightOne must be less than
	// 2³².
	weightOne = 1<<16 - 1
	lanes     = 0x000000ff000000ff // bytes 0 and 4 of a word
	flip      = 0x8080808080808080 // turns an int8 into its distance from −128
)

// embed writes the quantised vector of an encoded passage.
func (s *scratch) embed(dst []int8, t *Table, encoded []byte) {
	clear(dst)
	offset, square := s.sumColumns(t, encoded)
	if square == 0 {
		return
	}
	scale := doc.VectorScale / math.Sqrt(square)
	for i, x := range s.sums {
		at := i/4*8 + i%4
		dst[at] = doc.Quantise(float64(float64(int64(uint32(x))-offset) * scale))
		dst[at+4] = doc.Quantise(float64(float64(int64(x>>32)-offset) * scale))
	}
}

// exact writes the unit vector that embed rounds.
func (s *scratch) exact(dst []float32, t *Table, encoded []byte) {
	clear(dst)
	offset, square := s.sumColumns(t, encoded)
	if square == 0 {
		return
	}
	length := math.Sqrt(square)
	for i, x := range s.sums {
		at := i/4*8 + i%4
		dst[at] = float32(float64(int64(uint32(x))-offset) / length)
		dst[at+4] = float32(float64(int64(x>>32)-offset) / length)
	}
}

// sumColumns sets s.sums to a passage's column sums, each too great by offset. It returns offset
// and the squared length, which is 0 if no piece is known or all cancel.
func (s *scratch) sumColumns(t *Table, encoded []byte) (offset int64, square float64) {
	total := s.weighPieces(t, encoded)
	if total == 0 {
		return 0, 0
	}
	s.sums = resize(s.sums, t.dim/2)
	offset = 128 * int64(total) // in every sum, from flip
	for column := 0; column < t.dim; column += 8 {
		a, b, c, d := addUp(t.rows[column:], s.weighed)
		sums := s.sums[column/2 : column/2+4]
		sums[0], sums[1], sums[2], sums[3] = a, b, c, d
		for _, x := range sums {
			low, high := float64(int64(uint32(x))-offset), float64(int64(x>>32)-offset)
			square += float64(low*low) + float64(high*high)
		}
	}
	return offset, square
}

// A weighed is a piece as the start of its row and its weight.
type weighed struct{ start, weight uint32 }

// addUp sums eight columns. Word i of the result holds columns i (low half) and i+4.
func addUp(rows []byte, pieces []weighed) (a, b, c, d uint64) {
	for _, p := range pieces {
		x := binary.LittleEndian.Uint64(rows[p.start:]) ^ flip
		w := uint64(p.weight)
		a += x & lanes * w
		b += x >> 8 & lanes * w
		c += x >> 16 & lanes * w
		d += x >> 24 & lanes * w
	}
	return a, b, c, d
}

// weighPieces sets s.weighed to the distinct pieces of an encoded passage, and returns the total
// weight.
func (s *scratch) weighPieces(t *Table, encoded []byte) (total uint32) {
	s.unique(t, encoded)
	var heaviest float32
	for _, id := range s.ids {
		heaviest = max(heaviest, roots[s.counts[id]]*t.scales[id])
	}
	s.weighed = s.weighed[:0]
	for _, id := range s.ids {
		weight := uint32(float32(roots[s.counts[id]]*t.scales[id]/heaviest*weightOne) + 0.5)
		s.counts[id] = 0
		if weight > 0 {
			s.weighed = append(s.weighed, weighed{uint32(id) * uint32(t.dim), weight})
			total += weight
		}
	}
	return total
}

// unique sets s.ids to the distinct pieces of an encoded passage, and s.counts to their
// occurrences. The caller must clear the counts.
func (s *scratch) unique(t *Table, encoded []byte) {
	s.ids = s.ids[:0]
	if len(encoded) < encodedHeader {
		return
	}
	encoded = encoded[encodedHeader:]
	for n := min(len(encoded)/2, passageTokens); n > 0; n-- {
		id := binary.LittleEndian.Uint16(encoded)
		encoded = encoded[2:]
		if int(id) >= len(s.counts) || t.scales[id] == 0 {
			continue
		}
		if s.counts[id] == 0 {
			s.ids = append(s.ids, id)
		}
		s.counts[id]++
	}
}

var roots = func() (r [passageTokens + 1]float32) {
	for i := range r {
		r[i] = float32(math.Sqrt(float64(i)))
	}
	return r
}()

// innerProduct returns the inner product of two rows. b must not be shorter than a.
func innerProduct(a, b []float32) float32 {
	b = b[:len(a)]
	var sum float32
	for k, x := range a {
		sum += x * b[k]
	}
	return sum
}
