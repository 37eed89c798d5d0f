// Package route chooses the projects that a question visits, and what they need to know of each
// other.
//
// It is arithmetic: no I/O, no clock, no goroutines. A Sketch says roughly which words are common
// in a project and which names it defines, Choose picks the projects to ask, and Count gives all of
// them one idf. Keeping sketches and edges, and asking, are left to others.
package route

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"sort"
)

// Bounds of a sketch. A word in a single chunk is rare: such words are many, and say little of a
// project, but a small one has hardly any others. So only those with few common terms have them:
// with the rare words of all, one of 82 questions missed its project
// (bench/history/repositories.md, "Questions across repositories").
const (
	// MaxTerms bounds the terms of the code, those with the highest document frequency.
	MaxTerms = 4000
	fewTerms = 200
	// maxStated bounds the words that beliefs have beside the code.
	maxStated = 1000
)

// A Sketch says how many code chunks a project has, in how many its commonest terms occur, and
// which names it defines. The zero Sketch is a project without code. It is never changed.
type Sketch struct {
	Chunks  int
	Counted int     // chunks that the frequencies were counted in; some may be gone
	Beliefs int     // whose words are among the terms
	terms   []entry // by hash, each once
	names   filter
}

// Contents are what a sketch is made of.
type Contents struct {
	Chunks  int
	Counted int
	Beliefs int
	Terms   map[string]int // in how many code chunks each occurs
	Stated  map[string]int // in how many statements of beliefs
	Names   []string       // of the definitions
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

// Stands reports whether a sketch still says what one of so many counted chunks and beliefs would
// say.
func (s Sketch) Stands(counted, beliefs int) bool {
	return beliefs == s.Beliefs && math.Abs(float64(counted-s.Counted)) <= staleShare*float64(s.Counted)
}

// New makes a sketch.
func New(c Contents) Sketch {
	all := entriesOf(c.Terms)
	common := sort.Search(len(all), func(i int) bool { return all[i].size == 0 }) // then the rare ones
	if common >= fewTerms {
		all = all[:common]
	}
	all = all[:min(len(all), MaxTerms)]
	stated := entriesOf(c.Stated)
	all = append(all, stated[:min(len(stated), maxStated)]...)
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(b.size, a.size)) })
	all = slices.CompactFunc(all, func(a, b entry) bool { return a.hash == b.hash })
	return Sketch{Chunks: max(0, c.Chunks), Counted: max(0, c.Counted), Beliefs: max(0, c.Beliefs), terms: slices.Clip(all), names: newFilter(c.Names)}
}

// entriesOf returns terms, the most frequent first. One in a single chunk has size 0.
func entriesOf(frequencies map[string]int) []entry {
	all := make([]entry, 0, len(frequencies))
	for term, n := range frequencies {
		if n > 0 {
			size := math.Round(sizeSteps * math.Log2(float64(n)))
			all = append(all, entry{hashOf(term), uint8(min(size, math.MaxUint8))})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.hash, b.hash)) })
	return all
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

// Defines reports whether a project defines a name, in any case. It is wrong about one name in a
// hundred that a project does not define; a very large project may not know one that it defines.
func (s Sketch) Defines(name string) bool { return s.names.has(name) }

// The encoding of a sketch: a mark, the numbers of chunks, of counted ones, of beliefs, of terms
// and of the bytes of the filter, each term as its hash and its size, and the filter. All numbers
// are little endian.
const (
	mark      = "psk3"
	headBytes = len(mark) + 5*4
	termBytes = 4 + 1

	// MaxBytes is the size of the largest sketch.
	MaxBytes = headBytes + (MaxTerms+maxStated)*termBytes + maxFilter
)

var errNoSketch = errors.New("read sketch: it is damaged")

// Bytes encodes a sketch.
func (s Sketch) Bytes() []byte {
	out := make([]byte, 0, headBytes+len(s.terms)*termBytes+len(s.names))
	out = append(out, mark...)
	for _, n := range []int{s.Chunks, s.Counted, s.Beliefs, len(s.terms), len(s.names)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(min(n, math.MaxInt32)))
	}
	for _, e := range s.terms {
		out = append(binary.LittleEndian.AppendUint32(out, e.hash), e.size)
	}
	return append(out, s.names...)
}

// Parse decodes a sketch. It may come from another machine: anything but the exact encoding is an
// error.
func Parse(b []byte) (Sketch, error) {
	if len(b) < headBytes || string(b[:len(mark)]) != mark {
		return Sketch{}, errNoSketch
	}
	var head [5]int
	for i := range head {
		n := binary.LittleEndian.Uint32(b[len(mark)+4*i:])
		if n > math.MaxInt32 {
			return Sketch{}, errNoSketch
		}
		head[i] = int(n)
	}
	b = b[headBytes:]
	n, names := head[3], head[4]
	if n > MaxTerms+maxStated || !isFilterSize(names) || len(b) != n*termBytes+names {
		return Sketch{}, errNoSketch
	}
	s := Sketch{Chunks: head[0], Counted: head[1], Beliefs: head[2], terms: make([]entry, n)}
	for i := range s.terms {
		s.terms[i] = entry{binary.LittleEndian.Uint32(b), b[4]}
		if i > 0 && s.terms[i].hash <= s.terms[i-1].hash {
			return Sketch{}, errNoSketch
		}
		b = b[termBytes:]
	}
	if names > 0 {
		s.names = slices.Clone(filter(b))
	}
	return s, nil
}
