package text

import (
	"math"
	"strings"
)

const (
	// plainLength is the length, in words, at which a text counts as neither long nor short: two
	// sentences. It is fixed because a text's share must not depend on how many other texts there
	// are.
	plainLength = 16
	// LongQuestion is the number of terms above which further ones raise the attainable score more
	// slowly (docs/ranking.md, "One list of all kinds").
	LongQuestion = 8
)

// Account returns the part of a question, from 0 to 1, that a short text outside of any index
// accounts for. stems are the text's stems, separated by spaces; terms must be distinct; weight
// returns the weight of terms[i] and must not be nil. Without terms, or if no term has a weight,
// the result is 0.
//
// It is BM25 as a share of the attainable score: one occurrence of every term in two sentences is
// 0.45.
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
	if mass *= math.Min(1, math.Sqrt(LongQuestion/float64(len(terms)))); mass <= 0 {
		return 0
	}
	return math.Min(1, sum/mass)
}
