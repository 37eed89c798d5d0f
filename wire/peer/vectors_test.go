package peer

import (
	"context"
	"math"
	"reflect"
	"sync/atomic"
	"testing"

	"patina/actors"
	"patina/actors/api"
	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/overlay"
	"patina/store/storetest"
)

// A counted is a chosen model that counts the questions that it embeds.
type counted struct {
	doc.BatchEmbedder
	id        string
	questions atomic.Int64
}

func (c *counted) Model() string { return c.id }

func (c *counted) EmbedQuestion(ctx context.Context, parts []doc.QuestionPart) ([]float32, error) {
	c.questions.Add(1)
	return c.BatchEmbedder.EmbedQuestion(ctx, parts)
}

// newChosen returns a project with the vectors of a chosen model.
func newChosen(t *testing.T, id string) (actors.Project, *counted) {
	t.Helper()
	p, m := newProject(t), &counted{BatchEmbedder: doc.Batched(storetest.Hashed{}), id: id}
	p.Embedders = func(context.Context) (map[doc.Kind]doc.BatchEmbedder, error) {
		return map[doc.Kind]doc.BatchEmbedder{doc.Code: m, doc.Pattern: m}, nil
	}
	x := overlay.Index{Dir: p.StoreDir, View: store.MainView}
	if _, err := overlay.Update(t.Context(), x, m, []doc.Kind{doc.Code, doc.Pattern}, nil); err != nil {
		t.Fatal(err)
	}
	return p, m
}

// A question that brings its vector is not embedded again by a node with the model. A node with
// another model, and one that was sent what cannot be a vector, embed it themselves. All answer as
// they do without it.
func TestQuestionsBringTheirVectors(t *testing.T) {
	const text = "drops the least recently used entry"
	v := storetest.Hashed{}.Question([]doc.QuestionPart{{Text: text, Weight: 1}})
	changed := func(change func([]float32) []float32) []oracles.QuestionVector {
		return []oracles.QuestionVector{{Model: "ours", Vector: change(append([]float32(nil), v...))}}
	}
	same := func(v []float32) []float32 { return v }
	p, ours := newChosen(t, "ours")
	q, theirs := newChosen(t, "theirs")
	for _, node := range []struct {
		project actors.Project
		model   *counted
	}{{p, ours}, {q, theirs}} {
		s := newSet(t, newFar(t, node.project, nil))
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		x, err := s.Target(repository)
		if err != nil {
			t.Fatal(err)
		}
		var plain *api.Lists
		for _, c := range []struct {
			name    string
			vectors []oracles.QuestionVector
			takes   bool // by the node with the model
		}{
			{"none", nil, false},
			{"its vector", changed(same), true},
			{"another first", append([]oracles.QuestionVector{{Model: "third", Vector: v}}, changed(same)...), true},
			{"too short", changed(func(v []float32) []float32 { return v[1:] }), false},
			{"empty", changed(func([]float32) []float32 { return nil }), false},
			{"huge", changed(func([]float32) []float32 { return make([]float32, 1<<16) }), false},
			{"too long", changed(func(v []float32) []float32 {
				for i := range v {
					v[i] *= 2
				}
				return v
			}), false},
			{"zero", changed(func(v []float32) []float32 { return make([]float32, len(v)) }), false},
			{"no number", changed(func(v []float32) []float32 { v[0] = float32(math.NaN()); return v }), false},
			{"infinite", changed(func(v []float32) []float32 { v[0] = float32(math.Inf(1)); return v }), false},
		} {
			before := node.model.questions.Load()
			l, err := x.Ask(t.Context(), &api.Ask{Query: c.name, Text: text, Limit: 5, Budget: ample, Vectors: c.vectors})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := x.Describe(t.Context(), &api.Describe{Query: c.name}); err != nil {
				t.Error(err)
			}
			want := int64(1)
			if c.takes && node.model == ours {
				want = 0
			}
			if n := node.model.questions.Load() - before; n != want {
				t.Errorf("%s: %s embedded %d times, want %d", c.name, node.model.id, n, want)
			}
			if plain == nil {
				plain = l
			}
			if !reflect.DeepEqual(l.Lists, plain.Lists) || !reflect.DeepEqual(l.Evidence, plain.Evidence) {
				t.Errorf("%s: %s answers otherwise", c.name, node.model.id)
			}
			for _, x := range l.Channels {
				if x.Detail != "" {
					t.Errorf("%s: %+v", c.name, x)
				}
			}
		}
	}
}
