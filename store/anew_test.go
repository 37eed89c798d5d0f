package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"patina/store"
)

// A store that is open sees the index of a folder that was emptied, or removed, and filled anew:
// its files have the names of the old ones.
func TestFolderFilledAnew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	scrapeFiles(t, dir, 3)
	s, err := store.Open(dir)
	noError(t, err)
	defer func() { noError(t, s.Close()) }()
	holds := func(want int) {
		t.Helper()
		p, err := s.Pin(t.Context(), 1)
		noError(t, err)
		defer p.Close()
		if got := p.Readers[0].Generation().Files; got != want {
			t.Errorf("%d files, want %d", got, want)
		}
	}
	holds(3)
	names, err := os.ReadDir(dir)
	noError(t, err)
	for _, n := range names {
		noError(t, os.Remove(filepath.Join(dir, n.Name())))
	}
	scrapeFiles(t, dir, 5)
	holds(5)
	noError(t, os.RemoveAll(dir))
	scrapeFiles(t, dir, 7)
	holds(7)
}
