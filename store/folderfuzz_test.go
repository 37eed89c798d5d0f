package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/folder"
)

// plantable lists names for entries in a fuzzed folder.
var plantable = []string{
	"current", "lock", "project", ".gitignore", "current.new", "project.new", "index-000001.db", "index-000001.db-wal", "index-000001.db-shm",
	"index-000001.db-journal", "index-000001.db.sum", "index-000001.db.sum.new", "index-000001.vec", "index-000001.hnsw", "index-000002.db",
	"index-9223372036854775807.db", "notes", "index-x.db", "index-000001.db.bak", "-n", "a b",
}

// plantEntries reads a folder's entries from bytes: name, kind, content. It returns the content of
// regular files foreign to a store.
func plantEntries(t *testing.T, dir, victim string, recipe []byte) (foreign map[string][]byte) {
	t.Helper()
	foreign = map[string][]byte{}
	for len(recipe) >= 3 {
		name, kind, n := plantable[int(recipe[0])%len(plantable)], recipe[1]%8, int(recipe[2])
		recipe = recipe[3:]
		content := recipe[:min(n, len(recipe))]
		recipe = recipe[len(content):]
		at := filepath.Join(dir, name)
		must(t, os.RemoveAll(at))
		delete(foreign, name)
		switch kind {
		case 0:
			must(t, os.Symlink(victim, at))
		case 1:
			must(t, syscall.Mkfifo(at, 0o600))
		case 2:
			must(t, os.Mkdir(at, 0o700))
		case 3:
			must(t, os.Link(victim, at))
		case 4:
			must(t, os.WriteFile(at, []byte("index-000001.db\n"), 0o600))
		default:
			must(t, os.WriteFile(at, content, 0o600))
			if !folder.Owns(name) {
				foreign[name] = bytes.Clone(content)
			}
		}
	}
	return foreign
}

// With any entries in a folder, no call panics or hangs, none touches a file elsewhere, and foreign
// files stay.
func FuzzFolder(f *testing.F) {
	f.Add([]byte{}, false)
	f.Add([]byte{1, 0, 0, 3, 5, 2, '*', '\n'}, true)
	f.Add([]byte{0, 4, 0, 6, 5, 9, 'n', 'o', 't', ' ', 'a', ' ', 'd', 'b', '!', 3, 5, 2, '*', '\n'}, false)
	f.Add([]byte{7, 5, 40, 0x37, 0x7f, 6, 0x82, 0, 0x2d, 0xe2, 0x18, 0, 0, 0x10, 0, 10, 5, 3, 1, 2, 3}, true)
	seed := filepath.Join(f.TempDir(), "seed")
	w, err := build.New(f.Context(), seed, build.Options{Root: "/p", Extractor: 1})
	if err == nil {
		_, err = w.Publish(doc.Generation{})
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, recipe []byte, filled bool) {
		dir := filepath.Join(t.TempDir(), ".patina")
		if filled {
			must(t, os.CopyFS(dir, os.DirFS(seed)))
		} else {
			must(t, os.Mkdir(dir, 0o700))
		}
		victim := filepath.Join(filepath.Dir(dir), "victim")
		must(t, os.WriteFile(victim, []byte("precious"), 0o600))
		foreign := plantEntries(t, dir, victim, recipe)
		if s, err := store.Open(dir); err == nil {
			must(t, s.Close())
		}
		store.Examine(t.Context(), dir, store.MainView, store.Seal{})
		store.Views(t.Context(), dir, store.Seal{})
		if w, err := build.Update(t.Context(), dir, build.Options{Root: "/p", Extractor: 1}); err == nil {
			w.Abort()
		}
		if w, err := build.New(t.Context(), dir, build.Options{Root: "/p", Extractor: 1}); err == nil {
			_, _ = w.Publish(doc.Generation{})
		}
		_, _ = folder.Clear(dir, false)
		if b, err := os.ReadFile(victim); err != nil || string(b) != "precious" {
			t.Errorf("the file of the user is %.40q, %v", b, err)
		}
		for name, content := range foreign {
			if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(b, content) {
				t.Errorf("%q is %q, %v; it was %q", name, b, err, content)
			}
		}
	})
}
