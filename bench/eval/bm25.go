package eval

import (
	"context"
	"maps"
	"slices"

	"patina/code/lookup"
	"patina/store/doc"
	"patina/store/text"
)

// The usual constants of BM25 (Robertson and Zaragoza 2009).
const (
	k1          = 1.2  // saturation: how soon a repeated word stops counting
	lengthShare = 0.75 // b: how much length counts against a text
)

// BM25 returns the score of every text for a question.
func (x *Lexicon) BM25(query string) []float64 {
	scores, average := make([]float64, len(x.words)), x.average()
	for _, w := range text.ParseQuestion(query).Terms {
		list := x.Postings[w]
		idf := text.IDF(len(list), len(x.words))
		for _, p := range list {
			tf, length := float64(p.Count), float64(x.words[p.Text])/average
			scores[p.Text] += idf * tf * (k1 + 1) / (tf + k1*(1-lengthShare+lengthShare*length))
		}
	}
	return scores
}

// A Corpus calls f with the text of every chunk in an index. The baseline is computed from it.
type Corpus interface {
	Chunks(ctx context.Context, f func(lookup.ChunkText) error) error
}

// A baseline is the plainest ranking worth comparing with: BM25 over chunks, the best chunk of each
// document, and no rules. It uses the index's words, so that a difference to the engine is due to
// fields, evidence and fusion.
type baseline struct {
	// words counts over chunks. It has only the questions' words, which must be known before the
	// texts are read.
	words     *Lexicon
	documents []place // by doc_id
	of        []int   // each chunk's document
}

// newBaseline reads a corpus for a set of questions. Without kinds, it reads all of them.
func newBaseline(ctx context.Context, c Corpus, qs []Question, kinds []doc.Kind) (*baseline, error) {
	x := &baseline{words: NewLexicon(termsOf(qs))}
	var ids []string // by chunk
	paths := map[string]string{}
	err := c.Chunks(ctx, func(t lookup.ChunkText) error {
		if len(kinds) == 0 || slices.Contains(kinds, t.Kind) {
			x.words.Add(t.Text)
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

// rank returns the documents by best chunk. Ties are in the order of doc_ids.
func (x *baseline) rank(query string, limit int) []place {
	return RankByBest(len(x.documents), x.of, x.words.BM25(query)).places(x.documents, limit)
}

// Plain returns plain BM25 over a corpus: a function that ranks documents for any of the queries,
// best first. A document is named by its path, or by its doc_id if it has no path.
func Plain(ctx context.Context, c Corpus, queries []string) (rank func(query string, limit int) []string, err error) {
	qs := make([]Question, len(queries))
	for i, q := range queries {
		qs[i].Query = q
	}
	x, err := newBaseline(ctx, c, qs, nil)
	return func(query string, limit int) []string {
		var units []string
		for _, p := range x.rank(query, limit) {
			units = append(units, p.file())
		}
		return units
	}, err
}
