package eval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"patina/oracles"
	"patina/store"
	"patina/store/lookup"
	"patina/store/scrape"
	"patina/store/text"
)

// A Library is an index that gives its texts and tells what it knows of files; *store.Reader is one.
type Library interface {
	Corpus
	Body(ctx context.Context, docID string) (store.Description, string, error)
	Evidence(ctx context.Context, q text.Question, ids map[store.Kind][]string) (map[string]store.Evidence, error)
}

// A Reader is the Library of a reader.
type Reader struct{ *store.Reader }

// Body implements Library.
func (x Reader) Body(ctx context.Context, docID string) (store.Description, string, error) {
	return lookup.Body(ctx, x.Reader, docID)
}

// Evidence implements Library.
func (x Reader) Evidence(ctx context.Context, q text.Question, ids map[store.Kind][]string) (map[string]store.Evidence, error) {
	return oracles.Evidence(ctx, x.Reader, q, ids)
}

// A shelf is the files of code of an index, with the places of the questions' words in the fields of their chunks. It is
// written for clearness: plain floats, no bytes, nothing shared with the store's own scoring but the tokenizer and idf.
type shelf struct {
	paths   []string
	starts  []int // the first chunk of each file, and the number of chunks
	lengths []fields
	places  map[string][]occurrence // by word
	average [text.NumFields]float64 // words a chunk
	present [text.NumFields]float64 // words a chunk, over the chunks that have any
	runs    map[string]spelt
}

// fields are numbers of words, by field.
type fields [text.NumFields]int

type occurrence struct {
	chunk  int
	counts fields
}

// A spelt run is how many words it gives and which of them the questions have.
type spelt struct {
	words int
	asked []string
}

// newShelf reads the files of code of a library. The store keeps lines, not fields: each file is extracted again.
func newShelf(ctx context.Context, l Library, qs []Question) (*shelf, error) {
	s := &shelf{places: map[string][]occurrence{}, runs: map[string]spelt{}}
	for _, q := range qs {
		for _, w := range slices.Concat(allWords(q.Query), text.ParseQuestion(q.Query).Terms) {
			s.places[w] = nil
		}
	}
	stored := map[string]int{} // chunks, by path
	err := l.Chunks(ctx, func(t store.ChunkText) error {
		if t.Kind == store.Code {
			if stored[t.Path] == 0 {
				s.paths = append(s.paths, t.Path)
			}
			stored[t.Path]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(s.paths)
	for _, p := range s.paths {
		if err := s.read(ctx, l, p, stored[p]); err != nil {
			return nil, err
		}
	}
	s.starts = append(s.starts, len(s.lengths))
	s.measure()
	return s, nil
}

// read adds one file. A number of chunks that differs says that the index was made by other rules than these.
func (s *shelf) read(ctx context.Context, l Library, path string, chunks int) error {
	_, body, err := l.Body(ctx, path)
	if err != nil {
		return err
	}
	file := scrape.Extract(path, []byte(body))
	if len(file.Chunks) != chunks {
		return fmt.Errorf("extract %q: %d chunks, the index has %d", path, len(file.Chunks), chunks)
	}
	s.starts = append(s.starts, len(s.lengths))
	for _, c := range file.Chunks {
		s.add([text.NumFields]string{path, c.Names, c.Doc, c.Body})
	}
	return nil
}

func (s *shelf) add(texts [text.NumFields]string) {
	var lengths fields
	counts := map[string]*fields{}
	for f, t := range texts {
		text.Runs(t, func(run string) {
			x := s.spell(run)
			lengths[f] += x.words
			for _, w := range x.asked {
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

func (s *shelf) spell(run string) spelt {
	x, ok := s.runs[run]
	if !ok {
		text.Words(run, func(w string) {
			x.words++
			if _, asked := s.places[w]; asked {
				x.asked = append(x.asked, w)
			}
		})
		s.runs[run] = x
	}
	return x
}

func (s *shelf) measure() {
	s.runs = nil
	for _, l := range s.lengths {
		for f, n := range l {
			s.average[f] += float64(n)
		}
	}
	for f := range s.average {
		have := 0
		for _, l := range s.lengths {
			if l[f] > 0 {
				have++
			}
		}
		s.present[f] = s.average[f] / float64(max(1, have))
		s.average[f] /= float64(max(1, len(s.lengths)))
	}
}

// allWords are the distinct words of a question, stop words among them.
func allWords(query string) []string {
	var words []string
	text.Runs(query, func(run string) {
		text.Words(run, func(w string) {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		})
	})
	return words
}

// A norm is what the occurrences in a field are divided by, for a chunk of these lengths.
type norm func(lengths *fields, field int) float64

// wholeNorm takes a chunk for one text.
func (s *shelf) wholeNorm(lengths *fields, _ int) float64 {
	words, average := 0, 0.0
	for f, n := range lengths {
		words += n
		average += s.average[f]
	}
	return relative(words, average, lengthShare)
}

// fieldNorm takes each field by itself: the F of BM25F.
func (s *shelf) fieldNorm(lengths *fields, field int) float64 {
	return relative(lengths[field], s.average[field], lengthShare)
}

// textNorm takes comments and body for one text, and compares path and names with those that have any.
func (s *shelf) textNorm(lengths *fields, field int) float64 {
	if field >= textField {
		return relative(lengths[textField]+lengths[textField+1], s.average[textField]+s.average[textField+1], textShare)
	}
	return relative(lengths[field], s.present[field], lengthShare)
}

const (
	textField = 2   // comments; the body is the next one
	textShare = 0.5 // b of the two
)

func relative(words int, average, b float64) float64 {
	if average == 0 {
		return 1
	}
	return 1 - b + b*float64(words)/average
}

// score gives every chunk Σ idf · (k1+1) · tf'/(tf'+k1), where tf' is the weighted occurrences over their norms.
func (s *shelf) score(words []string, weights [text.NumFields]float64, by norm) []float64 {
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

// files gives every file what join makes of its chunks' scores.
func (s *shelf) files(scores []float64, join func([]float64) float64) []float64 {
	out := make([]float64, len(s.paths))
	for i := range out {
		out[i] = join(scores[s.starts[i]:s.starts[i+1]])
	}
	return out
}

// pnorm returns a join: (Σ s³)^⅓ over the n best chunks; over all if n is 0.
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
