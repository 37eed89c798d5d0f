package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"syscall"
	"testing"
	"time"

	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/folder"
	"patina/store/format"
	"patina/store/sqlite"
)

// A bit flipped anywhere in a database is an error, whatever it meant.
func TestFlippedBitIsDamage(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 40)
	path := publishedIn(t, dir)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	for range 50 {
		at, bit := r.Intn(len(whole)), byte(1)<<r.Intn(8)
		broken := bytes.Clone(whole)
		broken[at] ^= bit
		write(t, path, broken)
		if s, err := store.Open(dir); !errors.Is(err, store.ErrDamaged) {
			if err == nil {
				_ = s.Close()
			}
			t.Fatalf("bit %#x of byte %d: %v, want ErrDamaged", bit, at, err)
		}
	}
	write(t, path, whole)
	s, err := store.Open(dir)
	if err != nil {
		t.Fatalf("whole again: %v", err)
	}
	_ = s.Close()
}

// write puts content into a file and makes it younger than its sums.
func write(t *testing.T, path string, content []byte) {
	t.Helper()
	later := time.Now().Add(time.Second)
	if err := errors.Join(os.WriteFile(path, content, 0o644), os.Chtimes(path, later, later)); err != nil {
		t.Fatal(err)
	}
}

// scrapeFiles builds an index with n files.
func scrapeFiles(t *testing.T, dir string, n int) {
	t.Helper()
	w, err := build.New(context.Background(), dir, build.Options{Root: "/p", Extractor: 1})
	if err != nil {
		t.Fatal(err)
	}
	putFiles(t, w, 0, n)
}

func putFiles(t *testing.T, w *build.Writer, from, to int) {
	t.Helper()
	k := w.Worker()
	for i := from; i < to; i++ {
		body := fmt.Sprintf("word%d is said here and there%d", i, i%7)
		f := &doc.File{Path: fmt.Sprintf("f%d.txt", i), Kind: doc.Code, Hash: fmt.Sprint(i), Lines: 1, Body: []byte(body), Chunks: []doc.Chunk{{Entry: -1, First: 1, Last: 1, Body: body}}}
		if err := k.Put(f); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Publish(doc.Generation{ScrapedAt: time.Now()}); err != nil {
		t.Fatal(err)
	}
}

// Sums updated block by block equal those over the whole file. This holds over many updates, even
// if a reader kept the log from being emptied.
func TestSumsFollowUpdates(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 300)
	for i := range 12 {
		var busy *store.Pin
		var s *store.Store
		if i%4 == 2 {
			var err error
			if s, err = store.Open(dir); err != nil {
				t.Fatal(err)
			}
			if busy, err = s.Pin(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
		}
		w, err := build.Update(context.Background(), dir, build.Options{Root: "/p", Extractor: 1})
		if err != nil {
			t.Fatal(err)
		}
		putFiles(t, w, 300+20*i, 330+20*i)
		path := publishedIn(t, dir)
		if busy != nil {
			busy.Close()
			_ = s.Close()
			continue
		}
		if sqlite.Logged(path) {
			t.Fatalf("update %d left a log", i)
		}
		have := format.ReadSums(path)
		if have == nil {
			t.Fatalf("update %d: no sums", i)
		}
		want, err := format.SumBlocks(path, have.Publication, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(*have) != fmt.Sprint(*want) {
			t.Fatalf("update %d: the sums differ from those of the file", i)
		}
	}
}

// Sums that are a pipe, a link, a device or too long must count as absent, and must not be waited
// for or read to the end.
func TestSumsThatAreNoFile(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 3)
	path := publishedIn(t, dir)
	if format.ReadSums(path) == nil {
		t.Fatal("no sums of a sound index")
	}
	for name, plant := range map[string]func(at string) error{
		"a pipe":         func(at string) error { return syscall.Mkfifo(at, 0o600) },
		"a link":         func(at string) error { return os.Symlink(path, at) },
		"a device":       func(at string) error { return os.Symlink("/dev/zero", at) },
		"a long file":    func(at string) error { return errors.Join(os.WriteFile(at, nil, 0o600), os.Truncate(at, 8<<30)) },
		"another folder": func(at string) error { return os.Mkdir(at, 0o700) },
	} {
		noError(t, errors.Join(os.RemoveAll(folder.SumsOf(path)), plant(folder.SumsOf(path))))
		if format.ReadSums(path) != nil {
			t.Errorf("%s is taken for sums", name)
		}
		s, err := store.Open(dir)
		if name == "a long file" {
			noError(t, err)
			noError(t, s.Close())
		} else if !errors.Is(err, folder.ErrUnsafe) {
			t.Errorf("open beside %s: %v", name, err)
		}
	}
}

// publishedIn returns the published database's path.
func publishedIn(t *testing.T, dir string) string {
	t.Helper()
	f, err := folder.Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	path, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
