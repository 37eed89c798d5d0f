package embed

import (
	"fmt"
	"math"
	"sync"

	"patina/store/doc"
)

const (
	questionTokens = 64  // pieces read from a question
	longTokens     = 256 // pieces read from each part of a long text
)

// A Model embeds with one table. It may be used concurrently.
type Model struct {
	table   *Table
	scratch *sync.Pool // holds *scratch; models with the same vocabulary share it
}

var _ doc.Adapter = (*Model)(nil)

// New returns the model of a table.
func New(table *Table) *Model {
	return &Model{table: table, scratch: &sync.Pool{New: func() any { return newScratch(table.words) }}}
}

// Model returns the name of the table. Vectors with different names must not be compared.
func (m *Model) Model() string { return m.table.Model() }

// Dimension returns the length of every vector.
func (m *Model) Dimension() int { return m.table.dim }

// Table returns the table's bytes, for Load, or nil if the table is not fitted to a repository. The
// caller must not change them.
func (m *Model) Table() []byte {
	if m.table.id == m.table.base {
		return nil
	}
	return m.table.data
}

// Encode appends an encoded passage to dst: the ids of its word pieces.
func (m *Model) Encode(dst []byte, p doc.Passage) []byte {
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	return s.encodePassage(dst, m.table.words, p)
}

// Embed writes the vector of an encoded passage into dst. It panics unless dst has Dimension
// elements.
func (m *Model) Embed(dst []int8, encoded []byte) {
	if len(dst) != m.table.dim {
		panic(fmt.Sprintf("embed: vector of %d components, want %d", len(dst), m.table.dim))
	}
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	s.embed(dst, m.table, encoded)
}

// Exact writes the unit vector that Embed rounds, so that the rounding error can be measured. It
// panics unless dst has Dimension elements.
func (m *Model) Exact(dst []float32, encoded []byte) {
	if len(dst) != m.table.dim {
		panic(fmt.Sprintf("embed: vector of %d components, want %d", len(dst), m.table.dim))
	}
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	s.exact(dst, m.table, encoded)
}

// Question returns a question's unit vector: the sum of its parts' unit vectors, times their
// weights. Only the first 64 pieces of a part count (256 if there are several parts). Parts without
// a positive finite weight are left out. It returns the zero vector if no piece is known.
func (m *Model) Question(parts []doc.QuestionPart) []float32 {
	limit, heaviest := questionTokens, float32(0)
	if len(parts) > 1 {
		limit = longTokens
	}
	for _, part := range parts {
		if isUsable(part.Weight) {
			heaviest = max(heaviest, part.Weight)
		}
	}
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	vector, one := make([]float32, m.table.dim), make([]float32, m.table.dim)
	for _, part := range parts {
		if isUsable(part.Weight) {
			s.ids = s.ids[:0]
			clear(one)
			m.table.addPieces(one, s.appendPieces(m.table.words, part.Text, limit))
			normalise(one)
			addScaled(vector, one, part.Weight/heaviest)
		}
	}
	normalise(vector)
	return vector
}

func isUsable(weight float32) bool { return weight > 0 && !math.IsInf(float64(weight), 0) }

// addPieces adds the pieces' vectors to dst.
func (t *Table) addPieces(dst []float32, ids []uint16) {
	for _, id := range ids {
		scale := t.scales[id]
		for i, b := range t.row(id) {
			dst[i] += float32(int8(b)) * scale
		}
	}
}
