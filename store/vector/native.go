package vector

/*
#cgo CFLAGS: -O3 -I${SRCDIR}/../../third_party/build/include -DSIMSIMD_DYNAMIC_DISPATCH=1 -DSIMSIMD_NATIVE_F16=0 -DSIMSIMD_NATIVE_BF16=0
#cgo LDFLAGS: ${SRCDIR}/../../third_party/build/libusearch_c.a
#cgo linux LDFLAGS: -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic -lm -lpthread
#cgo darwin LDFLAGS: -lc++
#include "dots.h"
#include "usearch.h"
*/
import "C"

import (
	"sync"
	"unsafe"
)

// usearchVersion is the version in third_party/package.json. The Go command does not see when the library changes, but it sees
// this, so the two change together; a test holds them equal.
const usearchVersion = "2.21.4"

// kernel is SimSIMD's product of two int8 rows for this processor.
var kernel = sync.OnceValue(func() C.patina_dot { return C.patina_kernel() })

// dots is Dots on one processor, of at least one row.
func dots(dst []int32, rows, q []int8) {
	C.patina_dots(kernel(), (*C.int8_t)(unsafe.SliceData(rows)), C.size_t(len(dst)),
		(*C.int8_t)(unsafe.SliceData(q)), C.size_t(len(q)), (*C.int32_t)(unsafe.SliceData(dst)))
}
