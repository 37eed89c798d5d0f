package embed

/*
#cgo CFLAGS: -O3
#cgo linux LDFLAGS: -lm
#cgo noescape patina_products
#cgo nocallback patina_products
#cgo noescape patina_gather
#cgo nocallback patina_gather
#cgo noescape patina_backward
#cgo nocallback patina_backward
#cgo noescape patina_update
#cgo nocallback patina_update
#cgo noescape patina_exponentials
#cgo nocallback patina_exponentials
#cgo noescape patina_row_sums
#cgo nocallback patina_row_sums
#cgo noescape patina_column_sums
#cgo nocallback patina_column_sums
#cgo noescape patina_slopes
#cgo nocallback patina_slopes
#include "kernels.h"
*/
import "C"

import (
	"slices"
	"unsafe"
)

// The kernels are in C (kernels_wide.h), because Go's compiler makes one product at a time, and
// with it a fit took more than four times as long.

func cFloats(x []float32) *C.float { return (*C.float)(unsafe.SliceData(x)) }

func cPieces(ids []uint16) *C.uint16_t { return (*C.uint16_t)(unsafe.SliceData(ids)) }

// limitWidth lets the kernels use registers of at most n floats, as on other processors. Only tests
// may call it.
func limitWidth(n int) { C.patina_widest = C.int(n) }

// A matrix has its element [i, k] at i·rowStep + k·columnStep.
type matrix struct {
	data                []float32
	rowStep, columnStep int
}

// multiplyRows writes the products of rows of a, beginning with row from, and b (depth × n) into c
// (rows × n).
func multiplyRows(c []float32, a matrix, b []float32, from, rows, n, depth int) {
	if rows == 0 || n == 0 || depth == 0 {
		clear(c[:rows*n])
		return
	}
	_, _ = c[:rows*n], b[:depth*n]
	data := a.data[from*a.rowStep:]
	_ = data[(rows-1)*a.rowStep+(depth-1)*a.columnStep]
	C.patina_products(cFloats(c), cFloats(data), C.size_t(a.rowStep), C.size_t(a.columnStep), cFloats(b),
		C.size_t(rows), C.size_t(n), C.size_t(depth))
}

// gatherUnit writes the unit vector of a bag into dst, and returns its length before. It panics if
// an id has no row. A bag without known pieces gives the zero vector.
func gatherUnit(dst, rows []float32, bag Bag) float32 {
	if len(bag.IDs) > 0 {
		_ = rows[(int(slices.Max(bag.IDs))+1)*len(dst)-1]
	}
	return float32(C.patina_gather(cFloats(dst), cFloats(rows), C.size_t(len(dst)), cPieces(bag.IDs),
		cFloats(bag.Weights[:len(bag.IDs)]), C.size_t(len(bag.IDs))))
}

// backpropagate turns gradients by unit vectors into gradients by the sums before normalisation.
func backpropagate(gradient, vectors, lengths []float32, dim int) {
	_, _ = gradient[:len(lengths)*dim], vectors[:len(lengths)*dim]
	C.patina_backward(cFloats(gradient), cFloats(vectors), cFloats(lengths), C.size_t(len(lengths)), C.size_t(dim))
}

// update moves the rows of slots from from up to to against their gradients by Adam.
func (w *workspace) update(a *adam, rows []float32, dim, from, to int, rate float32) {
	if from == to {
		return
	}
	ids, starts := w.ids[from:to], w.starts[from:to+1]
	_, _ = w.bags[:starts[to-from]], w.weights[:starts[to-from]]
	C.patina_update(cFloats(rows), cFloats(a.first), cFloats(a.second), C.size_t(dim), cPieces(ids),
		(*C.int32_t)(unsafe.SliceData(starts)), C.size_t(to-from), (*C.int32_t)(unsafe.SliceData(w.bags)),
		cFloats(w.weights), cFloats(w.questions.gradient), cFloats(w.passages.gradient),
		C.size_t(len(w.questions.lengths)), beta1, beta2, epsilon, C.float(rate))
}

// exponentiate turns each cosine c into exp((c-1)/temperature).
func exponentiate(cosines []float32) {
	C.patina_exponentials(cFloats(cosines), C.size_t(len(cosines)), temperature)
}

// rowSums writes the sum of each row of n numbers.
func rowSums(sums, e []float32, n int) {
	_ = e[:len(sums)*n]
	C.patina_row_sums(cFloats(sums), cFloats(e), C.size_t(len(sums)), C.size_t(n))
}

// columnSums writes the sums of the columns of e (n × n), beginning with column from.
func columnSums(sums, e []float32, from, n int) {
	_ = e[:(n-1)*n+from+len(sums)]
	C.patina_column_sums(cFloats(sums), cFloats(e[from:]), C.size_t(n), C.size_t(n), C.size_t(len(sums)))
}

// scaleSlopes multiplies each number with scale · (byRow of its row + byColumn of its column).
func scaleSlopes(e, byRow, byColumn []float32, scale float32) {
	_ = e[:len(byRow)*len(byColumn)]
	C.patina_slopes(cFloats(e), cFloats(byRow), cFloats(byColumn), C.size_t(len(byRow)),
		C.size_t(len(byColumn)), C.float(scale))
}
