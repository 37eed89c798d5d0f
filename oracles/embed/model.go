package embed

import (
	"fmt"
	"math"
	"sync"

	"patina/store"
)

const (
	questionTokens = 64  // pieces that are read of a question
	longTokens     = 256 // pieces that are read of each part of a question in several: a long text
)

// A Model embeds with one table. It is safe for concurrent use.
type Model struct {
	table   *Table
	scratch *sync.Pool // of *scratch, shared by the models of one vocabulary: what they cache is words
}

var _ store.Adapter = (*Model)(nil)

// New returns the model of a table: a trained one, or one that a model's Table returned when it was fitted to a repository.
func New(table *Table) *Model {
	return &Model{table: table, scratch: &sync.Pool{New: func() any { return newScratch(table.words) }}}
}

// Model names the table: vectors of two names are never compared.
func (m *Model) Model() string { return m.table.Model() }

// Dimension is the length of every vector.
func (m *Model) Dimension() int { return m.table.dim }

// Table is what ReadTable reads back, or nil if the table was not fitted to a repository. It is not to be changed.
func (m *Model) Table() []byte {
	if m.table.id == m.table.base {
		return nil
	}
	return m.table.data
}

// Encode appends the numbers of a passage's word pieces to dst.
func (m *Model) Encode(dst []byte, p store.Passage) []byte {
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	return s.encode(dst, m.table.words, p)
}

// Embed writes the vector of a passage that Encode encoded into dst, which has the length of the dimension.
func (m *Model) Embed(dst []int8, encoded []byte) {
	if len(dst) != m.table.dim {
		panic(fmt.Sprintf("embed: vector of %d components, want %d", len(dst), m.table.dim))
	}
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	s.embed(dst, m.table, encoded)
}

// Exact writes the unit vector that Embed rounds to bytes into dst, for those who measure what rounding costs.
func (m *Model) Exact(dst []float32, encoded []byte) {
	if len(dst) != m.table.dim {
		panic(fmt.Sprintf("embed: vector of %d components, want %d", len(dst), m.table.dim))
	}
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	s.exact(dst, m.table, encoded)
}

// Question returns the unit vector of a question: the sum of the unit vectors of its parts, each times the weight of the part. A part's
// own is the sum of the vectors of its first 64 pieces (256 if there are several parts), so that a long one does not drown a short one.
// Parts with a weight that is not a positive number are left out.
func (m *Model) Question(parts []store.QuestionPart) []float32 {
	limit, heaviest := questionTokens, float32(0)
	if len(parts) > 1 {
		limit = longTokens
	}
	for _, part := range parts {
		if usable(part.Weight) {
			heaviest = max(heaviest, part.Weight)
		}
	}
	s := m.scratch.Get().(*scratch)
	defer m.scratch.Put(s)
	vector, one := make([]float32, m.table.dim), make([]float32, m.table.dim)
	for _, part := range parts {
		if usable(part.Weight) {
			s.ids = s.ids[:0]
			clear(one)
			m.table.add(one, s.tokens(m.table.words, part.Text, limit))
			normalise(one)
			addScaled(vector, one, part.Weight/heaviest)
		}
	}
	normalise(vector)
	return vector
}

func usable(weight float32) bool { return weight > 0 && !math.IsInf(float64(weight), 0) }

// add adds the vectors of pieces.
func (t *Table) add(dst []float32, ids []uint16) {
	for _, id := range ids {
		scale := t.scales[id]
		for i, b := range t.row(id) {
			dst[i] += float32(int8(b)) * scale
		}
	}
}
