package store

import "sync"

// A Recent keeps the most recently used values that fit into a number of bytes. It is safe for
// concurrent use. The zero value is empty.
type Recent[K comparable, V any] struct {
	mu    sync.Mutex
	bytes int
	at    map[K]*recent[K, V]
	ring  recent[K, V] // its next one is the newest, the one before it the oldest
}

type recent[K comparable, V any] struct {
	key          K
	value        V
	size         int
	before, next *recent[K, V]
}

// Get returns a value and makes it the newest.
func (r *Recent[K, V]) Get(key K) (value V, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x, ok := r.at[key]
	if !ok {
		return value, false
	}
	x.before.next, x.next.before = x.next, x.before
	r.moveToFront(x)
	return x.value, true
}

// Put keeps a value of a size in bytes as the newest, unless the key has one or it would take over
// a quarter of most. It drops the oldest values while all take more than most.
func (r *Recent[K, V]) Put(key K, value V, size, most int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.at[key]; ok || size > most/4 {
		return
	}
	if r.at == nil {
		r.at = make(map[K]*recent[K, V])
		r.ring.before, r.ring.next = &r.ring, &r.ring
	}
	x := &recent[K, V]{key: key, value: value, size: size}
	r.at[key] = x
	r.moveToFront(x)
	for r.bytes += size; r.bytes > most; {
		oldest := r.ring.before
		oldest.before.next, r.ring.before = &r.ring, oldest.before
		delete(r.at, oldest.key)
		r.bytes -= oldest.size
	}
}

func (r *Recent[K, V]) moveToFront(x *recent[K, V]) {
	x.before, x.next = &r.ring, r.ring.next
	x.next.before, r.ring.next = x, x
}
