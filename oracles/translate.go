package oracles

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"patina/oracles/dictionary"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// Translations of a question's words (docs/ranking.md, "Translations").
const (
	// translateBelow is the share of the attainable score below which the words find little.
	translateBelow = 0.3
	// translationWeight times the root of p(term | word) is the weight of a translation, at most 1.
	translationWeight = 3
)

// A rendering is a translation of a term: the place of its lists, and the weight of a chunk's term
// part.
type rendering struct {
	at     int
	weight float64
}

// renderings are the translations of a question's terms.
type renderings struct {
	of    [][]rendering // by term; nil for a term that the code holds
	terms []string
	lists [][]store.PostingList // by segment, by translation; nil for segments of other kinds
}

// translate searches the code for translations of the terms that it lacks, where the question's own
// words find little: if no chunk of code has translateBelow of the attainable score. Only then does
// it fill a board, which it keeps.
func (x *finding) translate(ctx context.Context, r *store.Reader, q text.Question) error {
	s := x.scoring
	if q.Long || q.Listing {
		return nil
	}
	found, err := s.translations()
	if err != nil || len(found.terms) == 0 {
		return err
	}
	b, best := s.newBoard(), float32(0)
	for i, g := range s.segments {
		if !ofFiles(g) {
			continue
		}
		if err := s.fill(b, i); err != nil {
			return err
		}
		for _, x := range b.parts[i].best {
			best = max(best, x)
		}
	}
	if float64(best) < translateBelow*saturation*s.attainableOwn() {
		if err := s.readTranslations(ctx, r, found); err != nil {
			return err
		}
		for i := range s.segments {
			if b.parts[i].filled {
				if err := s.render(b, i); err != nil {
					return err
				}
			}
		}
	}
	x.keepBoard(b)
	return nil
}

// ofFiles reports whether a segment holds code.
func ofFiles(g *store.Segment) bool { return doc.Kind(g.Space).Traits().Demoted == doc.ByClass }

// attainableOwn is attainable by the project's own idf.
func (s *scoring) attainableOwn() float64 {
	own := *s
	own.wide = s.idf
	return own.attainable()
}

// translations returns the translations of the terms that the code lacks, without their lists and
// idf.
func (s *scoring) translations() (*renderings, error) {
	x := &renderings{of: make([][]rendering, len(s.terms))}
	for t, term := range s.terms {
		if found, err := s.inCode(t); err != nil {
			return nil, err
		} else if found {
			continue
		}
		for other, p := range dictionary.Of(term) {
			if slices.Contains(s.terms, other) {
				continue
			}
			at := slices.Index(x.terms, other)
			if at < 0 {
				at, x.terms = len(x.terms), append(x.terms, other)
			}
			x.of[t] = append(x.of[t], rendering{at, min(1, translationWeight*math.Sqrt(p))})
		}
	}
	return x, nil
}

// readTranslations looks up the lists of translations, drops those that the code lacks, and makes x
// what a board is scored with. Only code is searched for them, because they are learned from code.
func (s *scoring) readTranslations(ctx context.Context, r *store.Reader, x *renderings) error {
	var segments []*store.Segment
	chunks := 0
	for _, g := range s.segments {
		if ofFiles(g) {
			segments = append(segments, g)
			chunks += g.Live
		}
	}
	if len(segments) == 0 {
		return nil
	}
	lists, err := r.KeptLists(ctx, s.snap, segments, x.terms)
	if err != nil {
		return err
	}
	x.lists = make([][]store.PostingList, len(s.segments))
	for i, g := range s.segments {
		if ofFiles(g) {
			x.lists[i], lists = lists[0], lists[1:]
		}
	}
	held := make([]int, len(x.terms)) // live chunks of code with each translation
	for at := range held {
		for i, g := range s.segments {
			if x.lists[i] == nil {
				continue
			}
			n, err := g.Seen(x.lists[i][at])
			if err != nil {
				return err
			}
			held[at] += n
		}
	}
	for t := range x.of {
		x.of[t] = slices.DeleteFunc(x.of[t], func(k rendering) bool { return held[k.at] == 0 })
		for i, k := range x.of[t] {
			x.of[t][i].weight *= min(s.idf[t], text.IDF(held[k.at], chunks))
		}
	}
	if slices.Max(held) > 0 {
		s.renderings = x
	}
	return nil
}

// inCode reports whether any live chunk of code has a term.
func (s *scoring) inCode(term int) (bool, error) {
	for i, g := range s.segments {
		if !ofFiles(g) {
			continue
		}
		if n, err := g.Seen(s.lists[i][term]); n > 0 || err != nil {
			return true, err
		}
	}
	return false, nil
}

// Translations says which translations of the question's words are searched for, as "random: rand,
// rng; sentence: text". It returns "" if there are none.
func Translations(ctx context.Context, r *store.Reader, q text.Question) (string, error) {
	if q.Listing {
		return "", nil
	}
	x, err := findingOf(ctx, r, q)
	if err != nil || x.scoring.renderings == nil {
		return "", err
	}
	var out []string
	for t, ks := range x.scoring.renderings.of {
		var terms []string
		for _, k := range ks {
			terms = append(terms, x.scoring.renderings.terms[k.at])
		}
		if len(terms) > 0 {
			out = append(out, fmt.Sprintf("%s: %s", x.scoring.terms[t], strings.Join(terms, ", ")))
		}
	}
	return strings.Join(out, "; "), nil
}

// render raises the scores of a filled segment by translations: a term counts as its best
// translation in a chunk. The gain is kept apart, because a share must not count it: a document
// that has none of the question's words is not known to be about them.
func (s *scoring) render(b *board, segment int) error {
	if s.renderings == nil || s.renderings.lists[segment] == nil {
		return nil
	}
	p, g, room := &b.parts[segment], s.segments[segment], &b.room
	room.grow(blocksOf(g))
	p.gain = make([]float32, len(p.acc))
	for _, ks := range s.renderings.of {
		for _, k := range ks {
			if err := room.raise(s.renderings.lists[segment][k.at], g, k.weight); err != nil {
				return err
			}
		}
		for i, d := range room.touched {
			if d == 0 {
				continue
			}
			room.touched[i], p.dirty[i] = 0, 1
			for j := i * 64; j < min(i*64+64, len(p.acc)); j++ {
				p.acc[j] += room.most[j]
				p.gain[j] += room.most[j]
			}
			clear(room.most[i*64 : i*64+64])
		}
	}
	s.findBest(p, g)
	return nil
}

// A renderingRoom is the memory for one term, by chunk. It is zero between terms.
type renderingRoom struct {
	one, most      []float32
	dirty, touched []uint8 // by block of 64 chunks
}

func (x *renderingRoom) grow(blocks int) {
	if len(x.dirty) < blocks {
		n := blocks * 64
		*x = renderingRoom{make([]float32, n), make([]float32, n), make([]uint8, blocks), make([]uint8, blocks)}
	}
}

// raise raises most to the scores of a list where they are higher.
func (x *renderingRoom) raise(l store.PostingList, g *store.Segment, weight float64) error {
	if l.Len == 0 {
		return nil
	}
	if err := text.Accumulate(l.Bytes, l.Len, g.Chunks, float32(weight*saturation), x.one, x.dirty); err != nil {
		return doc.DamagedBy(err)
	}
	for i, d := range x.dirty {
		if d == 0 {
			continue
		}
		x.dirty[i], x.touched[i] = 0, 1
		for j := i * 64; j < i*64+64; j++ {
			x.most[j] = max(x.most[j], x.one[j])
		}
		clear(x.one[i*64 : i*64+64])
	}
	return nil
}

// untranslated returns the scores of a group's chunks without the gain of translations, and the
// best of them.
func (p *scores) untranslated(g *store.Segment, group int) (chunks []float32, best float64) {
	chunks = slices.Clone(p.groupScores(g, group))
	for i, gain := range p.gain[g.Starts[group]:g.Starts[group+1]] {
		chunks[i] = max(0, chunks[i]-gain)
		best = max(best, float64(chunks[i]))
	}
	return chunks, best
}
