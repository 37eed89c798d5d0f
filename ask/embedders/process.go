package embedders

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"

	"patina/oracles/transformer"
	"patina/registry/models"
)

// Process returns the pool of this process. Nothing is opened before a text is embedded.
var Process = sync.OnceValue(func() *Pool { return NewPool(openModel) })

// resides is true in a process that goes on after a call.
var resides atomic.Bool

// Reside tells that this process stays, so that half of the processors embed and the others answer.
// It must be called before a model is opened.
func Reside() { resides.Store(true) }

// slots returns how many batches of passages may run at once, with one thread each. Threads of one
// batch would wait for each other (bench/history/models.md).
func slots() int {
	n := runtime.GOMAXPROCS(0)
	if resides.Load() {
		n /= 2
	}
	return max(1, n)
}

// Options returns how a model of the catalog is opened. An empty prefix stays empty, whatever the
// files say.
func Options(m models.Model) transformer.Options {
	return transformer.Options{
		Dir: m.Dir, Graph: m.Graph, Runtime: m.Runtime, Pooling: transformer.Pooling(m.Pooling),
		QueryPrefix:   cmp.Or(m.QueryPrefix, transformer.NoPrefix),
		PassagePrefix: cmp.Or(m.PassagePrefix, transformer.NoPrefix),
		MaxTokens:     m.MaxTokens, ID: m.ID, Stamp: m.Stamp,
	}
}

// openModel opens a model of the catalog.
func openModel(m models.Model) (Embedder, error) {
	o := Options(m)
	o.Slots, o.Threads = slots(), 1
	e, err := transformer.Open(o)
	if err != nil {
		return nil, err
	}
	return e, nil
}
