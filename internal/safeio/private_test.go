package safeio

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPrivate(t *testing.T) {
	for _, c := range []struct {
		folder, file os.FileMode
		uid          int // of the file; 0 means this user
		want         bool
	}{
		{0o700, 0o600, 0, true},
		{0o755, 0o644, 0, true},
		{0o775, 0o600, 0, false},
		{0o777 | os.ModeSticky, 0o600, 0, false},
		{0o700, 0o620, 0, false},
		{0o700, 0o666, 0, false},
		{0o700, 0o600, 4242, false},
	} {
		if c.uid != 0 && os.Geteuid() != 0 {
			continue // only root can give files away
		}
		dir := filepath.Join(t.TempDir(), "folder")
		file := filepath.Join(dir, "file")
		check(t, os.Mkdir(dir, 0o700))
		check(t, os.WriteFile(file, nil, 0o600))
		check(t, os.Chmod(file, c.file))
		if c.uid != 0 {
			check(t, os.Chown(file, c.uid, -1))
		}
		check(t, os.Chmod(dir, c.folder))
		if got := Private(file); got != c.want {
			t.Errorf("folder %v, file %v of %d: %v", c.folder, c.file, c.uid, got)
		}
	}
	if Private(filepath.Join(t.TempDir(), "absent")) {
		t.Error("a file that is not there is private")
	}
}
