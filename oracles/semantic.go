package oracles

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"patina/oracles/embed"
	"patina/store"
	"patina/store/text"
)

// Semantic ranks by meaning: by the cosine of the question's vector with those of chunks and of the
// cards of files.
//
// It finds what the question says in other words. The table of vectors was fitted to the project
// when it was scraped, so that words which stand for the same thing there lie close, and is kept
// with the index: a question is embedded with the very table that the chunks were.
type Semantic struct {
	base func() store.Embedder // of projects that were not adapted
	load func(table []byte) (store.Adapter, error)

	mu sync.Mutex
	// model is the last one asked for, of some 4 MB: a scrape may make another. It is nil before
	// the first.
	model store.Embedder
}

// NewSemantic returns the oracle of the built-in model.
func NewSemantic() *Semantic {
	return &Semantic{base: func() store.Embedder { return embed.Base() }, load: embed.Load}
}

// Name implements Oracle.
func (*Semantic) Name() string { return "semantic" }

// Open implements Oracle. Each project has a model of its own.
func (s *Semantic) Open(Project) (Channel, error) {
	return &Semantic{base: s.base, load: s.load}, nil
}

// Close implements Channel.
func (*Semantic) Close() error { return nil }

// Query implements Channel. It is unavailable where the index has no vectors.
func (s *Semantic) Query(ctx context.Context, r *store.Reader, q Question) ([]List, error) {
	model, err := s.modelOf(ctx, r)
	if err != nil {
		return nil, err
	}
	asked := parts(q.Parsed)
	ranked, err := Nearest(ctx, r, model.Question(asked), q.Filter, q.Limit)
	if err != nil {
		return nil, err
	}
	list := List{Channel: "semantic", Generation: r.Generation().Number}
	if m, ok := model.(*embed.Model); ok {
		list.Words, list.Known = m.Known(asked, text.IsStop)
	}
	var lists []List
	for _, k := range store.Kinds() {
		if hits, ok := ranked[k]; ok {
			list.Kind, list.Hits = k, hits
			lists = append(lists, list)
		}
	}
	return lists, nil
}

// modelOf returns the model that made the reader's vectors.
func (s *Semantic) modelOf(ctx context.Context, r *store.Reader) (store.Embedder, error) {
	id, err := r.Model(ctx)
	switch {
	case errors.Is(err, store.ErrNoVectors):
		return nil, fmt.Errorf("no vectors (patina scrape): %w", ErrUnavailable)
	case err != nil:
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.model != nil && s.model.Model() == id {
		return s.model, nil
	}
	m, err := s.open(ctx, r)
	if err != nil {
		return nil, err
	}
	if m.Model() != id {
		return nil, fmt.Errorf("the vectors are of another model, %q (patina scrape): %w", id, ErrUnavailable)
	}
	s.model = m
	return m, nil
}

func (s *Semantic) open(ctx context.Context, r *store.Reader) (store.Embedder, error) {
	table, err := r.Table(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(table) == 0:
		return s.base(), nil
	}
	return s.load(table)
}

// parts are the texts of a question: a short one as it is, a long one by its zones, all of one
// weight. What the words of a zone weigh is a matter of words: a zone has one meaning however many
// it has, and code that repeats itself does not outweigh the title (bench/RESULTS.md, "Long
// texts").
func parts(q text.Question) []store.QuestionPart {
	if !q.Long {
		return []store.QuestionPart{{Text: q.Raw, Weight: 1}}
	}
	var out []store.QuestionPart
	for _, z := range q.Zones {
		out = append(out, store.QuestionPart{Text: z, Weight: 1})
	}
	return out
}

// Closest explains why a passage of the reader's project is near to a question: the n nearest pairs
// of their words, stop words left out. There are none for a model that is not of word vectors.
func (s *Semantic) Closest(ctx context.Context, r *store.Reader, question string, p store.Passage, n int) ([]embed.Pair, error) {
	m, err := s.modelOf(ctx, r)
	if err != nil {
		return nil, err
	}
	if words, ok := m.(*embed.Model); ok {
		return words.Closest(question, p, n, text.IsStop), nil
	}
	return nil, nil
}
