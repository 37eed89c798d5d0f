package actors

import "fmt"

// waiting is the number of questions that may wait for a slot. At 4 ms for each they take a second.
const waiting = 256

// tooMany is the detail for a question that is refused.
var tooMany = fmt.Sprintf("%d questions wait already", waiting)

// limiter bounds the number of concurrent calls of an actor and queues a bounded number of others.
// It knows nothing about actors.
type limiter[T any] struct {
	free  int
	queue []T
	over  func(T) bool // reports whether nobody waits for a call any more
}

// A turn is the decision about a new question.
type turn int

const (
	now    turn = iota // it holds a slot
	later              // it waits
	refuse             // the queue is full
)

// takeSlot gives x a slot or a place in the queue.
func (l *limiter[T]) takeSlot(x T) turn {
	if l.free > 0 {
		l.free--
		return now
	}
	if len(l.queue) >= waiting {
		l.prune()
	}
	if len(l.queue) >= waiting {
		return refuse
	}
	l.queue = append(l.queue, x)
	return later
}

// done returns a slot. If a call waits, it gets the slot and is returned.
func (l *limiter[T]) done() (next T, ok bool) {
	for len(l.queue) > 0 {
		next, l.queue = l.queue[0], l.queue[1:]
		if !l.over(next) {
			return next, true
		}
	}
	l.free++
	var none T
	return none, false
}

func (l *limiter[T]) prune() {
	kept := make([]T, 0, waiting)
	for _, x := range l.queue {
		if !l.over(x) {
			kept = append(kept, x)
		}
	}
	l.queue = kept
}
