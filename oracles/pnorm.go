package oracles

import "math"

// normChunks is how many of a file's best chunks make its score. Without a bound, the many chunks
// of a large file that hold one common word each outweigh the one chunk elsewhere that holds them
// all (bench/RESULTS.md, "p-norm").
const normChunks = 16

// The p of the p-norm (docs/ranking.md, "BM25F and the p-norm"). 3 lies on a plateau for questions,
// 5 for long texts: one chunk with many of the words says more than many chunks with a few.
const (
	shortNorm = 3
	longNorm  = 5
)

// pnorm makes the score of a file from its best chunks: (Σ sᵖ) to the power 1/p. A result below
// floor may be too high: nobody looks at it.
func pnorm(scores []float32, p int, floor float64) float64 {
	sum, n := 0.0, 0
	for _, s := range scores {
		if s > 0 {
			sum += power(float64(s), p)
			n++
		}
	}
	if n <= normChunks || sum < power(floor, p) {
		return root(sum, p)
	}
	var top [normChunks]float32 // ascending; the least makes room
	for _, s := range scores {
		if s <= top[0] {
			continue
		}
		i := 1
		for ; i < normChunks && top[i] < s; i++ {
			top[i-1] = top[i]
		}
		top[i-1] = s
	}
	sum = 0
	for _, s := range top {
		sum += power(float64(s), p)
	}
	return root(sum, p)
}

// power is x to one of the two p's.
func power(x float64, p int) float64 {
	cube := x * x * x
	if p == longNorm {
		return cube * x * x
	}
	return cube
}

// root undoes power.
func root(x float64, p int) float64 {
	if p == longNorm {
		return math.Pow(x, 1.0/longNorm)
	}
	return math.Cbrt(x)
}
