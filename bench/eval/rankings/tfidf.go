package rankings

import (
	"maps"
	"math"
	"slices"

	"patina/bench/eval"
	"patina/store/text"
)

// A tfidf ranks texts by the cosine between TF-IDF vectors.
type tfidf struct {
	*eval.Lexicon
	norms []float64 // each text's vector length
}

// newTFIDF returns a tfidf over a lexicon, which must have the postings of all words.
func newTFIDF(x *eval.Lexicon) *tfidf {
	c := &tfidf{x, make([]float64, x.Texts())}
	for _, w := range slices.Sorted(maps.Keys(x.Postings)) { // the order changes a sum's last bits
		for _, p := range x.Postings[w] {
			weight := tfIDF(p.Count, len(x.Postings[w]), x.Texts())
			c.norms[p.Text] += weight * weight
		}
	}
	for i := range c.norms {
		c.norms[i] = math.Sqrt(c.norms[i])
	}
	return c
}

// cosine returns a score for every text: the cosine, up to a factor that depends on the question.
func (x *tfidf) cosine(query string) []float64 {
	scores := make([]float64, x.Texts())
	for _, w := range text.ParseQuestion(query).Terms {
		list := x.Postings[w]
		for _, p := range list {
			scores[p.Text] += tfIDF(1, len(list), x.Texts()) * tfIDF(p.Count, len(list), x.Texts()) / x.norms[p.Text]
		}
	}
	return scores
}

// tfIDF returns (1 + ln tf) · ln(1 + N/n).
func tfIDF(count, n, total int) float64 {
	return (1 + math.Log(float64(count))) * math.Log(1+float64(total)/float64(n))
}
