package actors

import (
	"context"
	"time"

	"patina/actors/api"
)

// noop is answered by noopReply as soon as the actor of a project has come to it.
type noop struct{ droppable }

// noopReply answers a noop.
type noopReply struct{ droppable }

// beatWait is how long Beat waits where its context has no deadline.
const beatWait = time.Second

// Beat returns nil once the actor of a project has handled a message without work. Each call asks
// the next project, so that one that hangs costs a node some beats and not all. It returns the
// error of ctx if the actor does not answer before ctx ends, and ErrClosed after Close. An engine
// without projects on this machine answers at once.
func (e *Engine) Beat(ctx context.Context) error {
	m, err := e.nextToBeat()
	if m == nil {
		return err
	}
	defer m.users.Done()
	wait := beatWait
	if end, ok := ctx.Deadline(); ok {
		wait = time.Until(end)
	}
	_, err = awaitReply[*noopReply](ctx, e, m, &noop{}, wait)
	return err
}

// nextToBeat returns the project whose turn it is, in use, or nil if there is no project.
func (e *Engine) nextToBeat() (*member, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.life.Err() != nil {
		return nil, api.ErrClosed
	}
	for range e.members {
		e.beats++
		if m := e.members[e.beats%len(e.members)]; m.host != nil {
			m.users.Add(1)
			return m, nil
		}
	}
	return nil, nil
}
