package visit

import (
	"context"
	"time"

	"patina/actors/api"
	"patina/ask/embedders"
	"patina/oracles"
	"patina/store/text"
)

// An embeddedTarget is a far repository that is told the vectors of a question by the models that
// are chosen for home, so that a node with such a model need not embed it again. Its values are
// comparable if those of its target are.
type embeddedTarget struct {
	api.Target
	home    string // the folder of the user's records
	project string // the id of the project that the question is asked in
}

// Ask implements api.Target.
func (t embeddedTarget) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	parts := oracles.Parts(text.ParseQuestion(m.Text))
	found := embedders.Process().Ready(ctx, t.home, t.project, parts)
	if len(found) == 0 {
		return t.Target.Ask(ctx, m)
	}
	inner := *m
	inner.Vectors = nil
	for id, v := range found {
		inner.Vectors = append(inner.Vectors, oracles.QuestionVector{Model: id, Vector: v})
	}
	return t.Target.Ask(ctx, &inner)
}

// Returned implements api.Returner.
func (t embeddedTarget) Returned() time.Time {
	if r, ok := t.Target.(api.Returner); ok {
		return r.Returned()
	}
	return time.Time{}
}
