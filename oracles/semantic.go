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

// Semantic ranks by meaning: by the cosine of the question's vector with the vectors of chunks and
// file cards.
//
// It finds text that says the same in other words. The table of vectors was fitted to the project
// when it was scraped, so that words which stand for the same thing there lie close. It is kept
// with the index: a question is embedded with the very table that the chunks were.
type Semantic struct {
	base func() store.Embedder // of projects that were not adapted
	load func(table []byte) (store.Adapter, error)

	mu     sync.Mutex
	models map[string]store.Embedder // by model id
}

// keptModels bounds the tables that an oracle keeps open, of 4 MB each. One more, and all are read
// again when they are needed.
const keptModels = 16

// NewSemantic returns the oracle of the built-in model.
func NewSemantic() *Semantic {
	return &Semantic{
		base: func() store.Embedder { return embed.Base() }, load: embed.Load,
		models: make(map[string]store.Embedder),
	}
}

// Name implements Oracle.
func (*Semantic) Name() string { return "semantic" }

// Query implements Oracle. It is unavailable where the index has no vectors.
func (s *Semantic) Query(ctx context.Context, r *store.Reader, q Question) ([]List, error) {
	model, err := s.model(ctx, r)
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

// model is the one that made the vectors of a project.
func (s *Semantic) model(ctx context.Context, r *store.Reader) (store.Embedder, error) {
	id, err := r.Model(ctx)
	switch {
	case errors.Is(err, store.ErrNoVectors):
		return nil, fmt.Errorf("no vectors (patina scrape): %w", ErrUnavailable)
	case err != nil:
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.models[id]; ok {
		return m, nil
	}
	m, err := s.open(ctx, r)
	if err != nil {
		return nil, err
	}
	if m.Model() != id {
		return nil, fmt.Errorf("the vectors are of another model, %q (patina scrape): %w",
			id, ErrUnavailable)
	}
	if len(s.models) >= keptModels {
		clear(s.models)
	}
	s.models[id] = m
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
// weight. A zone has one meaning however many words it has, so code that repeats itself does not
// outweigh the title (bench/RESULTS.md, "Long texts").
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
func (s *Semantic) Closest(
	ctx context.Context, r *store.Reader, question string, p store.Passage, n int,
) ([]embed.Pair, error) {
	m, err := s.model(ctx, r)
	if err != nil {
		return nil, err
	}
	if words, ok := m.(*embed.Model); ok {
		return words.Closest(question, p, n, text.IsStop), nil
	}
	return nil, nil
}
