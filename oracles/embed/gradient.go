package embed

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// A workspace is memory that a trainer reuses in each step.
type workspace struct {
	questions, passages side
	turned              []float32 // the passages' vectors, one row for each component
	cosines             []float32 // question × passage: cosines, exponentials, then gradient
	byRow, byColumn     []float32 // sums of the exponentials, later their inverses
	slots               []int32   // piece → its index in ids, or −1
	ids                 []uint16  // the pieces of the batch
	starts              []int32   // of each piece: the start of its uses in bags
	bags                []int32   // bags that use a piece: questions, then passages
	weights             []float32 // of the uses
	order               []int32   // the pairs, sorted by a key
}

// A side holds the questions or the passages of a batch.
type side struct {
	vectors  []float32 // one for each bag, of length 1
	lengths  []float32 // before normalisation
	gradient []float32 // by the vectors, later by the sums before normalisation
}

func newWorkspace(pieces int) workspace {
	w := workspace{slots: make([]int32, pieces)}
	for i := range w.slots {
		w.slots[i] = -1
	}
	return w
}

// gradient computes the gradient of the batch's loss by the sum of each bag, and the uses of each
// piece. It returns the loss.
//
// With e[i,j] = exp((cosine−1)/temperature), 0 where masked, the loss is −1/2n Σ log(e[i,i]/row sum
// i) + log(e[i,i]/column sum i). Its gradient by a cosine is (e/row sum + e/column sum − 2·[i=j]) /
// (2n·temperature). Nothing overflows or vanishes, because a cosine is at most 1, so that exponents
// are between −34 and 0.
func (t *Trainer) gradient(batch Batch) float64 {
	n, w := len(batch.Questions), &t.work
	var using sync.WaitGroup
	using.Go(func() { w.use(batch) }) // on one core
	t.embed(&w.questions, batch.Questions)
	t.embed(&w.passages, batch.Passages)
	w.turned, w.cosines = resize(w.turned, n*t.dim), resize(w.cosines, n*n)
	transpose(w.turned, w.passages.vectors, n, t.dim)
	matmul(w.cosines, matrix{w.questions.vectors, t.dim, 1}, w.turned, n, n, t.dim)
	w.exponentials(n, batch.Alike)
	loss := w.loss(n)
	w.towardsCosines(n)
	w.questions.backward(matrix{w.cosines, n, 1}, &w.passages, n, t.dim)
	w.passages.backward(matrix{w.cosines, 1, n}, &w.questions, n, t.dim)
	using.Wait()
	return loss
}

// embed computes the vectors of bags.
func (t *Trainer) embed(s *side, bags []Bag) {
	n, dim := len(bags), t.dim
	s.vectors, s.gradient, s.lengths = resize(s.vectors, n*dim), resize(s.gradient, n*dim), resize(s.lengths, n)
	runParallel(n, 32, func(from, to int) {
		for i := from; i < to; i++ {
			s.lengths[i] = gatherUnit(s.vectors[i*dim:(i+1)*dim], t.rows, bags[i])
		}
	})
}

// exponentials turns cosines into exponentials, and sums them by row and by column.
func (w *workspace) exponentials(n int, alike [][]uint64) {
	runParallel(n, rowGrain, func(from, to int) { exponentiate(w.cosines[from*n : to*n]) })
	for _, keys := range alike {
		w.mask(n, keys)
	}
	w.byRow, w.byColumn = resize(w.byRow, n), resize(w.byColumn, n)
	runParallel(n, rowGrain, func(from, to int) {
		rowSums(w.byRow[from:to], w.cosines[from*n:to*n], n)
		columnSums(w.byColumn[from:to], w.cosines, from, n)
	})
}

// mask clears the exponentials of pairs with equal keys. Key 0 is equal to no other.
func (w *workspace) mask(n int, keys []uint64) {
	w.order = resize(w.order, n)
	for i := range w.order {
		w.order[i] = int32(i)
	}
	slices.SortFunc(w.order, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
	for from, to := 0, 0; from < n; from = to {
		key := keys[w.order[from]]
		for to = from; to < n && keys[w.order[to]] == key; to++ {
		}
		if key == 0 {
			continue
		}
		same := w.order[from:to]
		for _, i := range same {
			for _, j := range same {
				if i != j {
					w.cosines[int(i)*n+int(j)] = 0
				}
			}
		}
	}
}

func (w *workspace) loss(n int) float64 {
	loss := 0.0
	for i := range n {
		right := 2 * math.Log(float64(w.cosines[i*n+i]))
		loss -= right - math.Log(float64(w.byRow[i])) - math.Log(float64(w.byColumn[i]))
	}
	return loss / float64(2*n)
}

// towardsCosines turns the exponentials into the gradient by the cosines.
func (w *workspace) towardsCosines(n int) {
	scale := float32(1 / (2 * float64(n) * temperature))
	for _, sums := range [][]float32{w.byRow, w.byColumn} {
		for i, sum := range sums {
			sums[i] = 1 / sum
		}
	}
	runParallel(n, rowGrain, func(from, to int) {
		scaleSlopes(w.cosines[from*n:to*n], w.byRow[from:to], w.byColumn, scale)
		for i := from; i < to; i++ {
			w.cosines[i*n+i] -= 2 * scale
		}
	})
}

// backward computes the gradient by the sums of s's bags, from the gradient by the cosines with the
// other side. It computes the gradient by the vectors, removes the part along each vector, because
// that only changes the length, and divides by the length.
func (s *side) backward(cosines matrix, other *side, n, dim int) {
	runParallel(n, rowGrain, func(from, to int) {
		gradient := s.gradient[from*dim : to*dim]
		multiplyRows(gradient, cosines, other.vectors, from, to-from, dim, n)
		backpropagate(gradient, s.vectors[from*dim:to*dim], s.lengths[from:to], dim)
	})
}

// use lists the pieces of the batch, each with the bags that use it in their order, so that
// gradients are always added in the same order.
func (w *workspace) use(batch Batch) {
	for _, id := range w.ids {
		w.slots[id] = -1
	}
	w.ids, w.starts = w.ids[:0], w.starts[:0]
	eachUse(batch, func(_ int, id uint16, _ float32) {
		if w.slots[id] < 0 {
			w.slots[id] = int32(len(w.ids))
			w.ids, w.starts = append(w.ids, id), append(w.starts, 0)
		}
		w.starts[w.slots[id]]++
	})
	total := int32(0)
	for slot, n := range w.starts {
		w.starts[slot] = total
		total += n
	}
	w.bags, w.weights = resize(w.bags, int(total)), resize(w.weights, int(total))
	eachUse(batch, func(bag int, id uint16, weight float32) {
		slot := w.slots[id]
		at := w.starts[slot]
		w.bags[at], w.weights[at] = int32(bag), weight
		w.starts[slot]++
	})
	// Each start is now the next one's, because it was moved past its uses.
	w.starts = append(w.starts, 0)
	copy(w.starts[1:], w.starts)
	w.starts[0] = 0
}

// eachUse calls f for each known piece of each bag. bag counts the questions, then the passages.
func eachUse(batch Batch, f func(bag int, id uint16, weight float32)) {
	for side, bags := range [...][]Bag{batch.Questions, batch.Passages} {
		for i, bag := range bags {
			for k, id := range bag.IDs {
				if id != 0 {
					f(side*len(batch.Questions)+i, id, bag.Weights[k])
				}
			}
		}
	}
}

// resize returns a slice with n elements and undefined content. It is old if that is large enough.
func resize[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}
