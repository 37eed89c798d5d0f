package beliefcmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func opened(t *testing.T) (dir string, root *os.Root) {
	t.Helper()
	dir = t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return dir, root
}

// A file must be placed once, with nothing else beside it, and never replaced.
func TestPlace(t *testing.T) {
	dir, root := opened(t)
	if err := os.MkdirAll(filepath.Join(dir, "a/b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a/b/.x.md.new"), []byte("left by a killed process"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := placeFile(root, "a/b/x.md", "first\n"); err != nil {
		t.Fatal(err)
	}
	if err := placeFile(root, "a/b/x.md", "second\n"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second one: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "a/b/x.md"))
	if err != nil || string(text) != "first\n" {
		t.Errorf("%q, %v", text, err)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "a/b")); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// Nothing may be written through a link, inside the project or out of it, even a dangling one.
func TestPlaceThroughALink(t *testing.T) {
	for _, target := range []string{"../../elsewhere", "inside", "nowhere"} {
		dir, root := opened(t)
		if err := os.MkdirAll(filepath.Join(dir, "a/inside"), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, link := range []string{"a/b", "a/y.md", "a/.z.md.new"} {
			if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
		if err := placeFile(root, "a/b/x.md", "text\n"); err == nil ||
			!strings.Contains(err.Error(), `"b" is no folder`) {
			t.Errorf("a folder to %s: %v", target, err)
		}
		for _, name := range []string{"a/y.md", "a/z.md"} {
			if err := placeFile(root, name, "text\n"); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s to %s: %v", name, target, err)
			}
		}
		if left, _ := os.ReadDir(filepath.Join(dir, "a/inside")); len(left) > 0 {
			t.Errorf("%s: %v", target, left)
		}
	}
}
