package registry

import (
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"patina/store/sqlite"
)

// A Memo keeps the value that a process has last read from a home, as long as the files of the
// value are unchanged. It exists because every question lists the projects, which seldom change.
// The zero Memo is empty. A Memo may be used concurrently, and must not be copied after first use.
type Memo[T any] struct {
	mu    sync.Mutex
	key   string
	state []byte
	value T
}

// settled is the age from which a file's time shows the next change, because the coarsest file
// systems count in steps of two seconds.
const settled = 2 * time.Second

// Of returns the result of read for a key, or the result of the last call if the state is the same.
// state must return nil if nothing may be kept. It is called before and after read. The value is
// shared, so the caller must not change it. Errors are not kept.
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

// State returns the state of a home's mother.db, for a Memo. It returns nil if there is no such
// file, or if a process writes it or has just written it.
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

// SketchState returns the state of a project's sketch, for a Memo. It returns nil if there is no
// sketch or if it was just written.
func SketchState(home, id string) []byte {
	state, ok := appendState(nil, sketchFile(home, id))
	if !ok {
		return nil
	}
	return state
}

// recordsState returns the state of mother.db and of all records beside it, or nil if one of them
// was just written.
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

// appendState appends the inode, the size and the time of a regular file. It reports false if the
// next change might not show in them, or if there is no such file.
func appendState(to []byte, file string) ([]byte, bool) {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < settled {
		return to, false
	}
	to = strconv.AppendUint(to, inodeOf(info), 36)
	to = strconv.AppendInt(append(to, ' '), info.Size(), 36)
	return append(strconv.AppendInt(append(to, ' '), info.ModTime().UnixNano(), 36), '\n'), true
}
