package main

import (
	"path/filepath"
	"testing"
)

func TestNarrow(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	if narrow("/") == nil || narrow(home) == nil {
		t.Error("the whole machine, or all of a user, is taken for a project")
	}
	if err := narrow(filepath.Join(home, "app")); err != nil {
		t.Error(err)
	}
}
