package embed

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// runParallel calls work on all cores, for spans of grain elements in [0, n), and returns when all
// are done. Spans must not depend on each other: then the result does not depend on the number of
// cores.
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

// rowGrain is the number of rows that a worker multiplies at once: whole tiles, and few enough that
// no core waits long for another.
const rowGrain = 48

// matmul writes into c (m × n) the products of a (m × depth) with b (depth × n).
func matmul(c []float32, a matrix, b []float32, m, n, depth int) {
	runParallel(m, rowGrain, func(from, to int) { multiplyRows(c[from*n:to*n], a, b, from, to-from, n, depth) })
}

// transpose writes a (rows × columns) into dst as columns × rows, tile by tile.
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
