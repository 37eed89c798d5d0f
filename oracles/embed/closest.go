package embed

import (
	"cmp"
	"slices"

	"patina/store/doc"
)

// A Pair is a word of a question and the nearest word of a passage.
type Pair struct {
	Question, Passage string
	Cosine            float32
}

// Closest explains why a passage answers a question. It finds the nearest passage word for each
// question word, and returns the n nearest pairs, the best first. It reads the same part of the
// texts as the vectors do, without the words for which skip returns true. skip must not be nil.
func (m *Model) Closest(question string, p doc.Passage, n int, skip func(word string) bool) []Pair {
	path, doc, body := p.Parts(passageBytes)
	skipped := func(w wordVector) bool { return skip(w.text) }
	asked := slices.DeleteFunc(m.vectors(questionTokens, question), skipped)
	there := slices.DeleteFunc(m.vectors(passageTokens, path, doc, body), skipped)
	var pairs []Pair
	for _, q := range asked {
		best := Pair{Cosine: -2}
		for _, w := range there {
			if c := innerProduct(q.vector, w.vector); c > best.Cosine {
				best = Pair{Question: q.text, Passage: w.text, Cosine: c}
			}
		}
		if best.Passage != "" {
			pairs = append(pairs, best)
		}
	}
	slices.SortStableFunc(pairs, func(a, b Pair) int { return cmp.Compare(b.Cosine, a.Cosine) })
	return pairs[:min(max(n, 0), len(pairs))]
}

// A wordVector is a word and its unit vector.
type wordVector struct {
	text   string
	vector []float32
}

// vectors returns the distinct known words of texts, in order, until limit pieces.
func (m *Model) vectors(limit int, texts ...string) []wordVector {
	var out []wordVector
	seen := map[string]bool{}
	ids := make([]uint16, 0, limit)
	for _, text := range texts {
		for word := range Words(text) {
			before := len(ids)
			if ids = m.table.words.Encode(ids, word); len(ids) > limit {
				return out
			}
			if seen[string(word)] {
				continue
			}
			seen[string(word)] = true
			vector := make([]float32, m.table.dim)
			m.table.addPieces(vector, ids[before:])
			if normalise(vector) > 0 {
				out = append(out, wordVector{string(word), vector})
			}
		}
	}
	return out
}
