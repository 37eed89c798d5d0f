package scrape

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"patina/scrape/scrapetest"
	"patina/store"
)

// Keys must not depend on which worker is ready first, because they decide between equal scores.
func TestKeysDoNotHangOnWorkers(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{}
	for i := range 120 {
		files[fmt.Sprintf("d%d/same%d.go", i%7, i)] = "package p\n\n// Twin is like all others.\nfunc Twin() {}\n" +
			strings.Repeat("// more\n", i%3*100)
		files[fmt.Sprintf("docs/guide%d.md", i)] = "# Guide\n\nText.\n" + strings.Repeat("\n## Part\n\nMore.\n", i%4)
	}
	scrapetest.Tree(t, root, files)
	var first map[string]int64
	for _, workers := range []int{1, 8, 3, 8} {
		dir := filepath.Join(t.TempDir(), "store")
		scrape(t, Options{Root: root, StoreDir: dir, Workers: workers})
		got := keysOf(t, dir)
		if first == nil {
			first = got
		}
		for path, key := range got {
			if first[path] != key {
				t.Fatalf("%d workers: %s has key %d, else %d", workers, path, key, first[path])
			}
		}
		if len(got) != len(files) {
			t.Fatalf("%d files, want %d", len(got), len(files))
		}
	}
}

func keysOf(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	s, err := store.Open(dir)
	scrapetest.Must(t, err)
	defer func() { scrapetest.Must(t, s.Close()) }()
	p, err := s.Pin(context.Background(), 1)
	scrapetest.Must(t, err)
	defer p.Close()
	r := p.Readers[0]
	snap, err := r.Snapshot(context.Background())
	scrapetest.Must(t, err)
	listed, err := r.Files(context.Background(), snap)
	scrapetest.Must(t, err)
	out := map[string]int64{}
	for _, f := range listed {
		out[f.Path] = f.Key
	}
	return out
}

// Jobs that end in any order must store by number, and none may wait for ever.
func TestTurns(t *testing.T) {
	order := newTurns()
	var mu sync.Mutex
	var stored []int
	var group sync.WaitGroup
	for _, i := range []int{4, 2, 0, 3, 1, 5} {
		group.Go(func() {
			defer order.endTurn(i)
			if i == 2 { // it stores nothing
				return
			}
			if err := order.wait(context.Background(), i); err != nil {
				t.Error(err)
			}
			mu.Lock()
			stored = append(stored, i)
			mu.Unlock()
		})
	}
	group.Wait()
	if !slices.Equal(stored, []int{0, 1, 3, 4, 5}) {
		t.Errorf("stored %v", stored)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := order.wait(ctx, 99); err == nil {
		t.Error("a cancelled wait ended well")
	}
}
