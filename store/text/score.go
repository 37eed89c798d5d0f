package text

import "math"

// K1 and B are BM25's saturation and length normalisation: the usual values, which ranking was measured with.
const (
	K1 = 1.2
	B  = 0.75
)

// Weights says how much an occurrence in each field counts. Ranking was measured with these; flat ones were within 0.001
// NDCG@10 of them.
var Weights = [NumFields]float64{5, 3, 1, 1}

// Averages are the average lengths of the fields, in words. A store freezes those of its first segment: impacts of
// segments that were made with different averages cannot be compared.
type Averages [NumFields]float64

const noAverage = 1e-9 // an average below this is of a field that nothing had

// fieldWeights returns what one occurrence in each field adds to tf', for a chunk with fields of these lengths.
// A field without an average counts as if every chunk had the average length.
func (a *Averages) fieldWeights(lengths *[NumFields]uint16) (w [NumFields]float32) {
	for f, avg := range a {
		norm := 1.0
		if avg > noAverage {
			norm = 1 - B + B*float64(lengths[f])/avg
		}
		w[f] = float32(Weights[f] / norm)
	}
	return w
}

// impact returns tf'/(tf'+K1) in 255ths, at least 1: all of a posting's score but its word's idf.
// The conversions forbid fused multiply-add, so that every machine rounds alike.
func impact(tf *[NumFields]uint8, weights *[NumFields]float32) uint8 {
	var sum float32
	for f := range tf {
		sum += float32(float32(tf[f]) * weights[f])
	}
	return uint8(max(1, float32(255*sum)/(sum+K1)+0.5))
}

// IDF returns the weight of a word that n of total chunks hold: ln(1 + (total-n+½)/(n+½)). It is positive, and greatest
// for a word that occurs nowhere.
func IDF(n, total int) float64 {
	n = max(n, 0)
	total = max(total, n)
	return math.Log1p((float64(total-n) + 0.5) / (float64(n) + 0.5))
}
