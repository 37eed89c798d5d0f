package vector

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	// parallelRows is the number of rows above which a second processor pays.
	parallelRows = 50_000
	// blockRows is the number of rows that a goroutine scans at once. They take about 0.1 ms, so
	// that a busy processor delays nobody.
	blockRows = 8192
)

// Dots writes the integer product of q and each row: dst[i] = rows[i]·q. Rows must have len(q)
// bytes, a multiple of 64, and there must be len(dst) of them; otherwise Dots panics. It uses the
// best kernel for this processor, and several processors above parallelRows rows.
func Dots(dst []int32, rows, q []int8) {
	if len(rows) != len(dst)*len(q) || len(q)%64 != 0 {
		panic(fmt.Sprintf("vector: %d bytes are not %d rows of %d", len(rows), len(dst), len(q)))
	}
	switch workers := workersFor(len(dst)); {
	case len(dst) == 0:
	case workers == 1:
		dotProducts(dst, rows, q)
	default:
		dotsParallel(dst, rows, q, workers)
	}
}

func workersFor(rows int) int {
	if rows <= parallelRows {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), rows/(parallelRows/2))
}

func dotsParallel(dst []int32, rows, q []int8, workers int) {
	inBlocks(len(dst), workers, func(from, to int) { dotProducts(dst[from:to], rows[from*len(q):to*len(q)], q) })
}

// inBlocks calls scan once for each block, from as many goroutines as there are workers. It returns
// when all calls have.
func inBlocks(rows, workers int, scan func(from, to int)) {
	var next atomic.Int64
	work := func() {
		for {
			from := int(next.Add(blockRows)) - blockRows
			if from >= rows {
				return
			}
			scan(from, min(from+blockRows, rows))
		}
	}
	var others sync.WaitGroup
	for range workers - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// Scale multiplies the components of a unit vector before they become bytes. It must equal the
// store's VectorScale, which gives the reason.
const Scale = 384

// Quantise writes x as bytes: dst[i] = round(Scale · x[i]), clipped to ±127. NaN becomes 0. dst
// must be at least as long as x.
func Quantise(dst []int8, x []float32) {
	for i, v := range x {
		scaled := math.Round(float64(v) * Scale)
		switch {
		case scaled > 127:
			scaled = 127
		case scaled < -127:
			scaled = -127
		case scaled != scaled:
			scaled = 0
		}
		dst[i] = int8(scaled)
	}
}
