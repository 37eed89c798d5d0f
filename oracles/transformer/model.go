package transformer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	ort "github.com/yalue/onnxruntime_go"

	"patina/actors/actor"
	"patina/oracles/transformer/tokenize"
	"patina/store/doc"
)

const (
	questionTokens = 64  // read from a question, special ones included, besides its prefix
	longTokens     = 256 // read from each part of a long text
	tokenBytes     = 10  // of a text, for each token that is read
	dimensionOf    = 64  // Dimension is a multiple of it
)

// A Model embeds by one graph. It is safe for concurrent use.
type Model struct {
	description Description
	shape       shape
	reads       int // output that is read
	own         int // dimension of the graph's vectors
	dim         int // own, rounded up to a multiple of dimensionOf
	words       *tokenize.Tokenizer
	prefix      int // tokens of the query prefix, without special ones
	session     *ort.DynamicAdvancedSession
	slots       *actor.PID
	workers     int
	closed      atomic.Bool
	ended       chan struct{} // closed by Close
}

var _ doc.BatchEmbedder = (*Model)(nil)

// Open opens the model in a folder, and runs it once. The caller must close it. The error wraps
// ErrNoRuntime if the library is missing.
func Open(o Options) (*Model, error) {
	d, outline, words, err := describe(o)
	if err != nil {
		return nil, err
	}
	shape, err := shapeOf(outline)
	if err != nil {
		return nil, err
	}
	m := &Model{description: d, shape: shape, reads: shape.outputFor(d.Pooling), words: words, ended: make(chan struct{})}
	if err := openRuntime(o.Runtime); err != nil {
		return nil, fmt.Errorf("model %q: %w", d.Dir, err)
	}
	var threads int
	m.workers, threads = shareProcessors(o.Slots, o.Threads)
	err = m.openSession(threads)
	if err == nil {
		err = m.probe(shape.dimension(d.Pooling))
	}
	if err != nil {
		if m.session != nil {
			err = errors.Join(err, m.session.Destroy())
		}
		return nil, fmt.Errorf("model %q: graph %q: %w", d.Dir, d.Graph, err)
	}
	m.dim = (m.own + dimensionOf - 1) / dimensionOf * dimensionOf
	m.description.Dimension = m.own
	if d.QueryPrefix != "" {
		m.prefix = len(words.Encode(d.QueryPrefix, d.MaxTokens)) - len(words.Encode("", d.MaxTokens))
	}
	system := actor.NewSystem(slog.New(slog.DiscardHandler))
	if m.slots, err = system.Spawn("transformer", newSlotted(m.workers, m.workers)); err != nil {
		return nil, errors.Join(fmt.Errorf("model %q: %w", d.Dir, err), m.session.Destroy())
	}
	return m, nil
}

// shareProcessors returns the number of slots and of threads of each: those asked for, else so
// many that their product is at most GOMAXPROCS. Threads of one batch wait for each other, slots do
// not, so without a wish each slot has one thread.
func shareProcessors(slots, threads int) (int, int) {
	all := runtime.GOMAXPROCS(0)
	switch {
	case slots < 1 && threads < 1:
		return all, 1
	case slots < 1:
		return max(1, all/threads), threads
	case threads < 1:
		return slots, max(1, all/slots)
	}
	return slots, threads
}

// Model returns the id of the model, as Inspect gives it.
func (m *Model) Model() string { return m.description.ID }

// Dimension returns the length of every vector: that of the model's own, rounded up to a multiple
// of 64 by zeros.
func (m *Model) Dimension() int { return m.dim }

// Description describes the open model. Its dimension is that of the model's own vectors.
func (m *Model) Description() Description { return m.description }

// Close waits for the batches that are running, and frees all memory of the model. Calls after it
// return ErrClosed. The library stays open.
func (m *Model) Close() error {
	if m.closed.Swap(true) {
		return nil
	}
	done := make(chan struct{})
	m.slots.Send(&finish{done})
	<-done
	close(m.ended)
	err := m.session.Destroy()
	giveBack()
	return err
}

// EmbedPassages writes the vectors of passages to dst, as doc.BatchEmbedder says.
func (m *Model) EmbedPassages(ctx context.Context, dst []int8, passages []doc.Passage) error {
	if len(dst) != len(passages)*m.dim {
		return fmt.Errorf("model %s: %d bytes for %d vectors of dimension %d", m.Model(), len(dst), len(passages), m.dim)
	}
	clear(dst)
	texts := make([][]int64, len(passages))
	for i, p := range passages {
		if err := ctx.Err(); err != nil {
			return err
		}
		texts[i] = m.words.Encode(m.passageText(p), m.description.MaxTokens)
	}
	return m.embedTexts(ctx, texts, false, func(text int, unit []float32) {
		quantise(dst[text*m.dim:], unit)
	})
}

// passageText returns the text of a passage: its prefix, then a line each of path, doc and body.
func (m *Model) passageText(p doc.Passage) string {
	path, comment, body := p.Parts(tokenBytes * m.description.MaxTokens)
	text := m.description.PassagePrefix
	for _, part := range []string{path, comment, body} {
		if part == "" {
			continue
		}
		if text != m.description.PassagePrefix {
			text += "\n"
		}
		text += part
	}
	return text
}

// EmbedQuestion returns a question's unit vector: the sum of its parts' unit vectors, times their
// weights. Only the first 64 tokens of a part count (256 if there are several parts). Parts without
// a positive finite weight are left out.
func (m *Model) EmbedQuestion(ctx context.Context, parts []doc.QuestionPart) ([]float32, error) {
	limit, heaviest := questionTokens, float32(0)
	if len(parts) > 1 {
		limit = longTokens
	}
	limit = min(limit+m.prefix, m.description.MaxTokens)
	var texts [][]int64
	var weights []float32
	for _, part := range parts {
		if part.Weight > 0 && !math.IsInf(float64(part.Weight), 0) {
			heaviest = max(heaviest, part.Weight)
			text, _ := doc.ClipText(part.Text, tokenBytes*limit)
			texts = append(texts, m.words.Encode(m.description.QueryPrefix+text, limit))
			weights = append(weights, part.Weight)
		}
	}
	units := make([]float32, len(texts)*m.dim)
	err := m.embedTexts(ctx, texts, true, func(text int, unit []float32) { copy(units[text*m.dim:], unit) })
	if err != nil {
		return nil, err
	}
	vector := make([]float32, m.dim)
	for text, weight := range weights {
		for i, x := range units[text*m.dim : (text+1)*m.dim] {
			vector[i] += x * (weight / heaviest)
		}
	}
	return vector, normalise(vector)
}

// embedTexts runs all batches of the texts, as many at once as there are slots, and writes the unit
// vector of each text that has tokens. Calls of write are for different texts, but concurrent.
func (m *Model) embedTexts(ctx context.Context, texts [][]int64, question bool, write func(text int, unit []float32)) error {
	batches := m.cutBatches(texts)
	if m.closed.Load() {
		return ErrClosed
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(m.workers, len(batches)) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(batches) {
					return
				}
				if err := m.runInSlot(ctx, texts, batches[i], question, write); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

func (m *Model) runInSlot(ctx context.Context, texts [][]int64, b batch, question bool, write func(int, []float32)) error {
	release, err := m.acquire(ctx, question)
	if err != nil {
		return err
	}
	defer release()
	if err := m.runBatch(ctx, texts, b, write); err != nil {
		return fmt.Errorf("model %s: embed a batch: %w", m.Model(), err)
	}
	return nil
}
