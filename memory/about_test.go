package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"patina/store/sqlite"
)

// notesAbout returns the notes about a place from the store at a path, as a hook reads them.
func notesAbout(ctx context.Context, store, path, symbol string) (found []Memory, err error) {
	err = Glance(ctx, store, func(s *Store) error {
		found, err = s.About(ctx, path, symbol)
		return err
	})
	return found, err
}

func TestNotesAbout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	if found, err := notesAbout(t.Context(), path, "a.go", ""); err != nil || found != nil {
		t.Fatalf("a missing store: %v, %v", found, err)
	}
	s := opened(t, path)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	keep := func(text, path, symbol string, pinned bool) string {
		at = at.Add(time.Hour)
		return added(t, s, Memory{Content: text, Path: path, Symbol: symbol, Pinned: pinned, Created: at}).ID
	}
	file := keep("The whole file is generated.", "db/pool.go", "", false)
	expire := keep("Expire must hold the lock.", "db/pool.go", "Table.Expire", false)
	open := keep("Open is slow.", "db/pool.go", "Open", false)
	pinned := keep("Never edit it by hand.", "db/pool.go", "", true)
	elsewhere := keep("Expire is called by the timer.", "", "Expire", false)
	stop := keep("Get takes no lock.", "", "Get", false)
	long := keep("It is long.", "", "aVeryLongNameThatHasMoreThanFortyCharactersInIt", false)
	keep("Another file.", "db/pool_test.go", "Expire", false)
	ended := keep("Out of date.", "db/pool.go", "", false)
	if _, err := s.Forget(t.Context(), ended); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, symbol string
		want         []string
	}{
		{"db/pool.go", "", []string{pinned, open, expire, file}},
		{"db/pool.go", "Table.Expire", []string{pinned, elsewhere, expire, file}},
		{"db/pool.go", "Expire", []string{pinned, elsewhere, expire, file}},
		{"db/pool.go", "Reexpire", []string{pinned, file}},
		{"db/pool.go", "Open#2", []string{pinned, open, file}},
		{"", "Cache.Get", []string{stop}},
		{"", "aVeryLongNameThatHasMoreThanFortyCharactersInIt", []string{long}},
		{"db", "", nil},
		{"", "", nil},
	} {
		found, err := notesAbout(t.Context(), path, c.path, c.symbol)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, m := range found {
			ids = append(ids, m.ID)
		}
		if !slices.Equal(ids, c.want) {
			t.Errorf("about %q, %q: %v, want %v", c.path, c.symbol, ids, c.want)
		}
	}
}

// A store of an older version stays as it is, and the error says so.
func TestNotesAboutNeverMigrates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	old := unpacked(t, "v5/memory.db.gz")
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := notesAbout(t.Context(), path, "a.go", ""); !errors.Is(err, ErrOlder) {
		t.Errorf("an older store: %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !slices.Equal(now, old) {
		t.Errorf("the older store was changed (%v)", err)
	}
	if err := os.WriteFile(path, []byte("this is no database, and long enough to be read as one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := notesAbout(t.Context(), path, "a.go", ""); err == nil {
		t.Error("a file that is no database has no error")
	}
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := notesAbout(t.Context(), link, "a.go", ""); err == nil {
		t.Error("a link is followed")
	}
}

// BenchmarkNotesAbout opens the store anew for each question, as a hook does.
func BenchmarkNotesAbout(b *testing.B) {
	path := filepath.Join(b.TempDir(), "memory.db")
	s, err := Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	fill(b, s, 10_000)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	if sqlite.Logged(path) {
		b.Fatal("the store has a log")
	}
	for b.Loop() {
		found, err := notesAbout(context.Background(), path, "dir/file77.go", "Name77")
		if err != nil || len(found) != 10 {
			b.Fatal(len(found), err)
		}
	}
}

// fill adds notes in turns about 1,000 files and 1,000 symbols.
func fill(tb testing.TB, s *Store, n int) {
	tx, err := s.beginWrite(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	for i := range n {
		m := Memory{Content: fmt.Sprintf("Note %d is about its own place.", i), Path: fmt.Sprintf("dir/file%d.go", i%1000)}
		if i/1000%2 == 1 {
			m.Path, m.Symbol = "", fmt.Sprintf("Type.Name%d", i%1000)
		}
		if m, err = m.completed(s.now()); err != nil {
			tb.Fatal(err)
		}
		m.ID = newID()
		if _, err := insertMemory(tb.Context(), tx, m); err != nil {
			tb.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		tb.Fatal(err)
	}
}
