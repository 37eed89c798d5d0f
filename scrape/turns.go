package scrape

import (
	"context"
	"sync"
)

// turns lets workers store their files in the order of the jobs, whichever is ready first. It is
// needed because keys are given in that order and decide between equal scores. So two scrapes of
// one tree answer alike, with any number of workers.
type turns struct {
	mu   sync.Mutex
	cond sync.Cond
	next int          // the job whose turn it is
	over map[int]bool // later jobs that are done
}

func newTurns() *turns {
	t := &turns{over: map[int]bool{}}
	t.cond.L = &t.mu
	return t
}

// wait waits until all jobs before the i-th have ended. It returns the error of ctx if ctx ends
// first.
func (t *turns) wait(ctx context.Context, i int) error {
	stop := context.AfterFunc(ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.cond.Broadcast()
	})
	defer stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.next < i && ctx.Err() == nil {
		t.cond.Wait()
	}
	return ctx.Err()
}

// endTurn says that the i-th job stores nothing more. It must be called for every job, and may be
// called twice.
func (t *turns) endTurn(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i >= t.next {
		t.over[i] = true
	}
	for t.over[t.next] {
		delete(t.over, t.next)
		t.next++
	}
	t.cond.Broadcast()
}
