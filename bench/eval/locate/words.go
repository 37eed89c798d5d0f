package locate

import (
	"math"

	"patina/store/text"
)

// The usual constants of BM25 (Robertson and Zaragoza 2009).
const (
	k1          = 1.2
	lengthShare = 0.75
)

// A lexicon is the words of a number of texts: identifiers split, stems, no fields.
type lexicon struct {
	postings map[string][]posting
	words    []int     // of each text
	norms    []float64 // of each text: the length of its TF-IDF vector
}

type posting struct {
	text  int
	count int
}

func newLexicon(texts []string) *lexicon {
	x := &lexicon{postings: map[string][]posting{}, words: make([]int, len(texts)), norms: make([]float64, len(texts))}
	spelt := map[string][]string{} // a run is stemmed once
	for i, t := range texts {
		counts := map[string]int{}
		text.Runs(t, func(run string) {
			ws, ok := spelt[run]
			if !ok {
				text.Words(run, func(w string) { ws = append(ws, w) })
				spelt[run] = ws
			}
			for _, w := range ws {
				counts[w]++
			}
			x.words[i] += len(ws)
		})
		for w, n := range counts {
			x.postings[w] = append(x.postings[w], posting{i, n})
		}
	}
	for _, list := range x.postings {
		for _, p := range list {
			weight := tfIDF(p.count, len(list), len(texts))
			x.norms[p.text] += weight * weight
		}
	}
	for i := range x.norms {
		x.norms[i] = math.Sqrt(x.norms[i])
	}
	return x
}

// bm25 scores every text.
func (x *lexicon) bm25(query string) []float64 {
	scores, total := make([]float64, len(x.words)), 0
	for _, n := range x.words {
		total += n
	}
	average := float64(total) / float64(max(1, len(x.words)))
	for _, w := range text.ParseQuestion(query).Terms {
		list := x.postings[w]
		idf := text.IDF(len(list), len(x.words))
		for _, p := range list {
			tf, length := float64(p.count), float64(x.words[p.text])/average
			scores[p.text] += idf * tf * (k1 + 1) / (tf + k1*(1-lengthShare+lengthShare*length))
		}
	}
	return scores
}

// cosine scores every text by the cosine of TF-IDF vectors, up to a factor that is the question's.
func (x *lexicon) cosine(query string) []float64 {
	scores := make([]float64, len(x.words))
	for _, w := range text.ParseQuestion(query).Terms {
		list := x.postings[w]
		if len(list) == 0 {
			continue
		}
		weight := tfIDF(1, len(list), len(x.words))
		for _, p := range list {
			scores[p.text] += weight * tfIDF(p.count, len(list), len(x.words)) / x.norms[p.text]
		}
	}
	return scores
}

// tfIDF is (1 + ln tf) · ln(1 + N/n).
func tfIDF(count, n, total int) float64 {
	return (1 + math.Log(float64(count))) * math.Log(1+float64(total)/float64(n))
}
