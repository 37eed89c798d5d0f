package oracles

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"patina/oracles/embed"
	"patina/store"
	"patina/store/doc"
	"patina/store/overlay"
	"patina/store/text"
)

// Semantic ranks by meaning: by the cosine of the question's vector with the vectors of chunks and
// file cards.
//
// It finds passages that say the same in other words. A scrape adapts the table of word vectors to
// the project, so that words with one meaning there are close. The table is kept with the index,
// because a question must be embedded with the same table as the chunks.
type Semantic struct {
	base func() doc.Embedder // for projects without an adapted table
	load func(table []byte) (doc.Adapter, error)

	embedders func(context.Context) (map[doc.Kind]doc.BatchEmbedder, error) // Project.Embedders
	dir       string                                                        // Project.StoreDir

	mu sync.Mutex
	// model is the last one used, about 4 MB. It is nil before the first question, and replaced
	// after a scrape has made another one.
	model    doc.Embedder
	overlays map[string]*overlay.Overlay // by the id of a chosen model
}

// NewSemantic returns the oracle with the built-in model.
func NewSemantic() *Semantic {
	return &Semantic{base: func() doc.Embedder { return embed.Base() }, load: embed.Load}
}

// Name implements Oracle.
func (*Semantic) Name() string { return "semantic" }

// Open implements Oracle. Each project has its own model.
func (s *Semantic) Open(p Project) (Channel, error) {
	return &Semantic{base: s.base, load: s.load, embedders: p.Embedders, dir: p.StoreDir}, nil
}

// Close implements Channel.
func (s *Semantic) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.overlays {
		o.Close()
	}
	s.overlays = nil
	return nil
}

// Query implements Channel. The error wraps ErrUnavailable if the index has no vectors. It also
// does, beside valid lists, if the built-in vectors ranked a kind for which a model was chosen.
func (s *Semantic) Query(ctx context.Context, r *store.Reader, q Question) ([]List, error) {
	if q.Parsed.Listing {
		return nil, nil // it has no words with a meaning
	}
	model, err := s.modelOf(ctx, r)
	if err != nil {
		return nil, err
	}
	wants := func(k doc.Kind) bool { return doc.Wants(q.Filter, k) && k.Traits().Channel == "" }
	found, err := s.rank(ctx, r, q, model, wants, q.Limit)
	if err != nil {
		return nil, err
	}
	list := List{Channel: "semantic", Generation: r.Generation().Number}
	if m, ok := model.(*embed.Model); ok {
		list.Words, list.Known = m.Known(questionParts(q.Parsed), text.IsStop)
	}
	var lists []List
	for _, k := range doc.Kinds() {
		if hits, ok := found.ranked[k]; ok {
			list.Kind, list.Hits, list.Random = k, hits, found.random[k]
			lists = append(lists, list)
		}
	}
	if len(found.notes) > 0 {
		return lists, fmt.Errorf("%s: %w", joinUnused(found.notes), ErrUnavailable)
	}
	return lists, nil
}

// modelOf returns the model that made the reader's vectors. The error wraps ErrUnavailable if there
// are no vectors, or if their model cannot be opened.
func (s *Semantic) modelOf(ctx context.Context, r *store.Reader) (doc.Embedder, error) {
	id, err := r.Model(ctx)
	switch {
	case errors.Is(err, store.ErrNoVectors) && r.Generation().WordsOnly:
		return nil, fmt.Errorf("its model is not fitted yet: patina scrape: %w", ErrUnavailable)
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
	m, err := s.openModel(ctx, r)
	if err != nil {
		return nil, err
	}
	if m.Model() != id {
		return nil, fmt.Errorf("the vectors are of another model, %q (patina scrape): %w", id, ErrUnavailable)
	}
	s.model = m
	return m, nil
}

func (s *Semantic) openModel(ctx context.Context, r *store.Reader) (doc.Embedder, error) {
	table, err := r.Table(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(table) == 0:
		return s.base(), nil
	}
	return s.load(table)
}

// questionParts returns the texts to embed: a short question as it is, and a long text by its
// zones, all with the same weight. Weights of words do not apply, because a zone has one meaning
// however long it is, and code that repeats itself must not outweigh the title
// (bench/history/questions.md, "Long texts").
func questionParts(q text.Question) []doc.QuestionPart {
	if !q.Long {
		return []doc.QuestionPart{{Text: q.Raw, Weight: 1}}
	}
	var out []doc.QuestionPart
	for _, z := range q.Zones {
		out = append(out, doc.QuestionPart{Text: z, Weight: 1})
	}
	return out
}

// Closest explains why a passage in the reader's project is near to a question. It returns the n
// nearest pairs of their words, without stop words. It returns nil for a model without word
// vectors.
func (s *Semantic) Closest(
	ctx context.Context, r *store.Reader, question string, p doc.Passage, n int,
) ([]embed.Pair, error) {
	m, err := s.modelOf(ctx, r)
	if err != nil {
		return nil, err
	}
	if words, ok := m.(*embed.Model); ok {
		return words.Closest(question, p, n, text.IsStop), nil
	}
	return nil, nil
}
