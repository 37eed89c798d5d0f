package tokenize

// symbol is a token of a word that is being merged, in a list. A next of -1 is the end, a previous
// of -1 the start.
type symbol struct {
	id, previous, next int32
	merged             bool // into the one before it
}

// mergeQueue is a heap of merges that are possible: the rank in the upper half, the place of the
// left symbol in the lower. The least one is at its start.
type mergeQueue []uint64

func (q *mergeQueue) push(x uint64) {
	*q = append(*q, x)
	h := *q
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if h[parent] <= h[i] {
			return
		}
		h[parent], h[i] = h[i], h[parent]
		i = parent
	}
}

func (q *mergeQueue) pop() uint64 {
	h := *q
	least, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*q = h
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h) {
			return least
		}
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if h[i] <= h[child] {
			return least
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

// mergeAll merges the symbols, in time n log n of their number.
func (b *bytePair) mergeAll(s *scratch) {
	symbols := s.symbols
	s.queue = s.queue[:0]
	offer := func(left int32) {
		if left < 0 || symbols[left].next < 0 {
			return
		}
		if m, ok := b.merges[pair{symbols[left].id, symbols[symbols[left].next].id}]; ok {
			s.queue.push(uint64(m.rank)<<32 | uint64(left))
		}
	}
	for i := range symbols {
		offer(int32(i))
	}
	for len(s.queue) > 0 {
		top := s.queue.pop()
		rank, at := int32(top>>32), int32(top&0xFFFFFFFF)
		left := &symbols[at]
		if left.merged || left.next < 0 {
			continue
		}
		right := &symbols[left.next]
		m, ok := b.merges[pair{left.id, right.id}]
		if !ok || m.rank != rank {
			continue
		}
		left.id, right.merged = m.id, true
		left.next = right.next
		if left.next >= 0 {
			symbols[left.next].previous = at
		}
		offer(left.previous)
		offer(at)
	}
}
