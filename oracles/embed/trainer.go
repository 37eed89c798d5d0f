package embed

import (
	"math"
	"math/rand/v2"
	"slices"
)

// temperature is the softmax temperature of the contrastive (InfoNCE) loss. A lower one gives hard
// negatives more weight.
const temperature = 0.06

// A Bag is a text as weighted pieces. A piece may occur more than once. Id 0 (Unknown) adds
// nothing.
type Bag struct {
	IDs     []uint16
	Weights []float32 // one for each id
}

// A Batch holds questions and, in the same order, the passages that answer them.
type Batch struct {
	Questions, Passages []Bag
	// Alike holds lists with one key for each pair. Two pairs with an equal key in a list are not
	// wrong answers to each other, because both come from the same query, file or commit. Key 0 is
	// equal to no other. Alike may be nil.
	Alike [][]uint64
}

// Masked reports whether passage j is not counted as a wrong answer to question i.
func (b Batch) Masked(i, j int) bool {
	return i != j && slices.ContainsFunc(b.Alike, func(keys []uint64) bool {
		return keys[i] != 0 && keys[i] == keys[j]
	})
}

// A Trainer moves a table's vectors so that questions come near their passages. It must not be used
// concurrently, because one step uses all cores. Results do not depend on their number.
type Trainer struct {
	dim     int
	rows    []float32 // one vector for each piece
	touched []bool    // pieces whose vector has moved
	adam    adam
	work    workspace
}

// NewTrainer returns a trainer with random vectors, N(0, 1/dim). The first piece, Unknown, has the
// zero vector.
func NewTrainer(pieces, dim int, seed uint64) *Trainer {
	t := newTrainer(pieces, dim)
	random := rand.New(rand.NewPCG(seed, 0))
	deviation := math.Sqrt(1 / float64(dim))
	for i := dim; i < len(t.rows); i++ {
		t.rows[i] = float32(random.NormFloat64() * deviation)
	}
	return t
}

// trainerFrom returns a trainer with a table's vectors of some pieces, the first of which must be
// Unknown. Bags must use the indexes of pieces as ids.
func trainerFrom(table *Table, pieces []uint16) *Trainer {
	t := newTrainer(len(pieces), table.dim)
	for number, id := range pieces {
		table.Row(t.row(uint16(number)), id)
	}
	return t
}

func newTrainer(pieces, dim int) *Trainer {
	return &Trainer{
		dim:     dim,
		rows:    make([]float32, pieces*dim),
		touched: make([]bool, pieces),
		adam:    newAdam(pieces * dim),
		work:    newWorkspace(pieces),
	}
}

func (t *Trainer) row(id uint16) []float32 {
	at := int(id) * t.dim
	return t.rows[at : at+t.dim : at+t.dim]
}

// Step moves the vector of every piece in the batch once, against the gradient of the batch's loss,
// and returns that loss. The loss is the mean over both directions of −log(share of the right
// partner among all that are not masked), with cosines divided by temperature.
func (t *Trainer) Step(batch Batch, lr float32) float64 {
	loss := t.gradient(batch)
	t.adam.moveRows(t.rows, &t.work, t.dim, lr)
	for _, id := range t.work.ids {
		t.touched[id] = true
	}
	return loss
}

// Quantise returns a table with the present vectors. It is a base, from which others can be fitted.
func (t *Trainer) Quantise(words *Vocabulary) *Table {
	return newTable(words, t.dim, [idSize]byte{}, func(id uint16, dst []byte) float32 {
		return quantiseRow(dst, t.row(id))
	})
}

// adapted returns a table with the present vectors, fitted from base. It copies rows that have not
// moved. number must return the number of a piece, or 0 if the trainer does not have the piece.
func (t *Trainer) adapted(base *Table, number func(id uint16) uint16) *Table {
	return newTable(base.words, t.dim, base.base, func(id uint16, dst []byte) float32 {
		n := number(id)
		if !t.touched[n] {
			copy(dst, base.row(id))
			return base.scales[id]
		}
		return quantiseRow(dst, t.row(n))
	})
}

// quantiseRow writes a row as bytes, the largest component as ±127, and returns their unit.
func quantiseRow(dst []byte, row []float32) float32 {
	var largest float32
	for _, x := range row {
		largest = max(largest, x, -x)
	}
	if largest == 0 {
		clear(dst)
		return 0
	}
	for i, x := range row {
		dst[i] = byte(int8(math.Round(float64(x / largest * 127))))
	}
	return largest / 127
}

// addScaled adds w·x to dst, which must not be longer than x.
func addScaled(dst, x []float32, w float32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] += w * x[i]
	}
}

// normalise divides a vector by its length, and returns the length. If the length is zero or not
// finite, the vector becomes zero and the result is 0.
func normalise(x []float32) float32 {
	var sum float64
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	length := math.Sqrt(sum)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		clear(x)
		return 0
	}
	scale := float32(1 / length)
	for i := range x {
		x[i] *= scale
	}
	return float32(length)
}
