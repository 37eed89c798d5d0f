package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"patina/store/doc"
	"patina/store/folder"
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
		if s, err := Open(dir); !errors.Is(err, ErrDamaged) {
			if err == nil {
				_ = s.Close()
			}
			t.Fatalf("bit %#x of byte %d: %v, want ErrDamaged", bit, at, err)
		}
	}
	write(t, path, whole)
	s, err := Open(dir)
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
	w, err := Build(context.Background(), dir, BuildOptions{Root: "/p", Extractor: 1})
	if err != nil {
		t.Fatal(err)
	}
	putFiles(t, w, 0, n)
}

func putFiles(t *testing.T, w *Writer, from, to int) {
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
		var busy *Pin
		var s *Store
		if i%4 == 2 {
			var err error
			if s, err = Open(dir); err != nil {
				t.Fatal(err)
			}
			if busy, err = s.Pin(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
		}
		w, err := Update(context.Background(), dir, BuildOptions{Root: "/p", Extractor: 1})
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
		have := readSums(path)
		if have == nil {
			t.Fatalf("update %d: no sums", i)
		}
		want, err := sumBlocks(path, have.publication, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(*have) != fmt.Sprint(*want) {
			t.Fatalf("update %d: sums of %d blocks differ from those of the file", i, len(have.blocks))
		}
	}
}

// A verified file is not read again until it is written, or a day has passed.
func TestTrusted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	now := time.Now()
	for _, test := range []struct {
		file, sums time.Duration // ago
		want       bool
	}{
		{time.Hour, time.Minute, true},
		{time.Minute, time.Hour, false},
		{48 * time.Hour, 25 * time.Hour, false},
		{time.Hour, -time.Hour, false},
	} {
		for name, ago := range map[string]time.Duration{path: test.file, folder.SumsOf(path): test.sums} {
			if err := errors.Join(os.WriteFile(name, nil, 0o644), os.Chtimes(name, now.Add(-ago), now.Add(-ago))); err != nil {
				t.Fatal(err)
			}
		}
		if got := isTrusted(path); got != test.want {
			t.Errorf("written %v ago, verified %v ago: trusted %v", test.file, test.sums, got)
		}
	}
}

func FuzzSums(f *testing.F) {
	s := &sums{publication: 3, size: 100, blocks: []uint32{7}}
	path := filepath.Join(f.TempDir(), "f")
	in, err := folder.Open(filepath.Dir(path), false)
	if err != nil {
		f.Fatal(err)
	}
	if err := s.writeSums(in, path); err != nil {
		f.Fatal(err)
	}
	b, err := os.ReadFile(folder.SumsOf(path))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(b[:9])
	f.Fuzz(func(t *testing.T, b []byte) {
		if s := parseSums(b); s != nil && len(s.blocks) != blocksOf(s.size) {
			t.Errorf("%d blocks of %d bytes", len(s.blocks), s.size)
		}
	})
}

// Sums that are a pipe, a link, a device or too long count as none: nothing waits for them or reads
// them to the end.
func TestSumsThatAreNoFile(t *testing.T) {
	dir := t.TempDir()
	scrapeFiles(t, dir, 3)
	path := publishedIn(t, dir)
	if readSums(path) == nil {
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
		if readSums(path) != nil {
			t.Errorf("%s is taken for sums", name)
		}
		s, err := Open(dir)
		if name == "a long file" {
			noError(t, err)
			noError(t, s.Close())
		} else if !errors.Is(err, folder.ErrUnsafe) {
			t.Errorf("open beside %s: %v", name, err)
		}
	}
}
