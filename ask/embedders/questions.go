package embedders

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"patina/registry/models"
	"patina/store/doc"
)

// keptQuestions is the number of questions whose vectors are kept. They are for the projects of one
// question, and for the next pages of an answer.
const keptQuestions = 64

// questions holds the last questions, the newest last. Pool.mu guards it.
type questions []*question

// A question is a question with its vector, or one that is being embedded.
type question struct {
	key    string
	ready  chan struct{} // closed once vector and err are set
	vector []float32
	err    error
	users  int // those who wait for it; guarded by Pool.mu
	cancel context.CancelFunc
}

// questionKey tells questions to a model apart.
func questionKey(model string, parts []doc.QuestionPart) string {
	var b strings.Builder
	b.WriteString(model)
	for _, p := range parts {
		b.WriteByte(0)
		_ = binary.Write(&b, binary.LittleEndian, math.Float32bits(p.Weight)) // a builder never fails
		b.WriteString(p.Text)
	}
	return b.String()
}

// questionVector returns the vector of a question by a model. All who ask the same at once wait for
// one embedding. It ends when the last of them has left. An error is told to those who wait, and is
// not kept.
func (p *Pool) questionVector(ctx context.Context, m models.Model, parts []doc.QuestionPart) ([]float32, error) {
	q := p.questionOf(m, parts)
	defer p.leave(q)
	select {
	case <-q.ready:
		return slices.Clone(q.vector), q.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// questionOf returns a question that is kept, or begins to embed it. The caller must leave it.
func (p *Pool) questionOf(m models.Model, parts []doc.QuestionPart) *question {
	key := questionKey(m.ID, parts)
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.IndexFunc(p.questions, func(q *question) bool { return q.key == key }); i >= 0 {
		q := p.questions[i]
		p.questions = append(slices.Delete(p.questions, i, i+1), q)
		q.users++
		return q
	}
	q := &question{key: key, ready: make(chan struct{}), users: 1}
	ctx, cancel := context.WithCancel(context.Background())
	q.cancel = cancel
	if len(p.questions) == keptQuestions {
		p.questions = slices.Delete(p.questions, 0, 1) // those who wait for it have it
	}
	p.questions = append(p.questions, q)
	parts = slices.Clone(parts)
	go func() {
		defer cancel()
		q.vector, q.err = p.embedQuestion(ctx, m, parts)
		if q.err != nil {
			p.forgetQuestion(q)
		}
		close(q.ready)
	}()
	return q
}

func (p *Pool) embedQuestion(ctx context.Context, m models.Model, parts []doc.QuestionPart) ([]float32, error) {
	e, done, err := p.use(ctx, m)
	if err != nil {
		return nil, err
	}
	defer done()
	return e.EmbedQuestion(ctx, parts)
}

// leave ends the use of a question. One that nobody waits for any more is not embedded.
func (p *Pool) leave(q *question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q.users--
	if q.users > 0 {
		return
	}
	select {
	case <-q.ready:
	default:
		q.cancel()
		p.dropQuestion(q)
	}
}

func (p *Pool) forgetQuestion(q *question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropQuestion(q)
}

// dropQuestion removes a question from the kept ones. The caller must hold mu.
func (p *Pool) dropQuestion(q *question) {
	p.questions = slices.DeleteFunc(p.questions, func(x *question) bool { return x == q })
}
