package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/folder"
)

// made returns a folder with one index, and its parent.
func made(t *testing.T) (parent, dir string) {
	t.Helper()
	parent = t.TempDir()
	dir = filepath.Join(parent, ".patina")
	scrapeFiles(t, dir, 5)
	return parent, dir
}

// victim is a file that a store must never touch.
func victim(t *testing.T) (name string, untouched func()) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(name, []byte("precious"), 0o644))
	return name, func() {
		t.Helper()
		b, err := os.ReadFile(name)
		if err != nil || string(b) != "precious" {
			t.Errorf("the file of the user is %q, %v", b, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// An entry may be a link, a pipe, a folder or a device. Nobody opens, reads or writes through it.
func TestIrregularEntries(t *testing.T) {
	plant := map[string]func(t *testing.T, at, target string){
		"link":   func(t *testing.T, at, target string) { must(t, os.Symlink(target, at)) },
		"zero":   func(t *testing.T, at, _ string) { must(t, os.Symlink("/dev/zero", at)) },
		"pipe":   func(t *testing.T, at, _ string) { must(t, syscall.Mkfifo(at, 0o644)) },
		"folder": func(t *testing.T, at, _ string) { must(t, os.Mkdir(at, 0o755)) },
	}
	names := []string{
		"lock", "current", "current.new", ".gitignore", "project", "index-000001.db", "index-000001.db.sum", "index-000001.db.sum.new", "index-000001.db-wal", "index-000001.db-shm",
		"index-000001.db-journal", "index-000001.vec", "index-000001.vec.sum", "index-000001.hnsw", "index-000002.db", "index-000002.vec", "index-000001.hnsw.lock", "anything",
	}
	for kind, put := range plant {
		for _, name := range names {
			t.Run(kind+" "+name, func(t *testing.T) {
				_, dir := made(t)
				target, untouched := victim(t)
				at := filepath.Join(dir, name)
				must(t, os.RemoveAll(at))
				put(t, at, target)
				if _, err := store.Open(dir); !errors.Is(err, folder.ErrUnsafe) {
					t.Errorf("Open: %v", err)
				}
				for _, f := range []func() (*build.Writer, error){
					func() (*build.Writer, error) { return build.New(t.Context(), dir, build.Options{}) },
					func() (*build.Writer, error) { return build.Update(t.Context(), dir, build.Options{Extractor: 1}) },
				} {
					if w, err := f(); !errors.Is(err, folder.ErrUnsafe) {
						t.Errorf("a writer: %v", err)
						if err == nil {
							w.Abort()
						}
					}
				}
				if x := store.Examine(t.Context(), dir, store.MainView, store.Seal{}); !errors.Is(x.Err, folder.ErrUnsafe) {
					t.Errorf("Examine: %v", x.Err)
				}
				kept, err := folder.Clear(dir, false)
				if kind == "folder" && !slices.Contains(kept, name) && err == nil {
					t.Errorf("Clear kept %q", kept)
				}
				untouched()
			})
		}
	}
}

func TestLinkedFolder(t *testing.T) {
	parent, dir := made(t)
	link := filepath.Join(parent, "link")
	must(t, os.Symlink(dir, link))
	if _, err := store.Open(link); !errors.Is(err, folder.ErrUnsafe) {
		t.Errorf("Open: %v", err)
	}
	if _, err := build.New(t.Context(), link, build.Options{}); !errors.Is(err, folder.ErrUnsafe) {
		t.Errorf("Build: %v", err)
	}
	if _, err := folder.Clear(link, false); !errors.Is(err, folder.ErrUnsafe) {
		t.Errorf("Clear: %v", err)
	}
	if _, err := store.Open(dir); err != nil {
		t.Errorf("the store itself: %v", err)
	}
}

// A file with a second name would be written under both: the lock by us, the others by SQLite, even
// for readers.
func TestHardLinks(t *testing.T) {
	for _, name := range []string{"lock", "index-000001.db-shm", "index-000001.db-wal", "index-000001.db.sum", "index-000001.vec"} {
		_, dir := made(t)
		target := filepath.Join(filepath.Dir(dir), "target")
		must(t, os.WriteFile(target, []byte("precious"), 0o600))
		must(t, os.RemoveAll(filepath.Join(dir, name)))
		must(t, os.Link(target, filepath.Join(dir, name)))
		if _, err := store.Open(dir); !errors.Is(err, folder.ErrUnsafe) {
			t.Errorf("%s: Open: %v", name, err)
		}
		if _, err := build.New(t.Context(), dir, build.Options{}); !errors.Is(err, folder.ErrUnsafe) {
			t.Errorf("%s: Build: %v", name, err)
		}
		if b, err := os.ReadFile(target); err != nil || string(b) != "precious" {
			t.Errorf("%s: the file has %d bytes, %v", name, len(b), err)
		}
	}
}

// Another user's files are refused unless adopted.
func TestForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	for _, name := range []string{"", "current", "index-000001.db", "index-000001.db.sum", "lock"} {
		_, dir := made(t)
		must(t, os.Lchown(filepath.Join(dir, name), 4242, 4242))
		if _, err := store.Open(dir); !errors.Is(err, folder.ErrUnsafe) || !strings.Contains(err.Error(), "4242") {
			t.Errorf("%q: Open: %v", name, err)
		}
		if _, err := build.Update(t.Context(), dir, build.Options{Extractor: 1}); !errors.Is(err, folder.ErrUnsafe) {
			t.Errorf("%q: Update: %v", name, err)
		}
		s, err := store.OpenSealed(dir, store.MainView, store.Seal{Anyone: true})
		must(t, err)
		must(t, s.Close())
		t.Setenv("SUDO_UID", "4242")
		s, err = store.Open(dir)
		must(t, err)
		must(t, s.Close())
		t.Setenv("SUDO_UID", "")
	}
}

// An index is readable for its owner alone, also in a folder from an earlier version.
func TestModes(t *testing.T) {
	_, dir := made(t)
	must(t, os.Chmod(dir, 0o755))
	must(t, os.Chmod(filepath.Join(dir, "lock"), 0o644))
	w, err := build.Update(t.Context(), dir, build.Options{Root: "/p", Extractor: 1})
	must(t, err)
	putFiles(t, w, 5, 9)
	info, err := os.Stat(dir)
	must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v", info.Mode())
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		info, err := e.Info()
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v", e.Name(), info.Mode())
		}
	}
}

// A folder that holds something else is nobody's store.
func TestFolderOfSomethingElse(t *testing.T) {
	for _, name := range []string{"lock", "notes.txt", "index-000042.html.db", ".gitignore"} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("precious"), 0o600))
		if _, err := build.New(t.Context(), dir, build.Options{}); !errors.Is(err, folder.ErrNotStore) {
			t.Errorf("%s: Build: %v", name, err)
		}
		if _, err := folder.Clear(dir, false); !errors.Is(err, folder.ErrNotStore) {
			t.Errorf("%s: Clear: %v", name, err)
		}
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != "precious" {
			t.Errorf("%s is %q, %v", name, b, err)
		}
	}
}

// Files beside an index stay, whatever they are called.
func TestFilesBesideAnIndex(t *testing.T) {
	_, dir := made(t)
	beside := []string{"index-000042.html.db", "index-notes.db.bak", "notes"}
	for _, name := range beside {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	scrapeFiles(t, dir, 6)
	kept, err := folder.Clear(dir, false)
	if err != nil || !slices.Equal(kept, beside) {
		t.Errorf("Clear kept %q, %v", kept, err)
	}
	for _, name := range beside {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// Opening, updating and listing views ask for the seal. A fresh index gets it.
func TestSeal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".patina")
	own, other := store.Seal{Secret: "own"}, store.Seal{Secret: "other"}
	w, err := build.New(t.Context(), dir, build.Options{Root: "/p", Extractor: 1, Seal: own})
	must(t, err)
	putFiles(t, w, 0, 3)
	if _, err := store.OpenSealed(dir, store.MainView, other); !errors.Is(err, store.ErrForeign) {
		t.Errorf("OpenSealed: %v", err)
	}
	if _, err := build.Update(t.Context(), dir, build.Options{Root: "/p", Extractor: 1, Seal: other}); !errors.Is(err, store.ErrForeign) {
		t.Errorf("Update: %v", err)
	}
	if x := store.Examine(t.Context(), dir, store.MainView, other); !errors.Is(x.Err, store.ErrForeign) {
		t.Errorf("Examine: %v", x.Err)
	}
	if v := store.Views(t.Context(), dir, other); v != nil {
		t.Errorf("Views: %q", v)
	}
	s, err := store.OpenSealed(dir, store.MainView, own)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	// Another index replaces the open one in the same folder. The open store does not answer from
	// it.
	w, err = build.New(t.Context(), dir, build.Options{Root: "/p", Extractor: 1, Seal: other, Discard: true})
	must(t, err)
	putFiles(t, w, 0, 3)
	if _, err := s.Pin(t.Context(), 1); !errors.Is(err, store.ErrForeign) {
		t.Errorf("Pin: %v", err)
	}
}
