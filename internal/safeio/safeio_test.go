package safeio

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Whatever a name is, reading must end at once with the content or with the reason.
func TestRead(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	root, err := os.OpenRoot(dir)
	check(t, err)
	t.Cleanup(func() { check(t, root.Close()) })
	at := func(name string) string { return filepath.Join(dir, name) }
	check(t, os.WriteFile(at("file"), []byte("0123456789"), 0o600))
	check(t, os.WriteFile(at("empty"), nil, 0o600))
	check(t, os.Symlink("file", at("link")))
	check(t, os.Symlink("/dev/zero", at("zero")))
	check(t, os.Symlink("nowhere", at("dangling")))
	check(t, os.Mkdir(at("folder"), 0o700))
	check(t, syscall.Mkfifo(at("pipe"), 0o600))
	t.Chdir(dir) // the path of a socket is short
	l, err := net.Listen("unix", "socket")
	check(t, err)
	t.Cleanup(func() { _ = l.Close() })
	for _, c := range []struct {
		name  string
		limit int64
		want  string
		err   error
	}{
		{"file", 10, "0123456789", nil},
		{"file", 9, "", ErrTooLarge},
		{"empty", 0, "", nil},
		{"link", 10, "", ErrIrregular},
		{"zero", 10, "", ErrIrregular},
		{"dangling", 10, "", ErrIrregular},
		{"folder", 10, "", ErrIrregular},
		{"pipe", 10, "", ErrIrregular},
		{"socket", 10, "", ErrIrregular},
		{"absent", 10, "", fs.ErrNotExist},
	} {
		b, err := ReadFile(at(c.name), c.limit)
		if string(b) != c.want || !errors.Is(err, c.err) {
			t.Errorf("ReadFile(%s, %d) = %q, %v; want %q, %v", c.name, c.limit, b, err, c.want, c.err)
		}
		b, err = ReadIn(root, c.name, c.limit)
		if string(b) != c.want || !errors.Is(err, c.err) {
			t.Errorf("ReadIn(%s, %d) = %q, %v; want %q, %v", c.name, c.limit, b, err, c.want, c.err)
		}
	}
	if _, err := ReadIn(root, "../file", 10); err == nil {
		t.Error("ReadIn left its folder")
	}
	if _, err := ReadFile("/dev/zero", 10); !errors.Is(err, ErrIrregular) {
		t.Errorf("/dev/zero: %v", err)
	}
}

// A file of /proc has size 0 but some content.
func TestReadMoreThanAnnounced(t *testing.T) {
	b, err := ReadFile("/proc/self/status", 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no /proc")
	}
	if err != nil || !bytes.Contains(b, []byte("Pid:")) {
		t.Errorf("%q, %v", b, err)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
