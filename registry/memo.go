package registry

import (
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"patina/store/sqlite"
)

// A Memo keeps what a process has last read from a home, for as long as the files it came from are
// as they were. Every question asks which projects there are, and they seldom change. The zero Memo
// is empty. Several goroutines may use it.
type Memo[T any] struct {
	mu    sync.Mutex
	key   string
	state []byte
	value T
}

// settled is how old a file's time must be for a change after the reading to show in it: the
// coarsest file systems count in steps of two seconds.
const settled = 2 * time.Second

// Of returns what read returns for a key, or what it returned before if the state is still the
// same. The state is nil if nothing may be kept. It is taken before the reading and after it. The
// value is shared, and must not be changed.
func (m *Memo[T]) Of(key string, state func() []byte, read func() (T, error)) (T, error) {
	before := state()
	m.mu.Lock()
	if before != nil && m.key == key && slices.Equal(m.state, before) {
		defer m.mu.Unlock()
		return m.value, nil
	}
	m.mu.Unlock()
	value, err := read()
	if err == nil && before != nil && slices.Equal(before, state()) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.key, m.state, m.value = key, before, value
	}
	return value, err
}

// State is the state of a home's mother.db, for a Memo: nil if somebody is writing it, has just
// written it, or there is none.
func State(home string) []byte {
	file := motherFile(home)
	if sqlite.Logged(file) {
		return nil
	}
	state, ok := appendState(nil, file)
	if !ok || sqlite.Logged(file) {
		return nil
	}
	return state
}

// SketchState is the state of a project's sketch, for a Memo.
func SketchState(home, id string) []byte {
	state, ok := appendState(nil, sketchFile(home, id))
	if !ok {
		return nil
	}
	return state
}

// recordsState is the state of mother.db and of all records beside it.
func recordsState(home string) []byte {
	state := State(home)
	if state == nil {
		return nil
	}
	for _, id := range listRecords(home) {
		state = append(append(state, id...), ' ')
		var ok bool
		if state, ok = appendState(state, recordFile(home, id)); !ok && recordStamp(home, id) != "" {
			return nil
		}
	}
	return state
}

// appendState adds the inode, the size and the time of a regular file. It is not ok if the next
// change might not show in them.
func appendState(to []byte, file string) ([]byte, bool) {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < settled {
		return to, false
	}
	to = strconv.AppendUint(to, inodeOf(info), 36)
	to = strconv.AppendInt(append(to, ' '), info.Size(), 36)
	return append(strconv.AppendInt(append(to, ' '), info.ModTime().UnixNano(), 36), '\n'), true
}
