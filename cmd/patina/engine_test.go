package main

import (
	"math"
	"runtime/debug"
	"testing"
	"time"

	"patina/cmd/internal/cli"
)

// With far more than cli.EnoughHeap in use, a command must collect garbage as usual, and not run at
// its limit.
func TestGarbageIsCollectedInTheEnd(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	limit := int64(math.MaxInt64) // tests before this one may have put collection off
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	cli.CollectLate()
	if debug.SetGCPercent(-1) != -1 || debug.SetMemoryLimit(-1) != cli.EnoughHeap {
		t.Error("garbage collection is not put off")
	}
	var alive [][]byte
	for debug.SetMemoryLimit(-1) != limit { // bounded by the timeout of go test
		if len(alive) < 300 {
			alive = append(alive, make([]byte, 1<<20))
		}
		time.Sleep(time.Millisecond)
	}
	if got := debug.SetGCPercent(100); got != 100 {
		t.Errorf("GOGC is %d with %d MB alive", got, len(alive))
	}
}
