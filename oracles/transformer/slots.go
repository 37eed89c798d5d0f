package transformer

import (
	"context"
	"errors"
	"slices"

	"patina/actors/actor"
)

// ErrClosed means that a model was used after Close.
var ErrClosed = errors.New("the model is closed")

// A claim asks for a slot. The actor answers once, on granted. Whoever was granted one must return
// it.
type claim struct {
	question bool
	granted  chan error
}

// withdraw gives a claim up, or returns its slot if it was granted meanwhile.
type withdraw struct{ claim *claim }

// returned gives a slot back.
type returned struct{ claim *claim }

// finish refuses all further claims. The actor closes done when all slots are free.
type finish struct{ done chan struct{} }

// A slotted is the actor of a model. It bounds the batches that run at once. Questions have slots
// of their own, so that they never wait for batches of passages.
type slotted struct {
	free    [2]int // of passages and of questions
	size    [2]int
	waiting [2][]*claim
	closing chan struct{} // nil while claims are accepted
}

func newSlotted(passages, questions int) *slotted {
	return &slotted{free: [2]int{passages, questions}, size: [2]int{passages, questions}}
}

// Receive handles a message. It never blocks.
func (s *slotted) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case *claim:
		s.takeSlot(m)
	case *withdraw:
		i := m.claim.lane()
		if at := slices.Index(s.waiting[i], m.claim); at >= 0 {
			s.waiting[i] = slices.Delete(s.waiting[i], at, at+1)
		} else if <-m.claim.granted == nil { // it was answered before: reading does not wait
			s.put(i)
		}
	case *returned:
		s.put(m.claim.lane())
	case *finish:
		s.closing = m.done
		for i := range s.waiting {
			for _, x := range s.waiting[i] {
				x.granted <- ErrClosed
			}
			s.waiting[i] = nil
		}
	}
	if s.closing != nil && s.free == s.size {
		close(s.closing)
		s.closing = nil
		c.Stop()
	}
}

func (x *claim) lane() int {
	if x.question {
		return 1
	}
	return 0
}

// takeSlot grants a slot, or lets the claim wait.
func (s *slotted) takeSlot(x *claim) {
	i := x.lane()
	switch {
	case s.closing != nil:
		x.granted <- ErrClosed
	case s.free[i] > 0:
		s.free[i]--
		x.granted <- nil
	default:
		s.waiting[i] = append(s.waiting[i], x)
	}
}

// put gives a free slot to the claim that has waited longest.
func (s *slotted) put(i int) {
	if len(s.waiting[i]) == 0 {
		s.free[i]++
		return
	}
	next := s.waiting[i][0]
	s.waiting[i] = s.waiting[i][1:]
	next.granted <- nil
}

// acquire waits for a slot. The caller must call release unless there is an error.
func (m *Model) acquire(ctx context.Context, question bool) (release func(), err error) {
	if m.closed.Load() {
		return nil, ErrClosed
	}
	x := &claim{question: question, granted: make(chan error, 1)}
	m.slots.Send(x)
	select {
	case err := <-x.granted:
		if err != nil {
			return nil, err
		}
		return func() { m.slots.Send(&returned{x}) }, nil
	case <-ctx.Done():
		m.slots.Send(&withdraw{x})
		return nil, ctx.Err()
	case <-m.ended:
		return nil, ErrClosed
	}
}
