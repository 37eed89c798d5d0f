package registry

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A home that depends on the working folder is refused, because it would be made in a repository.
func TestRelativeHome(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ home, own string }{
		{"home", "/root"}, {"./h", "/root"}, {"..", "/root"}, {"", "h"}, {"", "."},
	} {
		t.Setenv("PATINA_HOME", c.home)
		t.Setenv("HOME", c.own)
		if dir, err := Home(); !errors.Is(err, ErrRelative) {
			t.Errorf("PATINA_HOME=%s HOME=%s: %q, %v", c.home, c.own, dir, err)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("made %v, %v", left, err)
	}
	t.Setenv("PATINA_HOME", "/a/../b/")
	if dir, err := Home(); err != nil || dir != "/b" {
		t.Errorf("%q, %v", dir, err)
	}
}

// A home of another user is refused, except that of the caller of sudo.
func TestHomeOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives folders away")
	}
	dir := filepath.Join(t.TempDir(), "home")
	check(t, os.Mkdir(dir, 0o700))
	check(t, os.Chown(dir, 4242, 4242))
	t.Setenv("SUDO_UID", "")
	t.Setenv("PATINA_HOME", dir)
	if _, err := Home(); !errors.Is(err, ErrOtherUser) {
		t.Errorf("root uses the home of uid 4242: %v", err)
	}
	t.Setenv("SUDO_UID", "4242")
	if _, err := Home(); err != nil {
		t.Errorf("by sudo: %v", err)
	}
	t.Setenv("SUDO_UID", "")
	t.Setenv("PATINA_HOME", "")
	t.Setenv("HOME", filepath.Dir(dir))
	check(t, os.Rename(dir, filepath.Join(filepath.Dir(dir), ".patina")))
	if _, err := Home(); !errors.Is(err, ErrOtherUser) {
		t.Errorf("~/.patina of uid 4242: %v", err)
	}
}
