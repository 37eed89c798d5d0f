package vector

import (
	"fmt"
	"hash/crc32"
	"runtime/debug"
	"sync/atomic"
)

// sumRows is how many rows are summed up before they are multiplied: they are then in the processor's cache.
const sumRows = 512

// Sum is the CRC-32C of n rows from row first on. The caller holds the file. The error wraps ErrDamaged if the file was cut
// meanwhile.
func (f *File) Sum(first, n int64) (sum uint32, err error) {
	rows := f.bytes(first, n)
	err = f.guarded(func() { sum = crc32.Checksum(rows, castagnoli) })
	return sum, err
}

// DotsSum is Dots over the rows from row first on, one for each product of dst, and Sum of them: the memory is read once for both.
// The caller holds the file.
func (f *File) DotsSum(dst []int32, first int64, q []int8) (uint32, error) {
	b, rows := f.bytes(first, int64(len(dst))), f.Slice(first, int64(len(dst)))
	if len(rows) != len(dst)*len(q) {
		panic(fmt.Sprintf("vector: %d bytes are not %d rows of %d", len(rows), len(dst), len(q)))
	}
	sums := make([]uint32, (len(dst)+blockRows-1)/blockRows)
	var failed atomic.Pointer[error]
	inBlocks(len(dst), workersFor(len(dst)), func(from, to int) {
		err := f.guarded(func() {
			sum := uint32(0)
			for at := from; at < to; at += sumRows {
				end := min(at+sumRows, to)
				sum = crc32.Update(sum, castagnoli, b[at*len(q):end*len(q)])
				dots(dst[at:end], rows[at*len(q):end*len(q)], q)
			}
			sums[from/blockRows] = sum
		})
		if err != nil {
			failed.Store(&err)
		}
	})
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return joined(sums, blockRows*len(q), len(b)), nil
}

// guarded runs f, and makes an error of a page that is not there any more. It sees what Go reads: C is called for rows that were summed up,
// and so were there, a moment before.
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

// joined is the CRC-32C of bytes whose blocks, but for the last all of the same length, have these.
func joined(sums []uint32, block, all int) uint32 {
	if len(sums) == 0 {
		return 0
	}
	out, shift := sums[0], shiftBy(block)
	for i, s := range sums[1:] {
		if i == len(sums)-2 {
			shift = shiftBy(all - block*(len(sums)-1))
		}
		out = times(shift, out) ^ s
	}
	return out
}

// Sums are polynomials over GF(2), reflected: the highest bit is the coefficient of x⁰.
const one = 1 << 31

// times multiplies two polynomials modulo the one of CRC-32C.
func times(a, b uint32) (product uint32) {
	for ; a != 0; a <<= 1 {
		if a&one != 0 {
			product ^= b
		}
		b = b>>1 ^ crc32.Castagnoli&-(b&1)
	}
	return product
}

// shiftBy is what the sum of what stands before so many bytes is multiplied with: x to the power of their bits.
func shiftBy(bytes int) uint32 {
	power := uint32(one)
	for square := uint32(one >> 8); bytes > 0; bytes >>= 1 {
		if bytes&1 != 0 {
			power = times(square, power)
		}
		square = times(square, square)
	}
	return power
}
