package embedders

import (
	"context"

	"patina/registry/models"
	"patina/store/doc"
)

// A shared is a model of the catalog. It is opened when a text must be embedded. It implements
// doc.BatchEmbedder.
type shared struct {
	pool  *Pool
	model models.Model
	home  string // the folder of the user's records
}

// Of returns a model of the catalog of a home. Nothing is opened before a text is embedded.
func (p *Pool) Of(home string, m models.Model) doc.BatchEmbedder { return &shared{p, m, home} }

func (s *shared) key() string { return modelKey(s.model) }

// modelKey tells open models apart. Files that lie elsewhere, or another runtime, may be gone
// later.
func modelKey(m models.Model) string { return m.ID + "\x00" + m.Dir + "\x00" + m.Runtime }

// Model implements doc.BatchEmbedder.
func (s *shared) Model() string { return s.model.ID }

// Dimension implements doc.BatchEmbedder.
func (s *shared) Dimension() int { return Padded(s.model.Dimension) }

// Padded returns the length of stored vectors for a model's own dimension: the next multiple of 64.
func Padded(dimension int) int { return (dimension + 63) / 64 * 64 }

// NameOf returns the name of a model in the catalog, or its id if no name is known.
func NameOf(m doc.BatchEmbedder) string {
	if s, ok := m.(*shared); ok {
		return s.model.Name
	}
	return m.Model()
}

// EmbedPassages implements doc.BatchEmbedder.
func (s *shared) EmbedPassages(ctx context.Context, dst []int8, passages []doc.Passage) error {
	e, done, err := s.pool.use(ctx, s.model)
	if err != nil {
		return err
	}
	defer done()
	return e.EmbedPassages(ctx, dst, passages)
}

// EmbedQuestion implements doc.BatchEmbedder. A question that was asked a moment ago, or that is
// being embedded, is not embedded again.
func (s *shared) EmbedQuestion(ctx context.Context, parts []doc.QuestionPart) ([]float32, error) {
	return s.pool.questionVector(ctx, s.model, parts)
}
