package folder

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

// Owns accepts exactly a store's file names: the files clean and sweep may remove.
func TestOwns(t *testing.T) {
	for name, want := range map[string]bool{
		".gitignore": true, "current": true, "current.new": true, "lock": true, "index-000001.db": true, "index-000001.db-wal": true,
		"index-1.db.sum": true, "index-1.db.sum.new": true, "index-1.vec": true, "index-1.vec.sum": true, "index-1.hnsw": true, "index-1.hnsw.lock": true,
		"project": true, "project.new": true, "project.123.tmp": true, "notes": false, "index.txt": false, "projects": false, "memory.db": false,
		"index-notes.db.bak": false, "index-000042.html.db": false, "index-1.db.bak": false, "xlock": false, "lock\n": false, "index-.db": false,
		"model.lock": true, "model-0123456789abcdef.state": true, "model-0123456789abcdef.state.new": true, "model-0123456789abcdef-1.vec": true,
		"model-0123456789abcdef-12.keys": true, "model-0123456789abcdef-1.hnsw": true, "model-0123456789abcdef-1.hnsw.new": true,
		"model-0123456789abcdef.vec": false, "model-0123.state": false, "model-0123456789abcdef-1.onnx": false, "model.onnx": false,
	} {
		if Owns(name) != want {
			t.Errorf("Owns(%q) = %v", name, !want)
		}
	}
}
