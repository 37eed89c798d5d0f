package vector

/*
#include "signs.h"
*/
import "C"

import (
	"fmt"
	"slices"
	"unsafe"
)

// MaxSigned is the largest dimension whose signs can be compared.
const MaxSigned = C.patina_most_signed

// NearRows is the greatest number of rows that Near multiplies. For 260 questions on 128,000 rows,
// 0.98 to 0.99 of the hundred nearest files are among 3,072 rows (bench/history/speed.md,
// "Meaning").
const NearRows = 3072

// Signs hold the signs of many rows, one bit for each component. They are useful because rows near
// a question have the signs of its greatest components, and looking signs up is far faster than
// multiplying (Charikar, "Similarity estimation techniques from rounding algorithms", 2002; for
// look-ups, André, Kermarrec and Le Scouarnec, "Cache locality is not enough", 2015). Signs may be
// used concurrently.
type Signs struct {
	signs     []uint8 // in blocks
	rows      int
	dimension int
}

// SignsOf reads the signs of rows. It panics unless dimension is a multiple of 64 up to MaxSigned
// and rows are whole.
func SignsOf(rows []int8, dimension int) *Signs {
	if dimension <= 0 || dimension > MaxSigned || dimension%64 != 0 || len(rows)%dimension != 0 {
		panic(fmt.Sprintf("vector: signs of %d bytes in rows of %d", len(rows), dimension))
	}
	s := &Signs{rows: len(rows) / dimension, dimension: dimension}
	s.signs = make([]uint8, s.padded()*dimension/8)
	if s.rows > 0 {
		C.patina_signs(bytesOf(rows), C.size_t(s.rows), C.size_t(dimension), s.c())
	}
	return s
}

// padded returns the number of rows, rounded up to whole blocks.
func (s *Signs) padded() int {
	return (s.rows + C.patina_signs_block - 1) / C.patina_signs_block * C.patina_signs_block
}

func (s *Signs) c() *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(s.signs)) }

// A Found holds the rows that are near a question, ascending, and their products with it. It may be
// reused for another search. The zero value is ready to use.
type Found struct {
	Rows, Dots []int32

	apart []uint16
}

// Near finds the rows whose signs agree best with q, weighted by q's components, at most NearRows
// of them. The choice does not depend on the processor. rows must be the rows that the signs were
// read from. found must not be nil, and its earlier content is overwritten.
func (s *Signs) Near(found *Found, rows, q []int8) { s.findNear(bestLevel(), found, rows, q) }

func (s *Signs) findNear(level int, found *Found, rows, q []int8) {
	if len(q) != s.dimension || len(rows) != s.rows*len(q) {
		panic(fmt.Sprintf("vector: signs of %d rows of %d for %d bytes and a question of %d", s.rows, s.dimension,
			len(rows), len(q)))
	}
	const room = NearRows + 1
	found.Rows, found.Dots = slices.Grow(found.Rows[:0], room)[:room], slices.Grow(found.Dots[:0], room)[:room]
	found.apart = slices.Grow(found.apart[:0], s.padded())[:s.padded()]
	n := 0
	if s.rows > 0 {
		n = int(C.patina_near(C.int(level), kernel(), bytesOf(rows), s.c(), C.size_t(s.rows), bytesOf(q),
			C.size_t(len(q)), NearRows,
			(*C.uint16_t)(unsafe.SliceData(found.apart)), (*C.int32_t)(unsafe.SliceData(found.Rows)),
			(*C.int32_t)(unsafe.SliceData(found.Dots))))
	}
	found.Rows, found.Dots = found.Rows[:n], found.Dots[:n]
}
