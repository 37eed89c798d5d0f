package oracles

import "math"

// normChunks is the number of best chunks that count in a file's score. Without a bound, a large
// file with one common word in many chunks would outweigh a chunk with all words
// (bench/history/ranking.md, "p-norm").
const normChunks = 16

// The p of the p-norm (docs/ranking.md, "BM25F and the p-norm"). 3 is on a plateau for questions,
// and 5 for long texts, because there one chunk with many words says more than many chunks with a
// few.
const (
	shortNorm = 3
	longNorm  = 5
)

// restWeight is the weight of the amount that the other chunks add to the best one. Because it is
// below 1, a file with a common word in many places stays behind a file with one place that answers
// (docs/ranking.md, "BM25F and the p-norm").
const restWeight = 0.8

// roundingSlack keeps a bound on the safe side of rounding.
const roundingSlack = 1e-9

// fileScore returns a file's score: its best chunk plus a share of the amount that the p-norm adds
// to it. It may return 0 for a score below floor. best must be the greatest of the scores, which
// must not be negative.
func fileScore(scores []float32, best float64, p int, floor float64) float64 {
	sum := sumPowers(scores, p)
	if floor > best && sum < raisePower((best+(floor-best)/restWeight)*(1-roundingSlack), p) {
		return 0
	}
	return best + restWeight*(rootOfBest(scores, sum, p)-best)
}

// mostOf[p][n] is the highest p-norm of n scores as a multiple of the best one: n^(1/p). The last n
// is also for more scores.
var mostOf = func() (most [longNorm + 1][normChunks + 1]float64) {
	for _, p := range [...]int{shortNorm, longNorm} {
		for n := range most[p] {
			most[p][n] = takeRoot(float64(n), p) * (1 + roundingSlack)
		}
	}
	return most
}()

// mostScore returns an upper bound of fileScore for n scores of which best is the greatest.
func mostScore(best float64, n, p int) float64 {
	return best + restWeight*best*(mostOf[p][min(n, normChunks)]-1)
}

// joinPNorm returns the p-norm of the scores of a file's best chunks: (Σ sᵖ)^(1/p).
func joinPNorm(scores []float32, p int) float64 { return rootOfBest(scores, sumPowers(scores, p), p) }

// sumPowers returns Σ sᵖ over all scores. p must be shortNorm or longNorm.
func sumPowers(scores []float32, p int) (sum float64) {
	if p == longNorm {
		for _, s := range scores {
			sum += raisePower(float64(s), longNorm)
		}
		return sum
	}
	for _, s := range scores {
		sum += raisePower(float64(s), shortNorm)
	}
	return sum
}

// rootOfBest is joinPNorm, given the sum over all scores.
func rootOfBest(scores []float32, sum float64, p int) float64 {
	if len(scores) <= normChunks {
		return takeRoot(sum, p)
	}
	n := 0
	for _, s := range scores {
		if s > 0 {
			n++
		}
	}
	if n <= normChunks {
		return takeRoot(sum, p)
	}
	var top [normChunks]float32 // ascending, so that the lowest is replaced
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
		sum += raisePower(float64(s), p)
	}
	return takeRoot(sum, p)
}

// raisePower returns xᵖ for p = shortNorm or longNorm.
func raisePower(x float64, p int) float64 {
	cube := x * x * x
	if p == longNorm {
		return cube * x * x
	}
	return cube
}

// takeRoot returns the p-th root of x. It inverts raisePower.
func takeRoot(x float64, p int) float64 {
	if p == longNorm {
		return math.Pow(x, 1.0/longNorm)
	}
	return math.Cbrt(x)
}
