package eval

import (
	"context"
	"maps"
	"slices"

	"patina/store"
	"patina/store/lookup"
	"patina/store/text"
)

// The usual constants of BM25 (Robertson and Zaragoza 2009).
const (
	k1          = 1.2  // how soon more of a word counts for nothing
	lengthShare = 0.75 // b: how much of a text's length counts against it
)

// bm25 scores every text for a question.
func (x *lexicon) bm25(query string) []float64 {
	scores, average := make([]float64, len(x.words)), x.average()
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

// A baseline is the plainest ranking worth comparing with: BM25 with one text a chunk, best chunk a document, and no rule at
// all. It has the words of the index, so that what lies between it and the engine is fields, evidence and fusion.
type baseline struct {
	words     *lexicon // of the chunks; it keeps the words of the questions, which are known before the texts are read
	documents []place  // by doc_id
	of        []int    // the document of each chunk
}

// newBaseline reads a corpus for a set of questions. Without kinds it takes all.
func newBaseline(ctx context.Context, c Corpus, qs []Question, kinds []store.Kind) (*baseline, error) {
	x := &baseline{words: newLexicon(wantedOf(qs, false))}
	var ids []string // of the chunks
	paths := map[string]string{}
	err := c.Chunks(ctx, func(t lookup.ChunkText) error {
		if len(kinds) == 0 || slices.Contains(kinds, t.Kind) {
			x.words.add(t.Text)
			ids = append(ids, t.DocID)
			paths[t.DocID] = t.Path
		}
		return nil
	})
	numbers := map[string]int{}
	for n, id := range slices.Sorted(maps.Keys(paths)) {
		x.documents, numbers[id] = append(x.documents, place{id: id, path: paths[id]}), n
	}
	for _, id := range ids {
		x.of = append(x.of, numbers[id])
	}
	return x, err
}

// rank returns the documents by their best chunk; ties by doc_id.
func (x *baseline) rank(query string, limit int) []place {
	return best(len(x.documents), x.of, x.words.bm25(query)).places(x.documents, limit)
}
