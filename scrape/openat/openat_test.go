package openat

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"
)

// Both ways to open a file open the folder's regular files, and no others.
func TestOpenBelow(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.CopyFS(outside, fstest.MapFS{"x": {Data: []byte("outside")}}))
	must(os.CopyFS(root, fstest.MapFS{
		"a": {Data: []byte("one")}, "d/e/f": {Data: []byte("two")}, "d/with space\n": {Data: []byte("three")},
	}))
	must(os.Symlink("a", filepath.Join(root, "link")))
	must(os.Symlink("d", filepath.Join(root, "inner")))
	must(os.Symlink(outside, filepath.Join(root, "outer")))
	must(unix.Mkfifo(filepath.Join(root, "pipe"), 0o600))
	must(os.Mkdir(filepath.Join(root, "dark"), 0o100)) // may be passed through but not listed
	must(os.WriteFile(filepath.Join(root, "dark/x"), []byte("four"), 0o600))
	at, err := Open(root)
	must(err)
	defer at.Close()
	for way, open := range map[string]func(int, string) (int, error){
		"in one call": openBelow, "step by step": openSteps,
	} {
		for name, want := range map[string]string{
			"a": "one", "d/e/f": "two", "d/with space\n": "three", "dark/x": "four",
			"link": "", "inner/e/f": "", "outer/x": "", "../x": "", "d/../a": "", "/etc/passwd": "", "": "", ".": "",
			"d/": "", "none/x": "", "a/b": "", strings.Repeat("a", 300): "",
		} {
			if name == "d/../a" && way == "in one call" {
				continue // openat2 allows it because it stays below the folder
			}
			fd, err := open(at.fd, name)
			if err != nil {
				if want != "" {
					t.Errorf("%s, %q: %v", way, name, err)
				}
				continue
			}
			got, err := io.ReadAll(&File{fd: fd})
			(&File{fd: fd}).Close()
			if string(got) != want {
				t.Errorf("%s, %q: %q, %v; want %q", way, name, got, err, want)
			}
		}
	}
	for _, name := range []string{"pipe", "d", "link", "outer/x"} {
		if _, err := at.Open(name); err == nil {
			t.Errorf("%q was opened", name)
		}
	}
}
