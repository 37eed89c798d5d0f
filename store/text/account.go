package text

import (
	"math"
	"strings"
)

const (
	// plainLength is the length in words at which a short text stands neither long nor short: two
	// sentences. It is fixed, so that a text's share does not depend on how many others there are.
	plainLength = 16
	// plainTerms is the number of terms above which further ones raise the attainable more slowly
	// (docs/ranking.md, "One list of all kinds").
	plainTerms = 8
)

// Account returns the part of a question that a short text outside of any index accounts for, 0 to
// 1, given its stems separated by spaces. It is BM25 as a share of the attainable: an occurrence of
// every term in two sentences is 0.45. Only the weights of the terms come from elsewhere.
func Account(stems string, terms []string, weight func(i int) float64) float64 {
	if len(terms) == 0 {
		return 0
	}
	counts := make(map[string]int, len(terms))
	for _, t := range terms {
		counts[t] = 0
	}
	words := 0
	for stem := range strings.SplitSeq(stems, " ") {
		if stem == "" {
			continue
		}
		words++
		if n, ok := counts[stem]; ok {
			counts[stem] = n + 1
		}
	}
	norm := K1 * lengthNorm(float64(words), plainLength, B)
	sum, mass := 0.0, 0.0
	for i, t := range terms {
		w := weight(i)
		mass += w
		if n := float64(counts[t]); n > 0 {
			sum += w * n / (n + norm)
		}
	}
	if mass *= math.Min(1, math.Sqrt(plainTerms/float64(len(terms)))); mass <= 0 {
		return 0
	}
	return math.Min(1, sum/mass)
}
