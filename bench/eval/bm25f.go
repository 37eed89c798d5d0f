package eval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"patina/store"
	"patina/store/text"
)

// A fieldIndex holds an index's code files, with the positions where the questions' words occur in
// each field. It is written for clarity: plain floats, no bytes. It shares only the tokenizer and
// idf with the store's own scoring.
type fieldIndex struct {
	speller
	files   []place // by path
	starts  []int   // each file's first chunk, and the number of chunks
	lengths []fields
	places  map[string][]occurrence // by word
	average [text.NumFields]float64 // words per chunk
}

// fields are word counts, by field.
type fields [text.NumFields]int

type occurrence struct {
	chunk  int
	counts fields
}

// newFieldIndex reads the code files in a library. A different number of chunks means the index was
// made by other rules.
func newFieldIndex(ctx context.Context, l Library, qs []Question) (*fieldIndex, error) {
	s := &fieldIndex{speller: speller{wanted: wantedOf(qs, true), runs: map[string]spelt{}}, places: map[string][]occurrence{}}
	err := eachFile(ctx, l, []store.Kind{store.Code}, func(f extracted) error {
		if len(f.Chunks) != f.indexed {
			return fmt.Errorf("extract %q: %d chunks, the index has %d", f.path, len(f.Chunks), f.indexed)
		}
		s.files = append(s.files, place{id: f.path, path: f.path})
		s.starts = append(s.starts, len(s.lengths))
		for _, c := range f.Chunks {
			s.add([text.NumFields]string{f.path, c.Names, c.Doc, c.Body})
		}
		return nil
	})
	s.starts = append(s.starts, len(s.lengths))
	s.measure()
	return s, err
}

func (s *fieldIndex) add(texts [text.NumFields]string) {
	var lengths fields
	counts := map[string]*fields{}
	for f, t := range texts {
		text.Runs(t, func(run string) {
			x := s.spell(run)
			lengths[f] += x.words
			for _, w := range x.wanted {
				if counts[w] == nil {
					counts[w] = &fields{}
				}
				counts[w][f]++
			}
		})
	}
	for w, n := range counts {
		s.places[w] = append(s.places[w], occurrence{len(s.lengths), *n})
	}
	s.lengths = append(s.lengths, lengths)
}

func (s *fieldIndex) measure() {
	for _, l := range s.lengths {
		for f, n := range l {
			s.average[f] += float64(n)
		}
	}
	for f := range s.average {
		s.average[f] /= float64(max(1, len(s.lengths)))
	}
}

// A norm divides the occurrences in a field, for a chunk with these lengths.
type norm func(lengths *fields, field int) float64

// wholeNorm treats a chunk as one text.
func (s *fieldIndex) wholeNorm(lengths *fields, _ int) float64 {
	words, average := 0, 0.0
	for f, n := range lengths {
		words += n
		average += s.average[f]
	}
	return relative(words, average, lengthShare)
}

// fieldNorm treats each field by itself: the F in BM25F.
func (s *fieldIndex) fieldNorm(lengths *fields, field int) float64 {
	return relative(lengths[field], s.average[field], lengthShare)
}

// textNorm treats comments and body as one text, and takes the averages of the product.
func (s *fieldIndex) textNorm(lengths *fields, field int) float64 {
	switch field {
	case 0:
		return relative(lengths[field], text.CodeAverages.Path, lengthShare)
	case 1:
		return relative(lengths[field], text.CodeAverages.Names, lengthShare)
	}
	return relative(lengths[textField]+lengths[textField+1], text.CodeAverages.Text, textShare)
}

const (
	textField = 2   // comments; the body is next
	textShare = 0.5 // b for the two
)

func relative(words int, average, b float64) float64 {
	if average == 0 {
		return 1
	}
	return 1 - b + b*float64(words)/average
}

// score gives every chunk Σ idf · (k1+1) · tf'/(tf'+k1), where tf' is the weighted occurrences over
// their norms.
func (s *fieldIndex) score(words []string, weights [text.NumFields]float64, by norm) []float64 {
	scores := make([]float64, len(s.lengths))
	for _, w := range words {
		idf := text.IDF(len(s.places[w]), len(s.lengths))
		for _, o := range s.places[w] {
			tf := 0.0
			for f, n := range o.counts {
				if n > 0 {
					tf += weights[f] * float64(n) / by(&s.lengths[o.chunk], f)
				}
			}
			scores[o.chunk] += idf * (k1 + 1) * tf / (tf + k1)
		}
	}
	return scores
}

// joined gives every file its chunks' scores, joined.
func (s *fieldIndex) joined(scores []float64, join func([]float64) float64) []float64 {
	out := make([]float64, len(s.files))
	for i := range out {
		out[i] = join(scores[s.starts[i]:s.starts[i+1]])
	}
	return out
}

// dampened returns a join: the best chunk, and 0.8 of what the p-norm of the n best adds to it.
func dampened(n int) func([]float64) float64 {
	norm := pnorm(n)
	return func(scores []float64) float64 {
		best := slices.Max(scores)
		return best + 0.8*(norm(scores)-best)
	}
}

// pnorm returns a join: (Σ s³)^⅓ over the n best chunks, or over all if n is 0.
func pnorm(n int) func([]float64) float64 {
	return func(scores []float64) float64 {
		if n > 0 && len(scores) > n {
			scores = slices.Sorted(slices.Values(scores))[len(scores)-n:]
		}
		sum := 0.0
		for _, x := range scores {
			sum += x * x * x
		}
		return math.Cbrt(sum)
	}
}
