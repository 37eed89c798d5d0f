package text

import "math"

// K1 is BM25's saturation. B and TextB set how much length counts: B for path and names (the usual
// value), TextB for comments and body. The lower TextB was better on every set
// (bench/history/ranking.md, "p-norm").
const (
	K1    = 1.2
	B     = 0.75
	TextB = 0.5
)

// Weights are the weights of one occurrence, by field. Flat weights were within 0.001 NDCG@10.
var Weights = [NumFields]float64{5, 3, 1, 1}

// Averages are the field lengths, in words, that BM25F takes as average. Path and Names are
// averages over the chunks that have any. Text is the length of comments and body together: because
// most chunks have no comment, an average of comments alone would make every comment count as far
// too long. The averages must be the same in all segments that a question reads, because impacts
// made with different averages are not comparable.
type Averages struct{ Path, Names, Text float64 }

// CodeAverages are the averages of code: rounded means of five repositories
// (bench/history/updates.md).
var CodeAverages = Averages{Path: 4.7, Names: 6, Text: 96}

const noAverage = 1e-9 // a lower average means: no chunk has this field

// lengthNorm returns the divisor for occurrences. It is 1 at the average length, and 1 if there is
// no average.
func lengthNorm(length, average, b float64) float64 {
	if average <= noAverage {
		return 1
	}
	return 1 - b + b*length/average
}

// fieldWeights returns how much one occurrence in each field adds to tf', given the field lengths.
func (a *Averages) fieldWeights(lengths *[NumFields]uint16) (w [NumFields]float32) {
	inText := lengthNorm(float64(lengths[2])+float64(lengths[3]), a.Text, TextB)
	for f, norm := range [NumFields]float64{
		lengthNorm(float64(lengths[0]), a.Path, B), lengthNorm(float64(lengths[1]), a.Names, B), inText, inText,
	} {
		w[f] = float32(Weights[f] / norm)
	}
	return w
}

// impactOf returns tf'/(tf'+K1) in 255ths, at least 1. That is a posting's score without its word's
// IDF. The conversions forbid fused multiply-add, because every machine must round alike.
func impactOf(tf *[NumFields]uint8, weights *[NumFields]float32) uint8 {
	var sum float32
	for f := range tf {
		sum += float32(float32(tf[f]) * weights[f])
	}
	return uint8(max(1, float32(255*sum)/(sum+K1)+0.5))
}

// IDF returns the weight of a word in n out of total chunks: ln(1 + (total-n+½)/(n+½)). It is
// always positive, and greatest at n = 0.
func IDF(n, total int) float64 {
	n = max(n, 0)
	total = max(total, n)
	return math.Log1p((float64(total-n) + 0.5) / (float64(n) + 0.5))
}
