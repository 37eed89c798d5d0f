package embedders_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"patina/actors/api"
	"patina/ask/embedders"
	"patina/ask/project"
	"patina/ask/visit"
	"patina/oracles"
	"patina/registry"
	"patina/registry/models"
	"patina/registry/route"
	"patina/store/text"
)

// A recording is a Mother with one repository, which an engine of the test answers for. It keeps
// what is sent.
type recording struct {
	api.Target
	mu   sync.Mutex
	sent [][]oracles.QuestionVector
}

func (r *recording) Name() string { return "example.org/team/coffee" }

func (r *recording) Ask(ctx context.Context, m *api.Ask) (*api.Lists, error) {
	r.mu.Lock()
	r.sent = append(r.sent, m.Vectors)
	r.mu.Unlock()
	return r.Target.Ask(ctx, m)
}

type mother struct{ *recording }

func (m mother) Target(string) api.Target { return m.recording }

func (mother) Sketches(context.Context, []string) map[string]route.Sketch { return nil }

func (mother) Counts(context.Context, []string, []string) (text.Frequencies, error) {
	return text.Frequencies{}, nil
}

// A question to another machine brings the vector by the model of home once that is open, and it is
// the one that home was asked by. Nothing is opened for another machine alone.
func TestVectorsAreSent(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PATINA_HOME", home)
	n := embedders.Process().Counting()
	tea, coffee := newPlace(t, "tea"), newPlace(t, "coffee")
	far, err := project.Open(t.Context(), coffee, 0)
	check(t, err)
	defer func() { check(t, far.Close(context.Background())) }()
	target, err := far.Target(coffee.Name)
	check(t, err)
	r := &recording{Target: target}
	e, err := project.Open(t.Context(), tea, 0)
	check(t, err)
	defer func() { check(t, e.Close(context.Background())) }()
	sent := func(question string) []oracles.QuestionVector {
		t.Helper()
		to := visit.Route{Visits: []visit.Visit{{
			Place: tea.Known(registry.Project{ID: "far", Name: "coffee", Far: r.Name()}), Name: r.Name(), Weight: 1,
		}}}
		q, _, err := visit.Widen(t.Context(), tea, e, mother{r}, api.Request{Text: question, Timeout: time.Minute}, to)
		check(t, err)
		_, err = e.Scry(t.Context(), q)
		check(t, err)
		return r.sent[len(r.sent)-1]
	}
	if v := sent("heats water"); len(v) != 0 {
		t.Errorf("without a model: %v", v)
	}
	m := addModel(t, home, "small", 5)
	check(t, models.Choose(home, "", m.Name, []string{"documents", "code"}))
	if v := sent("heats water"); len(v) != 0 || n.Opened.Load() != 0 {
		t.Errorf("before the model is open: %v", v)
	}
	embedProject(t, tea)
	ask(t, tea, "heats water")
	before := n.Questions.Load()
	v := sent("heats water in a cup")
	all, err := embedders.Process().Chosen(home, tea.ID)
	check(t, err)
	for _, model := range all {
		want, err := model.EmbedQuestion(t.Context(), oracles.Parts(text.ParseQuestion("heats water in a cup")))
		if err != nil || len(v) != 1 || v[0].Model != m.ID || !slices.Equal(v[0].Vector, want) {
			t.Errorf("%v, want %v; %v", v, want, err)
		}
	}
	if q := n.Questions.Load() - before; q != 1 {
		t.Errorf("embedded %d times", q)
	}
}
