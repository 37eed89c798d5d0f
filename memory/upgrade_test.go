package memory

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/store/sqlite"
)

// The files below testdata were written by the last version before scopes: by "patina persona note"
// and "patina memory add", and by hand for a log with odd lines.

// unpacked returns the content of a compressed file below testdata.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	check(t, err)
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	check(t, err)
	b, err := io.ReadAll(r)
	check(t, err)
	return b
}

// lastVersion returns a user's notes as written by an earlier version: a log, and a store derived
// from it.
func lastVersion(t *testing.T) UserNotes {
	t.Helper()
	u := UserNotesIn(t.TempDir())
	check(t, os.CopyFS(u.Events(), os.DirFS("testdata/persona/events")))
	check(t, os.MkdirAll(u.derived(), 0o700))
	check(t, os.WriteFile(u.Database(), unpacked(t, "persona/persona.db.gz"), 0o600))
	return u
}

// logBytes returns the files of a log.
func logBytes(t *testing.T, u UserNotes) map[string]string {
	t.Helper()
	all := map[string]string{}
	files, err := os.ReadDir(u.Events())
	check(t, err)
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(u.Events(), f.Name()))
		check(t, err)
		all[f.Name()] = string(b)
	}
	return all
}

// A store of an earlier version is replaced at the first question by one with every event of the
// log. The log does not change. Asking again changes nothing.
func TestUserStoreOfTheLastVersion(t *testing.T) {
	u := lastVersion(t)
	before := logBytes(t, u)
	if s, err := u.Status(t.Context()); err != nil || !errors.Is(s.Condition, sqlite.ErrDamaged) ||
		!strings.Contains(s.Condition.Error(), "schema 1, this patina has") {
		t.Fatalf("%+v, %v", s, err)
	}
	got := listLines(t, u)
	made, err := os.Stat(u.Database())
	check(t, err)
	if again := listLines(t, u); !slices.Equal(again, got) {
		t.Errorf("%q, asked again %q", got, again)
	}
	if now, err := os.Stat(u.Database()); err != nil || !os.SameFile(made, now) ||
		!made.ModTime().Equal(now.ModTime()) {
		t.Errorf("asking again made the store again: %v", err)
	}
	if !maps.Equal(logBytes(t, u), before) {
		t.Error("the log has changed")
	}
	notes, _ := noteContents(t, u, false)
	if fresh, _ := noteContents(t, u, true); fresh != notes {
		t.Errorf("upgraded:\n%s\nmade from nothing:\n%s", notes, fresh)
	}
	events := 0
	for _, body := range before {
		events += strings.Count(strings.TrimSpace(body), "\n") + 1
	}
	s, err := u.Status(t.Context())
	if err != nil || s.Condition != nil || !s.UpToDate || s.Events+s.Lost() != events || len(got) != s.Notes ||
		strings.Count(notes, "\n") != s.Events {
		t.Errorf("%d lines, %d notes, %+v, %v", events, len(got), s, err)
	}
}

// upgrades is the number of times that an upgrading process is killed.
const upgrades = 30

// upgradeOn upgrades the store of an earlier version again and again, until it is killed.
func upgradeOn(u UserNotes) int {
	old, err := os.ReadFile(u.Database())
	for err == nil {
		fmt.Println("begins")
		if _, err = u.Materialize(context.Background(), false); err == nil {
			fmt.Println("made")
			err = os.WriteFile(u.Database(), old, 0o600)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// A process killed during an upgrade must leave the log unchanged. The next question starts again
// and must have all notes.
func TestKillsWhileUpgrading(t *testing.T) {
	u := lastVersion(t)
	before, old := logBytes(t, u), unpacked(t, "persona/persona.db.gz")
	want := listLines(t, lastVersion(t))
	left := 0
	for i := range upgrades {
		check(t, os.WriteFile(u.Database(), old, 0o600))
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "PATINA_TEST_UPGRADE="+u.Dir)
		out, err := c.StdoutPipe()
		check(t, err)
		check(t, c.Start())
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * time.Millisecond / 2)
		check(t, c.Process.Kill())
		_ = c.Wait()
		if names, _ := filepath.Glob(filepath.Join(u.derived(), unfinished)); len(names) > 0 {
			left++
		}
		if got := listLines(t, u); !slices.Equal(got, want) {
			t.Fatalf("kill %d: %q, want %q", i, got, want)
		}
		if !maps.Equal(logBytes(t, u), before) {
			t.Fatalf("kill %d: the log has changed", i)
		}
		if names, _ := filepath.Glob(filepath.Join(u.derived(), unfinished)); len(names) > 0 {
			t.Errorf("kill %d: left %q", i, names)
		}
	}
	if t.Logf("%d of %d kills left an unfinished store", left, upgrades); left == 0 {
		t.Error("no kill came in the middle of an upgrade")
	}
}

// A project's memories from before scopes are exported exactly as by an earlier version, even by a
// reader, and all have the project's scope.
func TestMemoriesOfTheLastVersion(t *testing.T) {
	want, err := os.ReadFile("testdata/v5/export.jsonl")
	check(t, err)
	path := filepath.Join(t.TempDir(), "memory.db")
	check(t, os.WriteFile(path, unpacked(t, "v5/memory.db.gz"), 0o600))
	var got bytes.Buffer
	check(t, Look(t.Context(), path, func(s *Store) error {
		got.Reset()
		found, err := s.List(t.Context(), Filter{All: true})
		for _, m := range found {
			if m.Scope != ScopeProject {
				t.Errorf("%+v is of scope %q", m, m.Scope)
			}
		}
		return errors.Join(err, s.Export(t.Context(), &got))
	}))
	if got.String() != string(want) {
		t.Errorf("exported\n%s\nwant\n%s", got.String(), want)
	}
	s := opened(t, path)
	if a := added(t, s, Memory{Content: "The pool size is 8 in production.", Type: "gotcha"}); !a.Merged {
		t.Errorf("%+v does not know the notes from before", a)
	}
}
