package embedders

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"patina/registry/models"
	"patina/store/doc"
	"patina/store/storetest"
)

// A counted is a model without files that counts what it does.
type counted struct {
	doc.BatchEmbedder
	id        string
	questions atomic.Int64
	closed    atomic.Int64
	held      chan struct{} // questions wait until it is closed; may be nil
}

func (c *counted) Model() string { return c.id }

func (c *counted) EmbedQuestion(ctx context.Context, parts []doc.QuestionPart) ([]float32, error) {
	c.questions.Add(1)
	if c.held != nil {
		select {
		case <-c.held:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return c.BatchEmbedder.EmbedQuestion(ctx, parts)
}

func (c *counted) Close() error {
	c.closed.Add(1)
	return nil
}

// A shelf opens counted models, and counts how often.
type shelf struct {
	mu     sync.Mutex
	opened int
	err    error
	models map[string]*counted
}

func (s *shelf) open(m models.Model) (Embedder, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	if s.err != nil {
		return nil, s.err
	}
	c := s.models[m.Name]
	if c == nil {
		c = &counted{BatchEmbedder: doc.Batched(storetest.Hashed{}), id: m.ID}
		if s.models == nil {
			s.models = map[string]*counted{}
		}
		s.models[m.Name] = c
	}
	return c, nil
}

func (s *shelf) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

// newHome returns a home whose catalog has models.
func newHome(t *testing.T, names ...string) string {
	t.Helper()
	home := t.TempDir()
	for _, name := range names {
		must(t, models.Add(home, models.Model{Name: name, Dir: "/models/" + name, ID: "id of " + name, Dimension: storetest.Hashed{}.Dimension()}))
	}
	return home
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const (
	home1 = "0123456789abcdef"
	home2 = "fedcba9876543210"
)

var asked = []doc.QuestionPart{{Text: "where is the cache evicted", Weight: 1}}

// Two projects with one model embed a question once, however many ask at once, and one with another
// model embeds it for itself. Nothing is opened before.
func TestQuestionsAreEmbeddedOnce(t *testing.T) {
	home := newHome(t, "small", "large")
	must(t, models.Choose(home, "", "small", []string{"code", "notes"}))
	must(t, models.Choose(home, home2, "large", []string{"code"}))
	s := &shelf{}
	p := NewPool(s.open)
	var here, there map[doc.Kind]doc.BatchEmbedder
	for range 100 {
		var err error
		here, err = p.For(home, home1)(t.Context())
		must(t, err)
		there, err = p.For(home, home2)(t.Context())
		must(t, err)
	}
	if s.count() != 0 || p.IsOpen(here[doc.Code]) {
		t.Error("a model is open that nobody used")
	}
	if here[doc.Belief] != nil || here[doc.Memory].Model() != "id of small" || there[doc.Code].Model() != "id of large" {
		t.Errorf("%v, %v", here, there)
	}
	if r := p.Ready(t.Context(), home, home1, asked); len(r) != 0 || s.count() != 0 {
		t.Errorf("%d models were opened for another machine", s.count())
	}
	var all sync.WaitGroup
	for range 20 {
		for _, m := range []doc.BatchEmbedder{here[doc.Code], here[doc.Memory], there[doc.Memory], there[doc.Code]} {
			all.Go(func() {
				v, err := m.EmbedQuestion(t.Context(), asked)
				if err != nil || !slices.Equal(v, storetest.Hashed{}.Question(asked)) {
					t.Errorf("%v, %v", v, err)
				}
				v[0] = 7 // it is the caller's
			})
		}
	}
	all.Wait()
	if n, m := s.models["small"].questions.Load(), s.models["large"].questions.Load(); n != 1 || m != 1 || s.count() != 2 {
		t.Errorf("%d and %d embeddings by %d models", n, m, s.count())
	}
	if r := p.Ready(t.Context(), home, home2, asked); len(r) != 2 || s.models["small"].questions.Load() != 1 {
		t.Errorf("%d vectors", len(r))
	}
	for i := range keptQuestions {
		_, err := here[doc.Code].EmbedQuestion(t.Context(), []doc.QuestionPart{{Text: "other", Weight: float32(i)}})
		must(t, err)
	}
	_, err := here[doc.Code].EmbedQuestion(t.Context(), asked)
	must(t, err)
	if n := s.models["small"].questions.Load(); n != keptQuestions+2 || len(p.questions) != keptQuestions {
		t.Errorf("%d embeddings, %d kept", n, len(p.questions))
	}
}

// A model that cannot be opened costs one look, until the error is old. A catalog without a chosen
// model is an error that names the way out.
func TestErrorsAreKept(t *testing.T) {
	home := newHome(t, "small")
	must(t, models.Choose(home, "", "small", []string{"code"}))
	s := &shelf{err: errors.New("no runtime")}
	p := NewPool(s.open)
	chosen, err := p.Chosen(home, home1)
	must(t, err)
	for range 50 {
		if _, err := chosen[doc.Code].EmbedQuestion(t.Context(), asked); err == nil || err.Error() != "open model small: no runtime" {
			t.Fatal(err)
		}
	}
	if s.count() != 1 {
		t.Errorf("opened %d times", s.count())
	}
	p.mu.Lock()
	for _, h := range p.held {
		h.tried = time.Now().Add(-failTime)
	}
	p.mu.Unlock()
	s.err = nil
	_, err = chosen[doc.Code].EmbedQuestion(t.Context(), asked)
	must(t, err)
	other := p.Of(home, models.Model{Name: "small", Dir: "/models/small", ID: "another", Dimension: 64, Runtime: "/x"})
	if _, err := other.EmbedQuestion(t.Context(), asked); err == nil || s.models["small"].closed.Load() != 1 {
		t.Errorf("files that have changed: %v", err)
	}
}

// A question that nobody waits for any more is not embedded, and the next one who asks begins anew.
func TestQuestionsEndWithTheirAskers(t *testing.T) {
	home := newHome(t, "small")
	must(t, models.Choose(home, "", "small", []string{"code"}))
	s := &shelf{models: map[string]*counted{
		"small": {BatchEmbedder: doc.Batched(storetest.Hashed{}), id: "id of small", held: make(chan struct{})},
	}}
	p := NewPool(s.open)
	chosen, err := p.Chosen(home, home1)
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := chosen[doc.Code].EmbedQuestion(ctx, asked); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(s.models["small"].held)
	_, err = chosen[doc.Code].EmbedQuestion(t.Context(), asked)
	must(t, err)
}

// An idle model is closed, and opened again when it is used.
func TestIdleModelsAreClosed(t *testing.T) {
	home := newHome(t, "small")
	must(t, models.Choose(home, "", "small", []string{"code"}))
	s := &shelf{}
	p := NewPool(s.open)
	p.idle = time.Millisecond
	chosen, err := p.Chosen(home, home1)
	must(t, err)
	_, err = chosen[doc.Code].EmbedQuestion(t.Context(), asked)
	must(t, err)
	for s.models["small"].closed.Load() == 0 || p.IsOpen(chosen[doc.Code]) {
		time.Sleep(time.Millisecond)
	}
	_, err = chosen[doc.Code].EmbedQuestion(t.Context(), []doc.QuestionPart{{Text: "another", Weight: 1}})
	must(t, err)
	if s.count() != 2 {
		t.Errorf("opened %d times", s.count())
	}
	p.Close()
}

// Work is done one project at a time, once for all that waits, and ends with the queue.
func TestQueue(t *testing.T) {
	q := NewQueue(t.Context(), nil)
	begun, done := make(chan struct{}), make(chan struct{})
	var first, second atomic.Int64
	q.Add("a", func(context.Context) error {
		close(begun)
		<-done
		return errors.New("no runtime")
	})
	<-begun
	for range 10 {
		q.Add("b", func(context.Context) error { first.Add(1); return nil })
	}
	last := make(chan struct{})
	q.Add("b", func(context.Context) error { second.Add(1); return nil })
	q.Add("c", func(ctx context.Context) error {
		close(last)
		<-ctx.Done()
		return ctx.Err()
	})
	close(done)
	<-last
	if first.Load() != 0 || second.Load() != 1 {
		t.Errorf("%d old and %d new runs", first.Load(), second.Load())
	}
	q.Add("d", func(context.Context) error { t.Error("it ran after the end"); return nil })
	q.Close()
	q.Add("e", func(context.Context) error { t.Error("it ran after the end"); return nil })
	q.Close()
}
