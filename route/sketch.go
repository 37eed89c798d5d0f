// Package route chooses the projects that a question visits, and what they need to know of each
// other.
//
// It is arithmetic: no I/O, no clock, no goroutines. A Sketch says roughly which words are common
// in a project, Choose picks the projects to ask, and Count gives all of them one idf. Keeping
// sketches and edges, and asking, are left to others.
package route

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"iter"
	"math"
	"slices"
)

// MaxTerms bounds a sketch to 20 kB: its terms with the highest document frequency.
const MaxTerms = 4000

// leastFrequency leaves out words in a single chunk: they are many, and say little of a project.
const leastFrequency = 2

// A Sketch says how many code chunks a project has, and in how many its commonest terms occur. The
// zero Sketch is a project without code. It is never changed.
type Sketch struct {
	Chunks  int
	Counted int     // chunks that the frequencies were counted in; some may be gone
	terms   []entry // by hash, each once
}

// An entry is a term by its hash, with 8 · log2 of its document frequency.
type entry struct {
	hash uint32
	size uint8
}

// sizeSteps is how many steps of an entry's size double its frequency.
const sizeSteps = 8

// staleShare is the share of chunks that may come or go before a sketch is made anew. A frequency
// is kept in steps of 9%, so a hundredth moves one in nine by a step.
const staleShare = 0.01

// Stands reports whether a sketch still says what one of so many counted chunks would say.
func (s Sketch) Stands(counted int) bool {
	return math.Abs(float64(counted-s.Counted)) <= staleShare*float64(s.Counted)
}

// New makes a sketch from the document frequency of each term, counted in so many chunks.
func New(chunks, counted int, frequencies iter.Seq2[string, int]) Sketch {
	var all []entry
	for term, n := range frequencies {
		if n >= leastFrequency {
			size := math.Round(sizeSteps * math.Log2(float64(n)))
			all = append(all, entry{hashOf(term), uint8(min(size, math.MaxUint8))})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.hash, b.hash)) })
	all = all[:min(len(all), MaxTerms)]
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(b.size, a.size)) })
	all = slices.CompactFunc(all, func(a, b entry) bool { return a.hash == b.hash })
	return Sketch{Chunks: max(0, chunks), Counted: max(0, counted), terms: slices.Clip(all)}
}

func hashOf(term string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(term)) // never fails
	return h.Sum32()
}

// Len returns the number of terms.
func (s Sketch) Len() int { return len(s.terms) }

// Frequency returns in about how many chunks a term occurs; 0 if it is not among the common ones.
func (s Sketch) Frequency(term string) float64 { return s.frequency(hashOf(term)) }

func (s Sketch) frequency(hash uint32) float64 {
	i, ok := slices.BinarySearchFunc(s.terms, hash, func(e entry, h uint32) int { return cmp.Compare(e.hash, h) })
	if !ok {
		return 0
	}
	return math.Exp2(float64(s.terms[i].size) / sizeSteps)
}

// The encoding of a sketch: a mark, the numbers of chunks, of counted ones and of terms, and each
// term as its hash and its size. All numbers are little endian.
const (
	mark      = "psk2"
	headBytes = len(mark) + 4 + 4 + 4
	termBytes = 4 + 1

	// MaxBytes is the size of the largest sketch.
	MaxBytes = headBytes + MaxTerms*termBytes
)

var errNoSketch = errors.New("read sketch: it is damaged")

// Bytes encodes a sketch.
func (s Sketch) Bytes() []byte {
	out := make([]byte, 0, headBytes+len(s.terms)*termBytes)
	out = append(out, mark...)
	out = binary.LittleEndian.AppendUint32(out, uint32(min(s.Chunks, math.MaxInt32)))
	out = binary.LittleEndian.AppendUint32(out, uint32(min(s.Counted, math.MaxInt32)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(s.terms)))
	for _, e := range s.terms {
		out = append(binary.LittleEndian.AppendUint32(out, e.hash), e.size)
	}
	return out
}

// Parse decodes a sketch. It may come from another machine: anything but the exact encoding is an
// error.
func Parse(b []byte) (Sketch, error) {
	if len(b) < headBytes || string(b[:len(mark)]) != mark {
		return Sketch{}, errNoSketch
	}
	chunks := binary.LittleEndian.Uint32(b[len(mark):])
	counted := binary.LittleEndian.Uint32(b[len(mark)+4:])
	n := binary.LittleEndian.Uint32(b[len(mark)+8:])
	b = b[headBytes:]
	if chunks > math.MaxInt32 || counted > math.MaxInt32 || n > MaxTerms || len(b) != int(n)*termBytes {
		return Sketch{}, errNoSketch
	}
	s := Sketch{Chunks: int(chunks), Counted: int(counted), terms: make([]entry, n)}
	for i := range s.terms {
		s.terms[i] = entry{binary.LittleEndian.Uint32(b), b[4]}
		if i > 0 && s.terms[i].hash <= s.terms[i-1].hash {
			return Sketch{}, errNoSketch
		}
		b = b[termBytes:]
	}
	return s, nil
}
