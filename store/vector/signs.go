package vector

/*
#include "signs.h"
*/
import "C"

import (
	"fmt"
	"math"
	"sync"
	"unsafe"
)

// Far stands for the product of a row that Near left out.
const Far = math.MinInt32

// MaxSigned is the largest dimension that signs are counted of.
const MaxSigned = C.patina_most_signed

// nearRows is how many rows Near compares at least. Of 60 questions on 128,000 rows, it finds 0.99
// of the hundred nearest files among 8,192 rows (bench/history/speed.md, "Signs").
const nearRows = 8192

// Signs hold one bit a component of many rows: its sign. Rows that are near each other differ in
// few of them, and counting is faster by far than multiplying (Charikar, "Similarity estimation
// techniques from rounding algorithms", 2002).
type Signs struct {
	words     []uint64
	dimension int
}

// SignsOf reads the signs of rows.
func SignsOf(rows []int8, dimension int) *Signs {
	s := &Signs{make([]uint64, len(rows)/64), dimension}
	if len(rows) > 0 {
		C.patina_signs(bytesOf(rows), C.size_t(len(rows)/dimension), C.size_t(dimension), (*C.uint64_t)(unsafe.SliceData(s.words)))
	}
	return s
}

var aparts = sync.Pool{New: func() any { return new([]uint16) }}

// Near is Dots for the rows with the most signs of q, at least 8,192 of them; for all others it
// writes Far. rows are those of the signs.
func (s *Signs) Near(dst []int32, rows, q []int8) {
	if len(q) != s.dimension || len(rows) != len(dst)*len(q) || len(s.words) != len(rows)/64 {
		panic(fmt.Sprintf("vector: %d words of signs for %d bytes of %d rows of %d", len(s.words), len(rows), len(dst), len(q)))
	}
	if len(dst) == 0 {
		return
	}
	apart := aparts.Get().(*[]uint16)
	defer aparts.Put(apart)
	if len(*apart) < len(dst) {
		*apart = make([]uint16, len(dst))
	}
	C.patina_near(kernel(), bytesOf(rows), (*C.uint64_t)(unsafe.SliceData(s.words)), C.size_t(len(dst)), bytesOf(q), C.size_t(len(q)),
		nearRows, (*C.uint16_t)(unsafe.SliceData(*apart)), (*C.int32_t)(unsafe.SliceData(dst)))
}
