package embed

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// runParallel calls work on all cores, for spans of grain elements in [0, n), and returns when all
// calls are done. The spans must not depend on each other, because their order is undefined.
func runParallel(n, grain int, work func(from, to int)) {
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

// rowGrain is the number of rows that a worker multiplies at once. It is a number of whole tiles,
// and small, so that no core waits long for another.
const rowGrain = 48

// matmul writes the products of a (m × depth) and b (depth × n) into c (m × n).
func matmul(c []float32, a matrix, b []float32, m, n, depth int) {
	runParallel(m, rowGrain, func(from, to int) { multiplyRows(c[from*n:to*n], a, b, from, to-from, n, depth) })
}

// transpose writes a (rows × columns) into dst (columns × rows), tile by tile.
func transpose(dst, a []float32, rows, columns int) {
	const tile = 32
	runParallel(columns, tile, func(from, to int) {
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
