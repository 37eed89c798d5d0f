package vector

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkDots(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const dimension = 256
	rows := make([]int8, 1_000_000*dimension)
	for i := 0; i < len(rows); i += 8 {
		v := r.Uint64()
		for j := range 8 {
			rows[i+j] = int8(v >> (8 * j))
		}
	}
	q := rows[:dimension]
	for _, n := range []int{1000, 10_000, 100_000, 250_000, 1_000_000} {
		dst := make([]int32, n)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("rows=%d/%s", n, name), func(b *testing.B) {
				b.SetBytes(int64(n) * dimension)
				for b.Loop() {
					f()
				}
			})
		}
		run("one", func() { dots(dst, rows[:n*dimension], q) })
		run("two", func() { dotsParallel(dst, rows[:n*dimension], q, 2) })
		run("Dots", func() { Dots(dst, rows[:n*dimension], q) })
		run("go", func() { slowDots(dst, rows[:n*dimension], q) })
	}
}
