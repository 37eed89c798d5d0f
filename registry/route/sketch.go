// Package route chooses the projects that a question visits.
//
// It is arithmetic: no I/O, no clock, no goroutines. A Sketch says roughly which words are common
// in a project and which names it defines. Choose selects the projects to ask, and Count gives all
// of them the same idf. The callers keep sketches and edges, and ask the projects.
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

// Bounds of a sketch. A word in a single chunk is rare. Such words are many and say little about a
// project, but a small project has hardly any others. So only sketches with few common terms hold
// them, because with the rare words of all projects one of 82 questions missed its project
// (bench/history/repositories.md, "Questions across repositories").
const (
	// MaxTerms is the highest number of terms of the code. Those with the highest document
	// frequency are kept.
	MaxTerms = 4000
	fewTerms = 200
	// maxStated is the highest number of words of beliefs, beside those of the code.
	maxStated = 1000
)

// A Sketch says how many code chunks a project has, in how many of them its commonest terms occur,
// and which names it defines. The zero Sketch means a project without code. A Sketch is immutable,
// so it may be used concurrently.
type Sketch struct {
	Chunks  int
	Counted int     // chunks in which the frequencies were counted; some may be gone
	Beliefs int     // number of beliefs whose words are among the terms
	terms   []entry // sorted by hash, without duplicates
	names   filter
	stated  []statement
}

// Contents are the data from which a sketch is made. Maps and slices may be nil.
type Contents struct {
	Chunks  int
	Counted int
	Beliefs int
	Terms   map[string]int // number of code chunks that hold each term
	Stated  [][]string     // the terms of each belief's statement, the most important belief first
	Names   []string       // names of the definitions
}

// An entry is a term by its hash, with 8 · log2 of its document frequency.
type entry struct {
	hash uint32
	size uint8
}

// frequency returns the document frequency of the term, as rounded as size is.
func (e entry) frequency() float64 { return math.Exp2(float64(e.size) / sizeSteps) }

// sizeSteps is the number of steps of an entry's size that double its frequency.
const sizeSteps = 8

// staleShare is the share of chunks that may come or go before a sketch must be made anew.
// Frequencies are kept in steps of 9%, so a change of one hundredth moves one in nine by a step.
const staleShare = 0.01

// Stands reports whether a sketch is still valid for contents of which Counted, Beliefs and Stated
// are set.
func (s Sketch) Stands(c Contents) bool {
	return c.Beliefs == s.Beliefs && math.Abs(float64(c.Counted-s.Counted)) <= staleShare*float64(s.Counted) &&
		slices.EqualFunc(s.stated, statementsOf(c.Stated), slices.Equal[statement])
}

// New returns a sketch of a project.
func New(c Contents) Sketch {
	all := entriesOf(c.Terms)
	common := sort.Search(len(all), func(i int) bool { return all[i].size == 0 }) // then the rare
	if common >= fewTerms {
		all = all[:common]
	}
	all = all[:min(len(all), MaxTerms)]
	inStatements := map[string]int{}
	for _, terms := range c.Stated {
		for _, term := range terms {
			inStatements[term]++
		}
	}
	stated := entriesOf(inStatements)
	all = append(all, stated[:min(len(stated), maxStated)]...)
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(b.size, a.size))
	})
	all = slices.CompactFunc(all, func(a, b entry) bool { return a.hash == b.hash })
	return Sketch{
		Chunks: max(0, c.Chunks), Counted: max(0, c.Counted), Beliefs: max(0, c.Beliefs),
		terms: slices.Clip(all), names: newFilter(c.Names), stated: statementsOf(c.Stated),
	}
}

// entriesOf returns the entries of terms, the most frequent first. A term in a single chunk has
// size 0.
func entriesOf(frequencies map[string]int) []entry {
	all := make([]entry, 0, len(frequencies))
	for term, n := range frequencies {
		if n > 0 {
			size := math.Round(sizeSteps * math.Log2(float64(n)))
			all = append(all, entry{HashOf(term), uint8(min(size, math.MaxUint8))})
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.hash, b.hash))
	})
	return all
}

// HashOf returns the hash by which sketches know a term.
func HashOf(term string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(term)) // never fails
	return h.Sum32()
}

// Len returns the number of terms.
func (s Sketch) Len() int { return len(s.terms) }

// Frequency returns the approximate number of chunks that hold a term. It returns 0 if the sketch
// does not hold the term.
func (s Sketch) Frequency(term string) float64 { return s.FrequencyOf(HashOf(term)) }

// FrequencyOf is Frequency for a term of which only the hash is known.
func (s Sketch) FrequencyOf(hash uint32) float64 {
	i, ok := slices.BinarySearchFunc(s.terms, hash, func(e entry, h uint32) int { return cmp.Compare(e.hash, h) })
	if !ok {
		return 0
	}
	return s.terms[i].frequency()
}

// Defines reports whether a project defines a name, in any case. It is wrongly true for one in a
// hundred names. It may be wrongly false in a very large project, whose filter does not hold all
// names.
func (s Sketch) Defines(name string) bool { return s.names.has(name) }

// The encoding of a sketch without statements: a mark; the numbers of chunks, counted chunks,
// beliefs, terms, and bytes of the filter; each term as its hash and its size; and the filter. All
// numbers are little endian. The encoding of the statements may follow.
const (
	mark      = "psk3"
	headBytes = len(mark) + 5*4
	termBytes = 4 + 1

	// MaxBytes is the size of the largest encoded sketch.
	MaxBytes = headBytes + (MaxTerms+maxStated)*termBytes + maxFilter + maxStatementBytes
)

var errNoSketch = errors.New("read sketch: it is damaged")

// Bytes returns the encoding of a sketch.
func (s Sketch) Bytes() []byte { return append(s.Words(), s.Statements()...) }

// Words returns the encoding of a sketch without statements, which is all that versions before
// statements can read.
func (s Sketch) Words() []byte {
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

// Parse decodes a sketch. It returns an error for anything but an exact encoding, because the bytes
// may come from another machine.
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
	if n > MaxTerms+maxStated || !isFilterSize(names) || len(b) < n*termBytes+names {
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
		s.names = slices.Clone(filter(b[:names]))
	}
	var err error
	s.stated, err = parseStatements(b[names:])
	return s, err
}
