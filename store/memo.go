package store

import (
	"reflect"
	"sync"
)

// A Memo keeps values derived from one generation, one a type. They live until the generation is
// neither read nor pinned.
type Memo struct {
	mu     sync.Mutex
	values map[reflect.Type]any
}

// MemoOf returns the memo's value for a type, initially the zero value.
func MemoOf[T any](m *Memo) *T {
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
