package embed

import "math"

// Adam as in Kingma and Ba, with a faster decay of the second moment because rare pieces occur in
// few batches.
const (
	beta1   = 0.9
	beta2   = 0.99
	epsilon = 1e-8
)

// adam is the optimiser. It is lazy: the moments of a row change only in batches that use the row.
type adam struct {
	steps         int
	first, second []float32
}

func newAdam(n int) adam {
	return adam{first: make([]float32, n), second: make([]float32, n)}
}

// moveRows moves the rows of a batch's pieces against their gradients. It uses all cores.
func (a *adam) moveRows(rows []float32, w *workspace, dim int, lr float32) {
	a.steps++
	rate := float64(lr) * math.Sqrt(1-math.Pow(beta2, float64(a.steps))) / (1 - math.Pow(beta1, float64(a.steps)))
	runParallel(len(w.ids), 64, func(from, to int) { w.update(a, rows, dim, from, to, float32(rate)) })
}
