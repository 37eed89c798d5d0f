package embed

/*
#cgo CFLAGS: -O3
#cgo linux LDFLAGS: -lm
#cgo noescape patina_products
#cgo nocallback patina_products
#cgo noescape patina_gather
#cgo nocallback patina_gather
#cgo noescape patina_update
#cgo nocallback patina_update
#cgo noescape patina_exponentials
#cgo nocallback patina_exponentials
#include "kernels.h"
*/
import "C"

import "unsafe"

// The kernels are in C (kernels.c): Go's compiler makes one product at a time, and a fit took more
// than twice the time.

func floats(x []float32) *C.float { return (*C.float)(unsafe.SliceData(x)) }

func pieces(ids []uint16) *C.uint16_t { return (*C.uint16_t)(unsafe.SliceData(ids)) }

// products writes into c (rows × n) the inner products of the rows in a (rows × depth) and
// b (n × depth).
func products(c, a, b []float32, rows, n, depth int) {
	_, _, _ = c[:rows*n], a[:rows*depth], b[:n*depth]
	C.patina_products(floats(c), floats(a), floats(b), C.size_t(rows), C.size_t(n), C.size_t(depth))
}

// gather adds to dst the rows of a bag's pieces, each times its weight. All ids have a row.
func gather(dst, rows []float32, bag Bag) {
	C.patina_gather(floats(dst), floats(rows), C.size_t(len(dst)), pieces(bag.IDs), floats(bag.Weights[:len(bag.IDs)]), C.size_t(len(bag.IDs)))
}

// update moves the rows of slots from to to against their gradients by Adam.
func (w *workspace) update(a *adam, rows []float32, dim, from, to int, rate float32) {
	if from == to {
		return
	}
	ids, starts := w.ids[from:to], w.starts[from:to+1]
	_, _ = w.bags[:starts[to-from]], w.weights[:starts[to-from]]
	C.patina_update(floats(rows), floats(a.first), floats(a.second), C.size_t(dim), pieces(ids), (*C.int32_t)(unsafe.SliceData(starts)),
		C.size_t(to-from), (*C.int32_t)(unsafe.SliceData(w.bags)), floats(w.weights), floats(w.questions.gradient), floats(w.passages.gradient),
		C.size_t(len(w.questions.lengths)), beta1, beta2, epsilon, C.float(rate))
}

// exponentials turns each cosine c of a row into exp((c-1)/temperature).
func exponentials(row []float32) {
	C.patina_exponentials(floats(row), C.size_t(len(row)), temperature)
}
