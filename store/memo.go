package store

import (
	"reflect"
	"sync"
)

// A memo keeps values that are made of one generation, one a type: for as long as the generation is
// read, or a pin of it is held.
type memo struct {
	mu     sync.Mutex
	values map[reflect.Type]any
}

// MemoOf returns the value of a type that a memo keeps: the zero value the first time.
func MemoOf[T any](m *memo) *T {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := reflect.TypeFor[T]()
	v, ok := m.values[key].(*T)
	if !ok {
		if v = new(T); m.values == nil {
			m.values = make(map[reflect.Type]any)
		}
		m.values[key] = v
	}
	return v
}
