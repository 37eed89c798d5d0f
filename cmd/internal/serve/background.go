package serve

import (
	"context"
	"time"

	"patina/ask/embedders"
	"patina/ask/project"
)

// endTime is the longest time that a server waits for its background work when it ends.
const endTime = time.Second

// embedMissing makes the missing vectors of a place by the models that are chosen for it, in the
// background. It is called when an index is opened and whenever it has changed.
func (w *Pool) embedMissing(p project.Place) {
	if models, err := embedders.Process().Chosen(p.Home, p.ID); err == nil && len(models) == 0 {
		return
	}
	w.queue.Add(p.Store, func(ctx context.Context) error { return project.EmbedQuietly(ctx, p.Of(p.Root, p.Store)) })
}

// embedIfChosen is embed if other models are chosen for a place than at the last call.
func (w *Pool) embedIfChosen(p project.Place) {
	now := embedders.Process().Signature(p.Home, p.ID)
	w.mu.Lock()
	before, known := w.chosen[p.Store]
	w.chosen[p.Store] = now
	w.mu.Unlock()
	if known && before != now {
		w.embedMissing(p)
	}
}
