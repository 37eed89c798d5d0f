package eval

import (
	"maps"
	"math"
	"slices"

	"patina/store/text"
)

// A tfidf ranks texts by cosine between TF-IDF vectors.
type tfidf struct {
	*lexicon
	norms []float64 // each text's vector length
}

// newTFIDF needs a lexicon with all words.
func newTFIDF(x *lexicon) *tfidf {
	c := &tfidf{x, make([]float64, len(x.words))}
	for _, w := range slices.Sorted(maps.Keys(x.postings)) { // the order changes a sum's last bits
		for _, p := range x.postings[w] {
			weight := tfIDF(p.count, len(x.postings[w]), len(x.words))
			c.norms[p.text] += weight * weight
		}
	}
	for i := range c.norms {
		c.norms[i] = math.Sqrt(c.norms[i])
	}
	return c
}

// cosine scores every text, up to a factor per question.
func (x *tfidf) cosine(query string) []float64 {
	scores := make([]float64, len(x.words))
	for _, w := range text.ParseQuestion(query).Terms {
		list := x.postings[w]
		for _, p := range list {
			scores[p.text] += tfIDF(1, len(list), len(x.words)) * tfIDF(p.count, len(list), len(x.words)) / x.norms[p.text]
		}
	}
	return scores
}

// tfIDF is (1 + ln tf) · ln(1 + N/n).
func tfIDF(count, n, total int) float64 {
	return (1 + math.Log(float64(count))) * math.Log(1+float64(total)/float64(n))
}
