package embed

import "math"

// A workspace is memory that a trainer reuses in each step.
type workspace struct {
	questions, passages side
	cosines             []float32 // question × passage: cosines, then exponentials, then the gradient
	turned              []float32 // the same, passage × question
	sums                []float64 // over exponentials: by question, then by passage
	slots               []int32   // piece → its place in ids, or −1
	ids                 []uint16  // the pieces of the batch
	starts              []int32   // of each one's uses, and their number
	bags                []int32   // that use a piece: questions, then passages
	weights             []float32 // of the uses
}

// A side is the questions or the passages in a batch.
type side struct {
	vectors  []float32 // one a bag, length 1
	turned   []float32 // the same, one row a component
	lengths  []float32 // before normalisation
	gradient []float32 // by the vectors, then by the sums before normalisation
}

func newWorkspace(pieces int) workspace {
	w := workspace{slots: make([]int32, pieces)}
	for i := range w.slots {
		w.slots[i] = -1
	}
	return w
}

// gradient fills work with the gradient of the batch's loss, by the sum of each bag, and with the
// uses of each piece. It returns the loss.
//
// With e[i,j] = exp((cosine−1)/temperature), 0 where masked, the loss is −1/2n Σ log(e[i,i]/row sum
// i) + log(e[i,i]/column sum i), and its gradient by a cosine is (e/row sum + e/column sum −
// 2·[i=j]) / (2n·temperature). A cosine is at most 1, so no exponent is positive, and none is below
// −34: nothing overflows or vanishes.
func (t *Trainer) gradient(batch Batch) float64 {
	n, w := len(batch.Questions), &t.work
	t.embed(&w.questions, batch.Questions)
	t.embed(&w.passages, batch.Passages)
	w.cosines, w.turned = sized(w.cosines, n*n), sized(w.turned, n*n)
	w.sums = sized(w.sums, 2*n)
	matmul(w.cosines, w.questions.vectors, w.passages.vectors, n, n, t.dim)
	w.exponentials(n, batch.Masked)
	loss := w.loss(n)
	w.towardsCosines(n)
	w.questions.backward(w.cosines, &w.passages, n, t.dim)
	w.passages.backward(w.turned, &w.questions, n, t.dim)
	w.use(batch)
	return loss
}

// embed computes the bags' vectors.
func (t *Trainer) embed(s *side, bags []Bag) {
	n, dim := len(bags), t.dim
	s.vectors, s.turned, s.gradient = sized(s.vectors, n*dim), sized(s.turned, n*dim), sized(s.gradient, n*dim)
	s.lengths = sized(s.lengths, n)
	parallel(n, 32, func(from, to int) {
		for i := from; i < to; i++ {
			s.lengths[i] = t.sum(s.vectors[i*dim:(i+1)*dim], bags[i])
		}
	})
	transpose(s.turned, s.vectors, n, dim)
}

// exponentials turns cosines into exponentials, and sums them by row and by column.
func (w *workspace) exponentials(n int, masked func(i, j int) bool) {
	parallel(n, 32, func(from, to int) {
		for i := from; i < to; i++ {
			row, sum := w.cosines[i*n:(i+1)*n], 0.0
			exponentials(row)
			for j, e := range row {
				if masked != nil && i != j && masked(i, j) {
					row[j], e = 0, 0
				}
				sum += float64(e)
			}
			w.sums[i] = sum
		}
	})
	parallel(n, 64, func(from, to int) {
		sums := w.sums[n+from : n+to]
		clear(sums)
		for i := range n {
			for j, e := range w.cosines[i*n+from : i*n+to] {
				sums[j] += float64(e)
			}
		}
	})
}

func (w *workspace) loss(n int) float64 {
	loss := 0.0
	for i := range n {
		right := 2 * math.Log(float64(w.cosines[i*n+i]))
		loss -= right - math.Log(w.sums[i]) - math.Log(w.sums[n+i])
	}
	return loss / float64(2*n)
}

// towardsCosines turns exponentials into the gradient by the cosines, in both orders.
func (w *workspace) towardsCosines(n int) {
	scale := 1 / (2 * float64(n) * temperature)
	for i, sum := range w.sums {
		w.sums[i] = 1 / sum
	}
	parallel(n, 32, func(from, to int) {
		for i := from; i < to; i++ {
			row, bySum := w.cosines[i*n:(i+1)*n], w.sums[i]
			for j, e := range row {
				row[j] = float32(scale * float64(e) * (bySum + w.sums[n+j]))
			}
			row[i] -= float32(2 * scale)
		}
	})
	transpose(w.turned, w.cosines, n, n)
}

// backward computes the gradient by the sums behind s's vectors, from the gradient by the cosines
// with the other side. It takes the gradient by the vectors, removes the part along each vector (it
// changes only the length), and divides by the length.
func (s *side) backward(cosines []float32, other *side, n, dim int) {
	matmul(s.gradient, cosines, other.turned, n, dim, n)
	parallel(n, 64, func(from, to int) {
		for i := from; i < to; i++ {
			gradient, vector := s.gradient[i*dim:(i+1)*dim], s.vectors[i*dim:(i+1)*dim]
			if s.lengths[i] == 0 {
				clear(gradient)
				continue
			}
			var along float32
			for k, g := range gradient {
				along += g * vector[k]
			}
			by := 1 / s.lengths[i]
			for k := range gradient {
				gradient[k] = (gradient[k] - along*vector[k]) * by
			}
		}
	})
}

// use lists the pieces of the batch, each with the bags that use it, in their order: so each sum
// of gradients has one order.
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
	w.bags, w.weights = sized(w.bags, int(total)), sized(w.weights, int(total))
	eachUse(batch, func(bag int, id uint16, weight float32) {
		slot := w.slots[id]
		at := w.starts[slot]
		w.bags[at], w.weights[at] = int32(bag), weight
		w.starts[slot]++
	})
	// Each start now lies where the next one was.
	w.starts = append(w.starts, 0)
	copy(w.starts[1:], w.starts)
	w.starts[0] = 0
}

// eachUse calls f for each known piece of each bag. Bags are counted over the questions, then over
// the passages.
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

// sized returns a slice with n elements and undefined content, old if it is large enough.
func sized[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}
