package oracles

import "math"

// normChunks bounds the chunks in a file's score: the best ones. Without a bound, a large file with
// one common word in many chunks outweighs a chunk with all words
// (bench/history/ranking.md, "p-norm").
const normChunks = 16

// The p in the p-norm (docs/ranking.md, "BM25F and the p-norm"). 3 lies on a plateau for questions,
// 5 for long texts. There one chunk with many words says more than many chunks with a few.
const (
	shortNorm = 3
	longNorm  = 5
)

// others is how much counts of what the other chunks add to the best one. A file with a common word
// in many places then stays behind a file with a place that answers (docs/ranking.md, "BM25F and
// the p-norm").
const others = 0.8

// aHair keeps a bound on the safe side of rounding.
const aHair = 1e-9

// fileScore returns a file's score: its best chunk and a share of what the p-norm adds to it. It
// returns 0 for one below floor. best is the greatest of the scores, which are not negative.
func fileScore(scores []float32, best float64, p int, floor float64) float64 {
	sum := sumPowers(scores, p)
	if floor > best && sum < raisePower((best+(floor-best)/others)*(1-aHair), p) {
		return 0
	}
	return best + others*(rootOfBest(scores, sum, p)-best)
}

// mostOf is the greatest p-norm of n scores as a multiple of the best one: n^(1/p). The last one
// holds for more.
var mostOf = func() (most [longNorm + 1][normChunks + 1]float64) {
	for _, p := range [...]int{shortNorm, longNorm} {
		for n := range most[p] {
			most[p][n] = takeRoot(float64(n), p) * (1 + aHair)
		}
	}
	return most
}()

// mostScore returns what fileScore is at most, where best is the greatest of n scores.
func mostScore(best float64, n, p int) float64 {
	return best + others*best*(mostOf[p][min(n, normChunks)]-1)
}

// joinPNorm joins the scores of a file's best chunks: (Σ sᵖ)^(1/p).
func joinPNorm(scores []float32, p int) float64 { return rootOfBest(scores, sumPowers(scores, p), p) }

// sumPowers returns Σ sᵖ over all scores.
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

// rootOfBest is pnorm, given the sum over all scores.
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
	var top [normChunks]float32 // ascending: the least makes room
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

// raisePower returns xᵖ.
func raisePower(x float64, p int) float64 {
	cube := x * x * x
	if p == longNorm {
		return cube * x * x
	}
	return cube
}

// takeRoot undoes power.
func takeRoot(x float64, p int) float64 {
	if p == longNorm {
		return math.Pow(x, 1.0/longNorm)
	}
	return math.Cbrt(x)
}
