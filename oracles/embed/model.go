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

// A Model embeds with one table. It is safe for concurrent use.
type Model struct {
	table   *Table
	scratch *sync.Pool // holds *scratch; models with one vocabulary share it
}

var _ doc.Adapter = (*Model)(nil)

// New returns the model for a table: a trained one, or one that Model.Table returned after a fit.
func New(table *Table) *Model {
	return &Model{table: table, scratch: &sync.Pool{New: func() any { return newScratch(table.words) }}}
}

// Model names the table: vectors with two names are never compared.
func (m *Model) Model() string { return m.table.Model() }

// Dimension is the length of every vector.
func (m *Model) Dimension() int { return m.table.dim }

// Table returns bytes for ReadTable, or nil if the table was not fitted to a repository. Do not
// change them.
func (m *Model) Table() []byte {
	if m.table.id == m.table.base {
		return nil
	}
	return m.table.data
}

// Encode appends the ids of a passage's word pieces to dst.
func (m *Model) Encode(dst []byte, p doc.Passage) []byte {
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	return s.encodePassage(dst, m.table.words, p)
}

// Embed writes the vector for an encoded passage into dst, which has Dimension elements.
func (m *Model) Embed(dst []int8, encoded []byte) {
	if len(dst) != m.table.dim {
		panic(fmt.Sprintf("embed: vector of %d components, want %d", len(dst), m.table.dim))
	}
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	s.embed(dst, m.table, encoded)
}

// Exact writes the unit vector that Embed rounds, for measuring the rounding error.
func (m *Model) Exact(dst []float32, encoded []byte) {
	if len(dst) != m.table.dim {
		panic(fmt.Sprintf("embed: vector of %d components, want %d", len(dst), m.table.dim))
	}
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	s.exact(dst, m.table, encoded)
}

// Question returns a question's unit vector: the sum over its parts' unit vectors, times their
// weights. A part's vector sums its first 64 pieces (256 if there are several parts), so that a
// long part does not drown a short one. Parts without a positive weight are left out.
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
