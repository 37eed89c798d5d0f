package eval

import (
	"cmp"
	"context"
	"slices"

	"patina/store"
	"patina/store/lookup"
	"patina/store/text"
)

// The usual constants of BM25 (Robertson and Zaragoza 2009).
const (
	k1          = 1.2  // how soon more of a word counts for nothing
	lengthShare = 0.75 // b: how much of a chunk's length counts against it
)

// A bm25 is the plainest ranking worth comparing with: one text a chunk, best chunk a document, and no rule at all. It has
// the words of the index, so that what lies between it and the engine is fields, evidence and fusion.
//
// It keeps postings of the questions' words only: a set is known before the texts are read.
type bm25 struct {
	documents []lookup.ChunkText // without text
	chunks    []chunk
	postings  map[string][]posting // by word
	average   float64              // words a chunk
}

type chunk struct {
	document int
	words    int
}

type posting struct {
	chunk int
	count int
}

// newBM25 reads a corpus for a set of questions. Without kinds it takes all.
func newBM25(ctx context.Context, c Corpus, qs []Question, kinds []store.Kind) (*bm25, error) {
	x := &bm25{postings: map[string][]posting{}}
	for _, q := range qs {
		for _, t := range text.ParseQuestion(q.Query).Terms {
			x.postings[t] = nil
		}
	}
	byID, words := map[string]int{}, 0
	err := c.Chunks(ctx, func(t lookup.ChunkText) error {
		if len(kinds) > 0 && !slices.Contains(kinds, t.Kind) {
			return nil
		}
		at, ok := byID[t.DocID]
		if !ok {
			at = len(x.documents)
			byID[t.DocID] = at
			x.documents = append(x.documents, lookup.ChunkText{DocID: t.DocID, Path: t.Path})
		}
		words += x.add(at, t.Text)
		return nil
	})
	x.average = float64(words) / float64(max(1, len(x.chunks)))
	return x, err
}

// add takes one chunk and returns how many words it has.
func (x *bm25) add(document int, s string) int {
	counts, words := map[string]int{}, 0
	text.Runs(s, func(run string) {
		text.Words(run, func(w string) {
			words++
			if _, ok := x.postings[w]; ok {
				counts[w]++
			}
		})
	})
	for w, n := range counts {
		x.postings[w] = append(x.postings[w], posting{len(x.chunks), n})
	}
	x.chunks = append(x.chunks, chunk{document, words})
	return words
}

// rank returns the documents by their best chunk; ties by doc_id.
func (x *bm25) rank(query string, limit int) []place {
	best := x.best(query)
	order := make([]int, 0, len(best))
	for d := range best {
		order = append(order, d)
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(best[j], best[i]), cmp.Compare(x.documents[i].DocID, x.documents[j].DocID))
	})
	places := make([]place, 0, limit)
	for _, d := range order[:min(limit, len(order))] {
		places = append(places, place{id: x.documents[d].DocID, path: x.documents[d].Path})
	}
	return places
}

// best returns the score of the best chunk of every document that has one of the question's words.
func (x *bm25) best(query string) map[int]float64 {
	scores := map[int]float64{} // by chunk
	for _, t := range text.ParseQuestion(query).Terms {
		list := x.postings[t]
		idf := text.IDF(len(list), len(x.chunks))
		for _, p := range list {
			tf, length := float64(p.count), float64(x.chunks[p.chunk].words)/x.average
			scores[p.chunk] += idf * tf * (k1 + 1) / (tf + k1*(1-lengthShare+lengthShare*length))
		}
	}
	best := map[int]float64{} // by document
	for c, s := range scores {
		d := x.chunks[c].document
		best[d] = max(best[d], s)
	}
	return best
}
