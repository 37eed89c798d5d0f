package oracles

import (
	"math/bits"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// lonePart is the part of the share of the rarest word that a document with all words of the
// question needs (bench/history/ranking.md, "Compounds of common words").
const lonePart = 0.5

// raiseLone divides the Lone of each document by the square of the part of the question's words
// that it holds, in any of its chunks. A document without a word keeps its Lone, and so does one
// whose share is below it anyway. If parts is empty, all terms count.
func (s *scoring) raiseLone(parts []string, docs []document) error {
	words := s.wordsOf(parts)
	at := map[int64]int{}
	var wanted doc.Bitmap
	for i := range docs {
		if d := &docs[i]; d.Lone > 0 && d.Share >= d.Lone {
			at[d.id.Key] = i
			wanted.Set(d.id.Key)
		}
	}
	for i, g := range s.segments {
		var spans []heldSpan
		for group, key := range g.Keys {
			if wanted.Has(key) && (g.Hidden == nil || !g.Hidden[group]) {
				spans = append(spans, heldSpan{first: g.Starts[group], end: g.Starts[group+1], doc: at[key]})
			}
		}
		if err := s.markWords(g, s.lists[i], words, spans); err != nil {
			return err
		}
		for _, x := range spans {
			if n := bits.OnesCount64(x.words); n > 0 {
				held := float64(n) / float64(len(words))
				docs[x.doc].Lone /= held * held
			}
		}
	}
	return nil
}

// A heldSpan is the chunks of a document in a segment, and the words that they hold, as bits.
type heldSpan struct {
	first, end uint32
	doc        int
	words      uint64
}

// markWords sets the words of each span. words are indexes of terms, at most MaxTerms. The spans
// must ascend.
func (s *scoring) markWords(g *store.Segment, lists []store.PostingList, words []int, spans []heldSpan) error {
	var chunks []uint32
	for _, x := range spans {
		for c := x.first; c < x.end; c++ {
			chunks = append(chunks, c)
		}
	}
	for bit, t := range words {
		if lists[t].Len == 0 || len(chunks) == 0 {
			continue
		}
		kept, err := text.Keep(lists[t].Bytes, lists[t].Len, slices.Clone(chunks))
		if err != nil {
			return doc.DamagedBy(err)
		}
		span := 0
		for _, c := range kept {
			for spans[span].end <= c {
				span++
			}
			spans[span].words |= 1 << bit
		}
	}
	return nil
}

// wordsOf returns the indexes of the terms that are parts, or of all if parts is empty.
func (s *scoring) wordsOf(parts []string) (words []int) {
	for t, term := range s.terms {
		if len(parts) == 0 || slices.Contains(parts, term) {
			words = append(words, t)
		}
	}
	return words
}
