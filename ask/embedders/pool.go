package embedders

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"patina/registry/models"
	"patina/store/doc"
)

const (
	// idleTime is the time after its last use after which a model is closed. Opening one takes
	// tenths of a second, and an open one holds its weights.
	idleTime = 10 * time.Minute
	// failTime is the time for which a model that could not be opened is not tried again. A question
	// in between is told the same error.
	failTime = 30 * time.Second
)

// An Embedder is an open model.
type Embedder interface {
	doc.BatchEmbedder
	Close() error
}

// A Pool keeps models open, each once for the process. It is safe for concurrent use.
type Pool struct {
	open func(models.Model) (Embedder, error)
	idle time.Duration

	mu        sync.Mutex
	held      map[string]*held // by id and runtime
	questions questions
	unrelated map[string]float64 // by id: see shared.Unrelated
}

// NewPool returns a pool whose models are opened by a function.
func NewPool(open func(models.Model) (Embedder, error)) *Pool {
	return &Pool{open: open, idle: idleTime, held: map[string]*held{}, unrelated: map[string]float64{}}
}

// A held is a model that is open, is being opened, or could not be opened.
type held struct {
	ready chan struct{} // closed once e and err are set
	e     Embedder
	err   error
	tried time.Time // when err was set

	users int         // guarded by Pool.mu
	timer *time.Timer // closes an idle model; guarded by Pool.mu; nil while it is used
}

// isReady reports whether a model is open, or could not be opened.
func (h *held) isReady() bool {
	select {
	case <-h.ready:
		return true
	default:
		return false
	}
}

// use returns an open model. It waits while the model is being opened, until ctx ends. The caller
// must call done after using it.
func (p *Pool) use(ctx context.Context, m models.Model) (e Embedder, done func(), err error) {
	key := modelKey(m)
	p.mu.Lock()
	h := p.held[key]
	if h != nil && h.isReady() && h.err != nil && time.Since(h.tried) >= failTime {
		h = nil
	}
	if h == nil {
		h = &held{ready: make(chan struct{})}
		p.held[key] = h
		// It goes on after ctx, so that the next question finds the model open.
		go func() {
			h.e, h.err = p.opened(m)
			h.tried = time.Now()
			close(h.ready)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.rest(key, h)
		}()
	}
	h.users++
	p.mu.Unlock()
	done = sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		h.users--
		p.rest(key, h)
	})
	select {
	case <-h.ready:
	case <-ctx.Done():
		done()
		return nil, nil, ctx.Err()
	}
	if h.err != nil {
		done()
		return nil, nil, h.err
	}
	return h.e, done, nil
}

// opened opens a model. It returns an error if its files are not those that were added.
func (p *Pool) opened(m models.Model) (Embedder, error) {
	e, err := p.open(m)
	if err != nil {
		return nil, fmt.Errorf("open model %s: %w", m.Name, err)
	}
	if e.Model() == m.ID && m.Dimension == 0 {
		err = fmt.Errorf("open model %s: its dimension is not known yet: patina model test %s", m.Name, m.Name)
		return nil, errors.Join(err, e.Close())
	}
	if e.Model() == m.ID && e.Dimension() == Padded(m.Dimension) {
		return e, nil
	}
	err = fmt.Errorf("open model %s: its files have changed since it was added: patina model add %s --name %s", m.Name,
		m.Dir, m.Name)
	return nil, errors.Join(err, e.Close())
}

// rest lets an unused model be closed after a while. The caller must hold mu.
func (p *Pool) rest(key string, h *held) {
	if h.timer != nil {
		h.timer.Stop()
		h.timer = nil
	}
	if h.users > 0 || !h.isReady() || h.e == nil {
		return
	}
	h.timer = time.AfterFunc(p.idle, func() { p.closeIdle(key, h) })
}

// closeIdle closes a model, unless it is used again.
func (p *Pool) closeIdle(key string, h *held) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h.users > 0 || h.e == nil {
		return
	}
	if p.held[key] == h {
		delete(p.held, key)
	}
	_ = h.e.Close()
	h.e = nil
}

// Close closes the models that are not in use. Those in use end with the process.
func (p *Pool) Close() {
	p.mu.Lock()
	all := make(map[string]*held, len(p.held))
	for key, h := range p.held {
		all[key] = h
	}
	p.mu.Unlock()
	for key, h := range all {
		if h.isReady() {
			p.closeIdle(key, h)
		}
	}
}

// IsOpen reports whether a model is open, so that a text costs no more than its embedding.
func (p *Pool) IsOpen(m doc.BatchEmbedder) bool {
	s, ok := m.(*shared)
	if !ok {
		return m != nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.held[s.key()]
	return h != nil && h.isReady() && h.e != nil
}
