package vector

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"sync/atomic"
)

// Sum returns a checksum of n rows, starting with row first. Any changed bit changes it, and so
// does another order of rows. The caller must hold the file. The error wraps ErrDamaged if the file
// was cut meanwhile.
//
// It is a Fletcher checksum over 64-bit words in eight lanes, because that is fast: beside the
// products, 36 MB cost 0.5 to 1.7 ms on one processor, with AVX-512 and without. A CRC-32C costs
// 4.5 ms.
func (f *File) Sum(first, n int64) (uint64, error) {
	return f.sumRows(first, int(n), func(from, to int, rows []int8, sum *lanes) { sum.addRows(rows) })
}

// DotsSum computes Dots over len(dst) rows, starting with row first, and their Sum. It reads the
// memory once for both. The caller must hold the file. The error is as for Sum. It panics if q is
// not as long as a row.
func (f *File) DotsSum(dst []int32, first int64, q []int8) (uint64, error) {
	if len(q) != f.header.Dimension {
		panic(fmt.Sprintf("vector: a question of %d bytes for rows of %d", len(q), f.header.Dimension))
	}
	return f.sumRows(first, len(dst), func(from, to int, rows []int8, sum *lanes) { sum.dots(dst[from:to], rows, q) })
}

// sumRows calls add with each block of n rows, starting with row first, and joins the sums of the
// blocks. If there are many rows, it calls add from several goroutines.
func (f *File) sumRows(first int64, n int, add func(from, to int, rows []int8, sum *lanes)) (uint64, error) {
	all, dim := f.Slice(first, int64(n)), f.header.Dimension
	sums := make([]lanes, (n+blockRows-1)/blockRows)
	var failed atomic.Pointer[error]
	inBlocks(n, workersFor(n), func(from, to int) {
		rows := all[from*dim : to*dim]
		if err := f.checkWhole(f.begin + (first+int64(to))*int64(dim)); err != nil { // a fault ends C
			failed.Store(&err)
			return
		}
		add(from, to, rows, &sums[from/blockRows])
	})
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return foldSums(sums, blockRows*dim, n*dim), nil
}

// guarded runs read. If read touches a page that is gone, guarded returns an error that wraps
// ErrDamaged.
func (m *mapping) guarded(read func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			err = fmt.Errorf("read %q: %w: it was cut", m.file.Name(), ErrDamaged)
		default:
			panic(p)
		}
	}()
	read()
	return nil
}

// foldSums joins the sums of blocks. All blocks must be equally long, except the last. If n words
// follow in a lane, the sum of sums rises by n times the plain sum.
func foldSums(sums []lanes, block, all int) uint64 {
	const half = len(lanes{}) / 2
	var out lanes
	for i, s := range sums {
		words := uint64(min(block, all-i*block) / (8 * half))
		for l := range half {
			out[half+l] += s[half+l] + words*out[l]
			out[l] += s[l]
		}
	}
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, out[:])
	return h.Sum64()
}
