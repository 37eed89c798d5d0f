package actors

// waiting is how many questions may wait for a slot; one more is turned away at once. At 4 ms a question that is a second.
const waiting = 256

// slots is the state of a controller: an actor that lets only so many calls run at once, keeps a bounded queue of those
// that wait, and stays free to answer. It knows nothing of actors.
type slots[T any] struct {
	free  int
	queue []T
	over  func(T) bool // tells that nobody waits for this one any more
}

// A turn says what becomes of a question that arrives.
type turn int

const (
	now    turn = iota // it holds a slot
	later              // it waits
	refuse             // the queue is full
)

// take gives x a slot, or a place in the queue.
func (s *slots[T]) take(x T) turn {
	if s.free > 0 {
		s.free--
		return now
	}
	if len(s.queue) >= waiting {
		s.prune()
	}
	if len(s.queue) >= waiting {
		return refuse
	}
	s.queue = append(s.queue, x)
	return later
}

// done gives a slot back. It returns the one that holds it next, if any waits.
func (s *slots[T]) done() (next T, ok bool) {
	for len(s.queue) > 0 {
		next, s.queue = s.queue[0], s.queue[1:]
		if !s.over(next) {
			return next, true
		}
	}
	s.free++
	var none T
	return none, false
}

func (s *slots[T]) prune() {
	kept := make([]T, 0, waiting)
	for _, x := range s.queue {
		if !s.over(x) {
			kept = append(kept, x)
		}
	}
	s.queue = kept
}
