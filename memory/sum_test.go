package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"patina/store/sqlite"
)

// rich makes a store with all kinds of data: links, history, a run to undo.
func rich(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		added(t, s, Memory{
			Content: fmt.Sprint("The pool of service ", i, " holds ", 8+i, " connections"),
			Tags:    []string{"db", fmt.Sprint("s", i)},
			Aliases: []string{"pool size"}, Path: fmt.Sprint("pool/", i, ".go"), Symbol: "Open", Source: "review",
		})
	}
	added(t, s, Memory{Content: "We store ropes in boxes"})
	id := added(t, s, Memory{Content: "Store ropes in boxes", Confidence: .4}).ID
	if _, err := s.Edit(t.Context(), id, false, func(m *Memory) { m.Tags = []string{"ropes"} }); err != nil {
		t.Fatal(err)
	}
	if err := s.Link(t.Context(), NoteModel()); err != nil {
		t.Fatal(err)
	}
	if done, err := s.Consolidate(t.Context(), nil); err != nil || done.ID == "" {
		t.Fatalf("%+v, %v", done, err)
	}
	return s
}

// A flipped bit in the file is an error of the export, or has no effect on it.
func TestNoFlipChangesAnExport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := rich(t, path)
	want := exported(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flips := 400
	if testing.Short() {
		flips = 60
	}
	random, said := rand.New(rand.NewSource(1)), 0
	for range flips {
		content := bytes.Clone(sound)
		at, bit := random.Intn(len(content)), random.Intn(8)
		content[at] ^= 1 << bit
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		err := Look(t.Context(), path, func(s *Store) error {
			got.Reset()
			return s.Export(context.Background(), &got)
		})
		switch {
		case err != nil:
			said++
		case got.String() != want:
			t.Errorf("bit %d of byte %d changes the export in silence", bit, at)
		}
		for _, end := range []string{"-wal", "-shm"} {
			_ = os.Remove(path + end)
		}
	}
	if said == 0 {
		t.Error("no flip is said")
	}
}

// Each changed row is an error for its readers, and can be salvaged.
func TestChangedRows(t *testing.T) {
	for _, statement := range []string{
		`UPDATE memory SET content = content || '!' WHERE key = 2`,
		`UPDATE memory SET confidence = 0.25 WHERE key = 2`,
		`UPDATE memory SET pinned = 1 WHERE key = 2`,
		`UPDATE memory SET origin = 'agent' WHERE key = 2`,
		`UPDATE memory SET valid_to = 5 WHERE key = 2`,
		`UPDATE memory SET created_at = created_at - 1 WHERE key = 2`,
		`UPDATE memory SET sum = NULL WHERE key = 2`,
		`DELETE FROM tag WHERE memory = 2 AND tag = 'db'`,
		`INSERT INTO tag VALUES(2, 'x')`,
		`UPDATE event SET detail = 'x' WHERE memory = 2`,
		`UPDATE event SET sum = NULL WHERE memory = 2`,
		`UPDATE similar SET cosine = 0.5`,
	} {
		path := filepath.Join(t.TempDir(), "memory.db")
		s := rich(t, path)
		whole := len(exportedLines(t, s))
		if _, err := s.db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := s.Export(t.Context(), &got); !errors.Is(err, sqlite.ErrDamaged) || got.Len() > 0 {
			t.Errorf("%s: export: %v, %d bytes", statement, err, got.Len())
		}
		faults := 0
		if err := s.Salvage(t.Context(), &got, func(error) { faults++ }); err != nil || faults == 0 ||
			strings.Count(got.String(), "\n") != whole {
			t.Errorf("%s: salvage: %d faults, %d of %d lines, %v", statement, faults, strings.Count(got.String(), "\n"),
				whole, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestChangedRuns(t *testing.T) {
	for _, statement := range []string{
		`UPDATE consolidation SET first = first - 1`, `UPDATE consolidation SET memories = memories`,
		`UPDATE consolidated SET was = replace(was, 'ropes', 'rope')`, `UPDATE consolidated SET sum = NULL`,
	} {
		s := rich(t, filepath.Join(t.TempDir(), "memory.db"))
		runs, err := s.Runs(t.Context())
		if err != nil || len(runs) != 1 {
			t.Fatalf("%+v, %v", runs, err)
		}
		if _, err := s.db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		_, err = s.Undo(t.Context(), runs[0].ID)
		if unchanged := strings.HasSuffix(statement, "memories = memories"); unchanged != (err == nil) ||
			!unchanged && !errors.Is(err, sqlite.ErrDamaged) {
			t.Errorf("%s: %v", statement, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A store of an earlier version, which had no sums, gets them when it is opened, even by a reader.
// No data is lost or changed.
func TestSumsOfTheLastVersion(t *testing.T) {
	last := fstest.MapFS{}
	names, err := fs.Glob(migrations, "000[1-4]_*.sql")
	if err != nil || len(names) != 4 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(migrations, name)
		if err != nil {
			t.Fatal(err)
		}
		last[name] = &fstest.MapFile{Data: text}
	}
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := sqlite.OpenAuthored(t.Context(), path, last)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`INSERT INTO memory(` + strings.TrimSuffix(columns, ", scope") + `, words) VALUES
			('m-1', 'use tabs', 'preference', .95, 1, 'review', 's', '', 'a.go', 'F', 10, NULL, '', 'user', 'ab', 'indent', 'w'),
			('m-2', 'use spaces', 'preference', .95, 0, '', '', '', '', '', 5, 11, 'm-1', 'agent', '', '', 'v');
		INSERT INTO tag VALUES(1, 'style'), (1, 'go');
		INSERT INTO event(memory, at, action, detail) VALUES(1, 10, 'added', 'user'), (2, 11, 'superseded', 'm-1');
		INSERT INTO similar VALUES(1, 2, .812);
		INSERT INTO consolidation(id, at, first, last, memories) VALUES('c-1', 11, 2, 2, 1);
		INSERT INTO consolidated VALUES(1, 2, '{"id":"m-2","content":"use spaces","type":"preference","tags":[],"confidence":0.95,"created_at":"1970-01-01T00:00:05Z","origin":"agent"}')`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"m-2","content":"use spaces","type":"preference","tags":[],"confidence":0.95,"pinned":false,"source":"","session":"","commit":"","path":"","symbol":"","created_at":"1970-01-01T00:00:05Z","valid_to":"1970-01-01T00:00:11Z","superseded_by":"m-1","origin":"agent","log":[{"at":"1970-01-01T00:00:11Z","action":"superseded","detail":"m-1"}]}
{"id":"m-1","content":"use tabs","type":"preference","tags":["go","style"],"aliases":["indent"],"confidence":0.95,"pinned":true,"source":"review","session":"s","commit":"","path":"a.go","symbol":"F","created_at":"1970-01-01T00:00:10Z","superseded_by":"","origin":"user","ground":"ab","similar_to":[{"id":"m-2","cosine":0.812}],"log":[{"at":"1970-01-01T00:00:10Z","action":"added","detail":"user"}]}
`
	var got bytes.Buffer
	if err := Look(t.Context(), path, func(s *Store) error { return s.Export(t.Context(), &got) }); err != nil ||
		got.String() != want {
		t.Errorf("%s%v", got.String(), err)
	}
	s := opened(t, path)
	for _, table := range []string{"memory", "event", "similar", "consolidation", "consolidated"} {
		var without int
		if err := s.db.QueryRow(`SELECT count(*) FROM ` + table + ` WHERE sum IS NULL`).Scan(&without); err != nil ||
			without > 0 {
			t.Errorf("%s: %d rows without a sum, %v", table, without, err)
		}
	}
	if n, err := s.Undo(t.Context(), "c-1"); err != nil || n != 1 {
		t.Errorf("undo: %d, %v", n, err)
	}
}

// An empty file has lost its data. It is not a store without notes.
func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("open: %v", err)
	}
	if err := Look(t.Context(), path, func(*Store) error { return nil }); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("look: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("it was written: %v", err)
	}
}
