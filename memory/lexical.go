package memory

import (
	"context"
	"encoding/binary"
	"sync"

	"patina/memory/recall"
)

// A matched is a memory with words of the question.
type matched struct {
	key          int64
	score, share float64
}

// sums holds the scores of all memories by key. It is reused between questions.
type sums struct {
	score, share []float32
	dirty        []int64
}

var sumsPool = sync.Pool{New: func() any { return new(sums) }}

func (a *sums) clearSums(n int64) {
	for _, k := range a.dirty {
		a.score[k], a.share[k] = 0, 0
	}
	a.dirty = a.dirty[:0]
	if missing := n - int64(len(a.score)); missing > 0 {
		a.score, a.share = append(a.score, make([]float32, missing)...), append(a.share, make([]float32, missing)...)
	}
}

func (a *sums) addScore(key int64, score, share float32) {
	if a.score[key] == 0 {
		a.dirty = append(a.dirty, key)
	}
	a.score[key] += score
	a.share[key] += share
}

// lexical returns the best memories by words, at most limit, and the length of the question without
// fillers, beside a usual one.
func (s *Store) lexical(ctx context.Context, terms []recall.Term, scoring recall.Scoring, limit int,
	allowed func(int64) bool,
) (out []matched, length float64, err error) {
	var c corpus
	if err := s.db.QueryRowContext(ctx, `SELECT memories, words, upto
		FROM corpus`).Scan(&c.memories, &c.words, &c.upto); err != nil || c.memories == 0 {
		return nil, 0, err
	}
	a := sumsPool.Get().(*sums)
	defer sumsPool.Put(a)
	a.clearSums(c.upto + 1)
	asked := make([]string, len(terms))
	for i, t := range terms {
		asked[i] = t.Word
	}
	mass, filler := 0.0, recall.Fillers(asked)
	for i, t := range terms {
		share, err := s.addTerm(ctx, a, t, filler[i], scoring, c)
		if err != nil {
			return nil, 0, err
		}
		mass += share
	}
	best := newTop(limit)
	for _, k := range a.dirty {
		if best.fits(a.score[k]) && allowed(k) {
			best.addKey(k, a.score[k])
		}
	}
	for _, k := range best.keys() {
		out = append(out, matched{k, float64(a.score[k]), float64(a.share[k]) / mass})
	}
	return out, recall.LengthOfMass(mass, c.memories, recall.UsualSaid), nil
}

// A corpus has the numbers of memories and of words in the lists, and the highest key.
type corpus struct {
	memories, words int
	upto            int64
}

// addTerm adds the scores of the memories that have a word or one of its forms, and returns the
// share of the word. A filler has none. The published formulas know no forms.
func (s *Store) addTerm(
	ctx context.Context, a *sums, t recall.Term, filler bool, scoring recall.Scoring, c corpus,
) (float64, error) {
	blocks, n, err := s.postings(ctx, t.Word)
	if err != nil {
		return 0, err
	}
	var forms []form
	if !scoring.Published() {
		if forms, err = s.formsOf(ctx, t, c); err != nil {
			return 0, err
		}
		for _, f := range forms {
			n = min(c.memories, n+len(f))
		}
	}
	share, value := recall.Rarity(n, c.memories), valuesOf(scoring, n, c.memories, float64(c.words)/float64(c.memories))
	if filler {
		share = 0
	}
	has := map[int64]float32{} // the values of memories with the word, if it has forms
	for _, b := range blocks {
		for i := 0; i+entrySize <= len(b.list); i += entrySize {
			key := b.first + int64(binary.LittleEndian.Uint16(b.list[i:]))
			if key > c.upto {
				continue
			}
			v := value(b.list[i+2], b.list[i+3])
			a.addScore(key, v, float32(share))
			if len(forms) > 0 {
				has[key] = v
			}
		}
	}
	addForms(a, forms, has, value, float32(share))
	return share, nil
}

// A form is the entries of the memories that have all words of a form of a word: of each, the one
// with the least value.
type form map[int64][2]byte

// formsOf returns the memories that have a form of a word.
func (s *Store) formsOf(ctx context.Context, t recall.Term, c corpus) (out []form, err error) {
	value := valuesOf(recall.Measured, 1, c.memories, float64(c.words)/float64(c.memories))
	for _, words := range t.Forms {
		var found form
		for i, w := range words {
			blocks, _, err := s.postings(ctx, w)
			if err != nil {
				return nil, err
			}
			next := form{}
			for _, b := range blocks {
				for at := 0; at+entrySize <= len(b.list); at += entrySize {
					key := b.first + int64(binary.LittleEndian.Uint16(b.list[at:]))
					old, had := found[key]
					if key > c.upto || i > 0 && !had {
						continue
					}
					entry := [2]byte{b.list[at+2], b.list[at+3]}
					if had && value(old[0], old[1]) < value(entry[0], entry[1]) {
						entry = old
					}
					next[key] = entry
				}
			}
			if found = next; len(found) == 0 {
				break
			}
		}
		out = append(out, found)
	}
	return out, nil
}

// addForms adds the scores of forms, as far as they exceed the scores of the word itself.
func addForms(a *sums, forms []form, has map[int64]float32, value func(marks, length byte) float32, share float32) {
	for _, f := range forms {
		for key, entry := range f {
			v := recall.FormShare * value(entry[0], entry[1])
			old, had := has[key]
			if v <= old {
				continue
			}
			has[key] = v
			if had {
				a.addScore(key, v-old, 0)
			} else {
				a.addScore(key, v, recall.FormShare*share)
			}
		}
	}
}

var marked = []struct {
	mark  byte
	field recall.Field
}{{inTags, recall.Tags}, {inPath, recall.Path}, {inSymbol, recall.Symbol}}

// valuesOf returns the function that scores an entry, for a word in n of all memories.
func valuesOf(scoring recall.Scoring, n, all int, average float64) func(marks, length byte) float32 {
	idf := recall.IDF(n, all)
	if scoring.Published() {
		idf = recall.PlainIDF(n, all)
	}
	var known [1 << 15]float32 // computed once for each pair
	return func(marks, length byte) float32 {
		i := int(marks&0x7f)<<8 | int(length)
		if known[i] == 0 {
			tf := recall.Weigh(recall.Own, float64(marks&timesIn), float64(recall.LengthOf(length)), average)
			if !scoring.Published() {
				for _, x := range marked {
					if marks&x.mark != 0 {
						tf += recall.Weigh(x.field, 1, 0, 0)
					}
				}
			}
			known[i] = float32(idf * recall.Saturated(tf))
		}
		return known[i]
	}
}

// A block is a part of a word's list, or of the sketches, for adjacent keys.
type block struct {
	first int64 // key
	list  []byte
}

// postings returns a word's list, and the number of memories with the word in their texts. If that
// is 0, it is the number with the word in another field.
func (s *Store) postings(ctx context.Context, word string) (out []block, n int, err error) {
	out, err = blocksOf(ctx, s.db, `SELECT (posting.key & 0xffffff) << 10, list FROM word JOIN posting
		ON posting.key BETWEEN word.key << 24 AND (word.key + 1 << 24) - 1 WHERE word = ?`, word)
	all := 0
	for _, b := range out {
		for i := 2; i < len(b.list); i += entrySize {
			n += min(1, int(b.list[i]&timesIn))
		}
		all += len(b.list) / entrySize
	}
	if n == 0 {
		n = all
	}
	return out, n, err
}
