package registry

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestMemoReadsAgainAfterAChange(t *testing.T) {
	var m Memo[int]
	reads, state, failing := 0, "a", error(nil)
	of := func(key string) int {
		v, _ := m.Of(key, func() []byte {
			if state == "" {
				return nil
			}
			return []byte(state)
		}, func() (int, error) { reads++; return reads, failing })
		return v
	}
	for i, step := range []struct {
		key, state string
		err        error
		want       int
	}{
		{"x", "a", nil, 1},
		{"x", "a", nil, 1},
		{"x", "b", nil, 2},                  // changed
		{"y", "b", nil, 3},                  // another key
		{"y", "", nil, 4},                   // nothing may be kept
		{"y", "", nil, 5},                   //
		{"y", "c", errors.New("broken"), 6}, // an error is not kept
		{"y", "c", nil, 7},
		{"y", "c", nil, 7},
	} {
		state, failing = step.state, step.err
		if got := of(step.key); got != step.want {
			t.Errorf("step %d: %d, want %d", i, got, step.want)
		}
	}
	v, _ := m.Of("z", func() []byte { return []byte(state) }, func() (int, error) { state = "d"; return 100, nil })
	if got := of("z"); v != 100 || got != 8 {
		t.Errorf("changed while it was read: %d, then %d", v, got)
	}
}

// A list is kept only if mother.db and all records are old enough, because the next change could
// have the same time.
func TestStateOfFilesJustWritten(t *testing.T) {
	home := t.TempDir()
	if State(home) != nil {
		t.Error("a home without mother.db has a state")
	}
	p := made(t, home, Register)
	if State(home) != nil || recordsState(home) != nil {
		t.Error("files just written have a state")
	}
	old := time.Now().Add(-time.Minute)
	check(t, os.Chtimes(motherFile(home), old, old))
	if State(home) == nil || recordsState(home) != nil {
		t.Error("a record just written has a state")
	}
	check(t, os.Chtimes(recordFile(home, p.ID), old, old))
	before := recordsState(home)
	if before == nil {
		t.Fatal("old files have no state")
	}
	check(t, os.MkdirAll(filepath.Join(home, "projects", "0123456789abcdef"), 0o700))
	if with := recordsState(home); with == nil || slices.Equal(with, before) {
		t.Error("one more project does not show")
	}
	check(t, os.Remove(recordFile(home, p.ID)))
	if slices.Equal(recordsState(home), before) {
		t.Error("a record's end does not show")
	}
	check(t, os.WriteFile(motherFile(home)+"-wal", []byte("x"), 0o600))
	if State(home) != nil {
		t.Error("a registry that is being written has a state")
	}
}
