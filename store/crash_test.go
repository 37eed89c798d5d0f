package store_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"patina/store"
	"patina/store/build"
	"patina/store/storetest"
)

// A power loss during an update leaves any part of the log, so the log is cut at every write
// boundary and inside every write. The store must then answer as before. Only the complete log may
// give the update.
func TestUpdateCutAtEveryWrite(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 60)
	before := storetest.Dump(t, dir)
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := s.Pin(context.Background(), 1) // keeps the log from being moved into the database
	if err != nil {
		t.Fatal(err)
	}
	w, err := build.Update(context.Background(), dir, build.Options{Root: "/p", Extractor: 1})
	if err != nil {
		t.Fatal(err)
	}
	putFiles(t, w, 60, 90)
	path := publishedIn(t, dir)
	log, err := os.ReadFile(path + "-wal")
	if err != nil || len(log) < 32 {
		t.Fatalf("the update left no log: %v", err)
	}
	cut := t.TempDir()
	at := func(n int) string {
		if err := os.RemoveAll(cut); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(cut, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(cut, filepath.Base(path))
		_ = os.Remove(name + "-shm") // in memory, so gone with the power
		if err := os.Truncate(name+"-wal", int64(n)); err != nil {
			t.Fatal(err)
		}
		return storetest.Dump(t, cut)
	}
	after := at(len(log))
	if after == before {
		t.Fatal("the update changed nothing")
	}
	frame := 24 + int(binary.BigEndian.Uint32(log[8:]))
	cuts := 0
	for n := 0; n < len(log); n += frame {
		if n == frame {
			n = 32 // the log's own header
		}
		for _, n := range []int{n, n + 1, n + 24, n + frame/2} {
			if n >= len(log) {
				continue
			}
			cuts++
			if at(n) != before {
				t.Errorf("log cut at byte %d of %d: the store does not say what it said before", n, len(log))
			}
		}
	}
	if cuts < 20 {
		t.Errorf("only %d cuts were tried", cuts)
	}
	reader.Close()
	_ = s.Close()
}

// A power loss during a full scrape leaves any part of the new database and its name. The old one
// answers.
func TestFullScrapeCutAtEveryPage(t *testing.T) {
	dir, next := t.TempDir(), t.TempDir()
	scrapeFiles(t, dir, 20)
	before := storetest.Dump(t, dir)
	scrapeFiles(t, next, 30)
	made, err := os.ReadFile(filepath.Join(next, "index-000001.db"))
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(dir, "index-000002.db")
	for n := 0; n <= len(made); n += 8192 {
		if err := os.WriteFile(half, made[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if storetest.Dump(t, dir) != before {
			t.Fatalf("with %d bytes of the next database the store does not say what it said before", n)
		}
	}
	name := "index-000002.db\n"
	for n := range name {
		if err := os.WriteFile(filepath.Join(dir, "current.new"), []byte(name[:n]), 0o644); err != nil {
			t.Fatal(err)
		}
		if storetest.Dump(t, dir) != before {
			t.Fatalf("with %d bytes of the next name the store does not say what it said before", n)
		}
	}
	w, err := build.Update(context.Background(), dir, build.Options{Root: "/p", Extractor: 1})
	if err != nil {
		t.Fatal(err)
	}
	putFiles(t, w, 20, 21)
	if _, err := os.Stat(half); !os.IsNotExist(err) {
		t.Errorf("the next scrape leaves half a database: %v", err)
	}
}
