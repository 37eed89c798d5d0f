package vector

/*
#cgo CFLAGS: -O3 -I${SRCDIR}/../../third_party/build/include -DSIMSIMD_DYNAMIC_DISPATCH=1 -DSIMSIMD_NATIVE_F16=0 -DSIMSIMD_NATIVE_BF16=0
#cgo LDFLAGS: ${SRCDIR}/../../third_party/build/libusearch_c.a
#cgo linux LDFLAGS: -static-libgcc -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -lm
#cgo darwin LDFLAGS: -lc++
#include <stdlib.h>
#include "hnsw.h"
#include "usearch.h"
*/
import "C"

import (
	"errors"
	"sync"
	"unsafe"
)

// usearchVersion is the version in third_party/package.json; a test holds the two equal. It is
// repeated here because the go command does not notice a changed library, but notices a changed
// constant.
const usearchVersion = "2.21.4"

// Acceleration returns the name of the instruction set for scans, as USearch calls it: "ice",
// "haswell", "neon_i8", or "serial" without a vector unit.
func Acceleration() string { return C.GoString(C.patina_acceleration()) }

// linkedVersion is the version of the linked USearch.
func linkedVersion() string { return C.GoString(C.usearch_version()) }

// kernel returns SimSIMD's product of two int8 rows for this processor.
var kernel = sync.OnceValue(func() C.patina_dot { return C.patina_kernel() })

// bestLevel returns this processor's level (dots.h). Levels start at 0.
var bestLevel = sync.OnceValue(func() int { return int(C.patina_level()) })

// dotProducts computes Dots on one processor.
func dotProducts(dst []int32, rows, q []int8) { dotsAt(bestLevel(), dst, rows, q) }

func dotsAt(level int, dst []int32, rows, q []int8) {
	C.patina_dots(C.int(level), kernel(), bytesOf(rows), C.size_t(len(dst)), bytesOf(q), C.size_t(len(q)),
		(*C.int32_t)(unsafe.SliceData(dst)))
}

// lanes is a checksum in progress: sums over 64-bit words in eight lanes, and the sums of these
// sums.
type lanes [2 * C.patina_lanes]uint64

func (l *lanes) c() *C.uint64_t { return (*C.uint64_t)(unsafe.Pointer(l)) }

func (l *lanes) addRows(rows []int8) { C.patina_sum(bytesOf(rows), C.size_t(len(rows)), l.c()) }

// dots computes products and checksum on one processor.
func (l *lanes) dots(dst []int32, rows, q []int8) {
	C.patina_dots_sum(C.int(bestLevel()), kernel(), bytesOf(rows), C.size_t(len(dst)), bytesOf(q), C.size_t(len(q)),
		(*C.int32_t)(unsafe.SliceData(dst)), l.c())
}

// exactSearch calls USearch's own exact search. Only tests must use it, to check Dots, because it
// is slower and not safe for concurrent use. It returns the k best rows and 1 - their products.
func exactSearch(rows, q []int8, k int) ([]uint64, []float32, error) {
	found, distances := make([]uint64, k), make([]float32, k)
	err := goError(C.patina_exact_search(bytesOf(rows), C.size_t(len(rows)/len(q)), bytesOf(q), C.size_t(len(q)),
		C.size_t(k),
		(*C.uint64_t)(unsafe.SliceData(found)), (*C.float)(unsafe.SliceData(distances))))
	return found, distances, err
}

// A graph is a USearch index. The rows are not part of it, and must stay in memory until free.
type graph struct{ c *C.patina_graph }

// newGraph returns an empty graph with the given capacity, for up to threads concurrent callers.
// The caller must free it.
func newGraph(rows []int8, dimension, capacity, threads int) (graph, error) {
	var message *C.char
	c := C.patina_graph_new(bytesOf(rows), C.size_t(len(rows)/dimension), C.size_t(dimension), C.size_t(capacity),
		connectivity, expansionAdd, C.size_t(threads), &message)
	return graph{c}, goError(message)
}

func (g graph) addRows(first, end int64) error {
	return goError(C.patina_graph_add(g.c, C.uint64_t(first), C.uint64_t(end)))
}

// save writes the graph to a new file and returns the size that the file must have.
func (g graph) save(path string) (int64, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var size C.size_t
	err := goError(C.patina_graph_save(g.c, name, &size))
	return int64(size), err
}

// view makes the graph use a saved one. saved must stay in memory until free.
func (g graph) view(saved []byte) error {
	return goError(C.patina_graph_view(g.c, unsafe.Pointer(unsafe.SliceData(saved)), C.size_t(len(saved))))
}

// search follows k candidates and returns those that it finds, at most k.
func (g graph) search(q []int8, k int) ([]int64, []int32, error) {
	rows, products := make([]int64, k), make([]int32, k)
	var found C.size_t
	err := goError(C.patina_graph_search(g.c, bytesOf(q), C.size_t(k),
		(*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(rows))),
		(*C.int32_t)(unsafe.SliceData(products)), &found))
	return rows[:found], products[:found], err
}

func (g graph) free() { C.patina_graph_free(g.c) }

func bytesOf(rows []int8) *C.int8_t { return (*C.int8_t)(unsafe.SliceData(rows)) }

// goError converts a message from USearch to an error, and nil to nil. The message is never freed.
func goError(message *C.char) error {
	if message == nil {
		return nil
	}
	return errors.New(C.GoString(message))
}
