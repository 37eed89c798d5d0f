package embed

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls work on all cores, for spans of grain elements in [0, n), and returns when all are
// done. Spans must not depend on each other: then the result does not depend on the number of
// cores.
func parallel(n, grain int, work func(from, to int)) {
	workers := min(runtime.GOMAXPROCS(0), (n+grain-1)/grain)
	var next atomic.Int64
	loop := func() {
		for {
			to := int(next.Add(int64(grain)))
			from := to - grain
			if from >= n {
				return
			}
			work(from, min(to, n))
		}
	}
	var group sync.WaitGroup
	for range workers - 1 {
		group.Go(loop)
	}
	loop()
	group.Wait()
}

const (
	rowGrain   = 64  // rows of a that a worker takes at once
	depthBlock = 512 // components multiplied at once
	otherBlock = 64  // rows of b kept in the second cache while rows of a pass: 128 KiB
)

// matmul writes into c (m × n) the inner products of the rows in a (m × depth) and b (n × depth).
func matmul(c, a, b []float32, m, n, depth int) {
	parallel(m, rowGrain, func(from, to int) {
		clear(c[from*n : to*n])
		for k := 0; k < depth; k += depthBlock {
			size := min(depthBlock, depth-k)
			for j := 0; j < n; j += otherBlock {
				for i := from; i < to; i += 2 {
					strip(c, a, b, n, depth, i, min(i+2, to), j, min(j+otherBlock, n), k, size)
				}
			}
		}
	})
}

// strip adds to c[i…iEnd, j…jEnd] the products over the components k…k+size. a has one or two rows
// there.
func strip(c, a, b []float32, n, depth, i, iEnd, j, jEnd, k, size int) {
	row := func(x []float32, r int) []float32 { return x[r*depth+k : r*depth+k+size] }
	if iEnd-i == 2 {
		a0, a1 := row(a, i), row(a, i+1)
		for ; j+2 <= jEnd; j += 2 {
			s00, s01, s10, s11 := inner2x2(a0, a1, row(b, j), row(b, j+1))
			at := i*n + j
			c[at] += s00
			c[at+1] += s01
			c[at+n] += s10
			c[at+n+1] += s11
		}
	}
	for ; j < jEnd; j++ {
		for r := i; r < iEnd; r++ {
			c[r*n+j] += inner(row(a, r), row(b, j))
		}
	}
}

// inner2x2 returns the four inner products of two rows with two others. Four sums, four factors and
// four products fit the registers. For larger tiles Go 1.26 keeps sums in memory, and is three
// times slower without fused multiply-add (4×2: 4.8 against 15 GFlop/s).
func inner2x2(a0, a1, b0, b1 []float32) (s00, s01, s10, s11 float32) {
	n := len(a0)
	a1, b0, b1 = a1[:n], b0[:n], b1[:n]
	for k, x0 := range a0 {
		x1, y0, y1 := a1[k], b0[k], b1[k]
		s00 += x0 * y0
		s01 += x0 * y1
		s10 += x1 * y0
		s11 += x1 * y1
	}
	return s00, s01, s10, s11
}

// inner returns the inner product of two rows.
func inner(a, b []float32) float32 {
	b = b[:len(a)]
	var sum float32
	for k, x := range a {
		sum += x * b[k]
	}
	return sum
}

// transpose writes a (rows × columns) into dst as columns × rows, tile by tile.
func transpose(dst, a []float32, rows, columns int) {
	const tile = 32
	parallel(columns, tile, func(from, to int) {
		for i := 0; i < rows; i += tile {
			end := min(i+tile, rows)
			for j := from; j < to; j++ {
				line := dst[j*rows : (j+1)*rows]
				for r := i; r < end; r++ {
					line[r] = a[r*columns+j]
				}
			}
		}
	})
}
