package store

import (
	"errors"
	"strings"
	"syscall"
	"testing"
)

func TestWithoutLocksSaysSo(t *testing.T) {
	for err, want := range map[error]bool{syscall.ENOLCK: true, syscall.EOPNOTSUPP: true, syscall.EACCES: false} {
		got := withoutLocks(err)
		if strings.Contains(got.Error(), "--store") != want || !errors.Is(got, err) {
			t.Errorf("%v becomes %v", err, got)
		}
	}
}
