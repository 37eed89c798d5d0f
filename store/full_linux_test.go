package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"patina/store"
	"patina/store/storetest"
)

// On a full disk an index answers and passes an examination: both read the file as it is.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { storetest.Check(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	dir := filepath.Join(disk, "store")
	c := storetest.NewCorpus(41)
	c.Fill()
	c.Build(t, dir)
	full, err := os.Create(filepath.Join(disk, "rest"))
	storetest.Check(t, err)
	for n := 1 << 16; n > 0; n /= 2 {
		for err = nil; err == nil; {
			_, err = full.Write(make([]byte, n))
		}
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	storetest.Check(t, full.Close())
	if err := storetest.Opened(dir, func(r *store.Reader) error { return nil }); err != nil {
		t.Errorf("open: %v", err)
	}
	if x := store.Examine(t.Context(), dir, store.MainView, store.Seal{}); x.Err != nil || x.Format != store.Format {
		t.Errorf("examine: format %d, %v", x.Format, x.Err)
	}
}
