package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
)

// mostlyTests agrees with a count over all files, over updates that do and do not change it.
func TestMostlyTestsFollowsUpdates(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(1, 0))
	classes := []doc.Class{0, doc.TestFolder, doc.TestFolder, doc.TestFolder, doc.TestName, doc.TestName | doc.TestCode, doc.PathOnly, doc.TestFolder | doc.OtherText}
	files := map[string]doc.Class{}
	seen := map[bool]int{}
	for round := range 40 {
		o := build.Options{Root: "/p", Extractor: 1}
		w, err := build.Update(context.Background(), dir, o)
		if round == 0 {
			w, err = build.New(context.Background(), dir, o)
		}
		if err != nil {
			t.Fatal(err)
		}
		k := w.Worker()
		for range random.IntN(4) {
			path := fmt.Sprint("f", random.IntN(12), ".go")
			class, held := files[path]
			if !held || random.IntN(2) == 0 { // else only its content changes
				class = classes[random.IntN(len(classes))]
			}
			if random.IntN(4) == 0 {
				delete(files, path)
				err = w.Remove(path)
			} else {
				files[path] = class
				err = k.Put(&doc.File{Path: path, Kind: doc.Code, Class: class, Hash: fmt.Sprint(round), Body: []byte("x"), Chunks: []doc.Chunk{{Entry: -1, First: 1, Last: 1, Body: "x"}}})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Publish(doc.Generation{ScrapedAt: time.Now()}); err != nil {
			t.Fatal(err)
		}
		all, tests := 0, 0
		for _, c := range files {
			if c&(doc.OtherText|doc.PathOnly) == 0 {
				all++
				if c&doc.TestFolder != 0 || c&(doc.TestName|doc.TestCode) == doc.TestName|doc.TestCode {
					tests++
				}
			}
		}
		want := tests*5 > all*4
		seen[want]++
		if got := testsSaid(t, dir); got != want {
			t.Fatalf("round %d: %v with %d of %d files in tests", round, got, tests, all)
		}
	}
	if seen[true] < 5 || seen[false] < 5 {
		t.Errorf("the rounds say little: %v", seen)
	}
}

func testsSaid(t *testing.T, dir string) bool {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	p, err := s.Pin(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	snap, err := p.Readers[0].Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return snap.Tests
}
