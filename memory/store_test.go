package memory

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"patina/internal/printable"
	"patina/memory/merge"
	"patina/memory/persona"
	"patina/store/sqlite"
)

func opened(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func added(t *testing.T, s *Store, m Memory) Added {
	t.Helper()
	a, err := s.Add(t.Context(), m, false)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAddMerges(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "a", "memory.db"))
	first := added(t, s, Memory{Content: "Retry three times.", Tags: []string{"net"}, Confidence: .5})
	second := added(t, s, Memory{Content: "retry 3 times", Tags: []string{"Jobs"}, Pinned: true, Confidence: .9})
	if !second.Merged || second.ID != first.ID {
		t.Fatalf("got %+v after %+v", second, first)
	}
	m, err := s.Get(t.Context(), first.ID[:6])
	if err != nil {
		t.Fatal(err)
	}
	if !m.Pinned || m.Confidence != .9 || strings.Join(m.Tags, ",") != "jobs,net" || m.Content != "Retry three times." {
		t.Errorf("merged into %+v", m)
	}
	if len(m.Log) != 2 || !strings.Contains(m.Log[1].Detail, "retry 3 times") {
		t.Errorf("log: %+v", m.Log)
	}
	for _, other := range []Memory{
		{Content: "Retry 4 times"},
		{Content: "Retry 3 times", Type: "decision"},
		{Content: "Retry 3 times", Path: "a.go"},
		{Content: "Retry 3 times", Origin: Untrusted},
	} {
		if a := added(t, s, other); a.Merged {
			t.Errorf("%+v was merged", other)
		}
	}
}

// A note in the other voice is merged, and so is a note into one that an earlier version stored.
func TestAddMergesVoices(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	first := added(t, s, Memory{Content: "The proxy authenticates the client"})
	if a := added(t, s, Memory{Content: "The client is authenticated by the proxy."}); a.ID != first.ID {
		t.Errorf("the passive was kept apart: %+v", a)
	}
	if a := added(t, s, Memory{Content: "The client authenticates the proxy"}); a.Merged {
		t.Error("other roles were merged")
	}
	old := added(t, s, Memory{Content: "Files are read by the loader."})
	if _, err := s.db.ExecContext(t.Context(), `UPDATE memory SET words = ? WHERE id = ?`,
		merge.OldKey("Files are read by the loader."), old.ID); err != nil {
		t.Fatal(err)
	}
	if a := added(t, s, Memory{Content: "files are read by the **loader**"}); a.ID != old.ID {
		t.Errorf("not merged into an earlier version's note: %+v", a)
	}
}

func TestChanges(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := opened(t, path)
	a, b := added(t, s, Memory{Content: "The port is 80"}).ID, added(t, s, Memory{Content: "The port is 81"}).ID
	if _, err := s.Supersede(ctx, a, a); !errors.Is(err, ErrInvalid) {
		t.Errorf("a memory supersedes itself: %v", err)
	}
	if m, err := s.Supersede(ctx, a, b); err != nil || m.SupersededBy != b || m.Current() {
		t.Errorf("superseded: %+v, %v", m, err)
	}
	if _, err := s.Supersede(ctx, b, a); !errors.Is(err, ErrInvalid) {
		t.Errorf("an ended memory supersedes: %v", err)
	}
	if _, err := s.Edit(ctx, b, false, func(m *Memory) { m.Content = "The port is 8081" }); err != nil {
		t.Fatal(err)
	}
	if m, _ := s.Get(ctx, b); len(m.Log) != 2 || m.Log[1].Detail != `content was "The port is 81"` {
		t.Errorf("log: %+v", m.Log)
	}
	if found, _ := s.List(ctx, Filter{}); len(found) != 1 || found[0].ID != b {
		t.Errorf("listed: %+v", found)
	}
	if _, err := s.Get(ctx, "m-"); !errors.Is(err, ErrAmbiguous) {
		t.Errorf("start of two ids: %v", err)
	}
	kept := func() bool { // the record has the text followed by the type
		file, _ := os.ReadFile(path)
		log, _ := os.ReadFile(path + "-wal")
		return bytes.Contains(append(file, log...), []byte("The port is 80lesson"))
	}
	if !kept() {
		t.Fatal("the files do not hold the memory")
	}
	if _, err := s.Purge(ctx, a); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(ctx, a); !errors.Is(err, ErrNone) {
		t.Errorf("after purge: %v", err)
	}
	if kept() {
		t.Error("the files still hold a purged memory")
	}
}

func TestFilters(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	for i := range 40 {
		m := Memory{Content: fmt.Sprintf("note %d", i), Type: Types[i%2]}
		if i == 0 {
			m.Tags, m.Path = []string{"old"}, "a.go"
		}
		added(t, s, m)
	}
	for _, f := range []Filter{{Tags: []string{"old", "none"}, Limit: 1}, {Path: "a.go", Types: Types[:1]}} {
		if found, err := s.List(t.Context(), f); err != nil || len(found) != 1 || found[0].Content != "note 0" {
			t.Errorf("%+v: %+v, %v", f, found, err)
		}
	}
}

func TestRefused(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	for _, m := range []Memory{
		{},
		{Content: "\x00"},
		{Content: "\x1b[31mred"},
		{Content: "\xff"},
		{Content: strings.Repeat("a", MaxContent+1)},
		{Content: "a", Type: "thought"},
		{Content: "a", Confidence: 2},
		{Content: "a", Tags: []string{"a,b"}},
		{Content: "a", Path: "a\nb"},
		{Content: "a", Origin: "god"},
	} {
		if _, err := s.Add(t.Context(), m, false); !errors.Is(err, ErrInvalid) {
			t.Errorf("%.60q: %v", m.Content, err)
		}
	}
	token := Memory{Content: "The token is ghp_" + "x7Kd93mQpL2vRt8YwZ4bNc6HsJ1fGa5EuX0i"}
	if _, err := s.Add(t.Context(), token, false); !errors.Is(err, ErrSecret) {
		t.Errorf("secret: %v", err)
	}
	if _, err := s.Add(t.Context(), token, true); err != nil {
		t.Errorf("allowed secret: %v", err)
	}
}

// No field of a memory may contain a secret in any spelling, and no error may repeat one.
func TestSecretsInEveryField(t *testing.T) {
	ctx := t.Context()
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	id := added(t, s, Memory{Content: "a note"}).ID
	for _, secret := range []string{
		"ghp_" + "x7Kd93mQpL2vRt8YwZ4bNc6HsJ1fGa5EuX0i", "AKIA" + "QYLPMN5HHHFPZAM2",
		"AIza" + "SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe",
		"-----BEGIN RSA " + "PRIVATE KEY-----", "https://user:password@host/",
	} {
		for field, set := range map[string]func(*Memory){
			"content": func(m *Memory) { m.Content = "clone " + secret },
			"tags":    func(m *Memory) { m.Tags = []string{"a", secret} },
			"aliases": func(m *Memory) { m.Aliases = []string{"a", secret} },
			"path":    func(m *Memory) { m.Path = secret },
			"symbol":  func(m *Memory) { m.Symbol = secret },
			"commit":  func(m *Memory) { m.Commit = secret },
			"source":  func(m *Memory) { m.Source = secret },
			"session": func(m *Memory) { m.Session = secret },
			"type":    func(m *Memory) { m.Type = secret },
			"log":     func(m *Memory) { m.ID, m.Log = "m-1", []Event{{Action: "edited", Detail: secret}} },
		} {
			m := Memory{Content: "b " + field}
			set(&m)
			line, err := encodeLine(m)
			if err != nil {
				t.Fatal(err)
			}
			_, added := s.Add(ctx, m, false)
			_, imported := s.Import(ctx, bytes.NewReader(line), true, false, nil)
			for way, err := range map[string]error{"add": added, "import": imported} {
				if !errors.Is(err, ErrSecret) || strings.Contains(err.Error(), secret) {
					t.Errorf("%s: %.12s in %s: %v", way, secret, field, err)
				}
			}
			if field == "log" {
				continue // cannot be changed by an edit
			}
			if _, err := s.Edit(ctx, id, false, set); !errors.Is(err, ErrSecret) {
				t.Errorf("edit: %.12s in %s: %v", secret, field, err)
			}
		}
	}
	if all, err := s.List(ctx, Filter{All: true}); err != nil || len(all) != 1 {
		t.Errorf("kept: %+v, %v", all, err)
	}
}

// An export escapes hidden characters, and is read back unchanged.
func TestExportHidesNothing(t *testing.T) {
	m := Memory{Content: "a\ufe0f\U000e0100\u3164\u2800 👩\u200d💻", Tags: []string{"\u115f"}}
	line, err := encodeLine(m)
	var back Memory
	if err != nil || !printable.All(strings.TrimSuffix(string(line), "\n")) || json.Unmarshal(line, &back) != nil ||
		back.Content != m.Content || back.Tags[0] != m.Tags[0] {
		t.Errorf("%+q, %v", line, err)
	}
}

func TestExportIsStable(t *testing.T) {
	ctx := t.Context()
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	a := added(t, s, Memory{
		Content: "A <b> & \"c\"\n日本", Tags: []string{"z", "a"}, Symbol: "f",
		Aliases: []string{"g h"},
	}).ID
	added(t, s, Memory{Content: "The connection pool holds 8 connections in production"})
	added(t, s, Memory{Content: "The connection pool holds 16 connections in production"})
	if err := s.Link(ctx, NoteModel()); err != nil {
		t.Fatal(err)
	}
	b := added(t, s, Memory{Content: "B", Type: "decision"}).ID
	if _, err := s.Supersede(ctx, a, b); err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := s.Export(ctx, &first); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(first.String(), `"similar_to":[{"id":"m-`) ||
		!strings.Contains(first.String(), `"aliases":["g h"]`) {
		t.Errorf("no link in %s", first.String())
	}
	other := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	for _, want := range []Tally{{Added: 4}, {Kept: 4}} {
		if n, err := other.Import(ctx, bytes.NewReader(first.Bytes()), true, false, nil); err != nil || n != want {
			t.Errorf("import: %+v, %v", n, err)
		}
	}
	if err := other.Export(ctx, &second); err != nil || first.String() != second.String() {
		t.Errorf("%v\n%s\n%s", err, first.String(), second.String())
	}
	if n, err := other.Import(ctx, strings.NewReader("{\"content\":\"C\",\"origin\":\"user\"}\n{"), false, false,
		nil); err == nil || n != (Tally{}) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("broken line: %+v, %v", n, err)
	}
	if n, err := other.Import(ctx, strings.NewReader(`{"content":"C","origin":"user"}`), false, false,
		nil); err != nil || n.Added != 1 {
		t.Errorf("import: %+v, %v", n, err)
	}
	if found, _ := other.List(ctx, Filter{}); found[0].Content != "C" && found[1].Content != "C" {
		t.Errorf("after import: %+v", found)
	}
}

func TestNewerAndForeignStores(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := opened(t, path)
	added(t, s, Memory{Content: "a"})
	if _, err := s.db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); !errors.Is(err, sqlite.ErrNewer) {
		t.Errorf("open: %v", err)
	}
	if err := Look(t.Context(), path, func(*Store) error { return nil }); !errors.Is(err, sqlite.ErrNewer) {
		t.Errorf("look: %v", err)
	}
	broken := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(broken, bytes.Repeat([]byte("no database\n"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), broken); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("open: %v", err)
	}
	link := filepath.Join(t.TempDir(), "memory.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), link); err == nil {
		t.Error("a link was opened")
	}
	if err := Look(t.Context(), link+"x", func(*Store) error { return nil }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

func TestSettings(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2"} {
		var got string
		if err := s.db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q: %v", pragma, got, err)
		}
	}
	var journal sql.NullInt64
	if err := s.db.QueryRow("PRAGMA user_version").Scan(&journal); err != nil || journal.Int64 != version {
		t.Errorf("user_version is %v: %v", journal, err)
	}
}

// TestMain makes this program a writer for TestProcesses and TestKills, or one that upgrades a
// store.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PATINA_TEST_UPGRADE"); dir != "" {
		os.Exit(upgradeOn(UserNotes{Log: persona.Log{Dir: dir}}))
	}
	if path := os.Getenv("PATINA_TEST_MEMORY"); path != "" {
		os.Exit(write(path, os.Getenv("PATINA_TEST_WRITER")))
	}
	os.Exit(m.Run())
}

// write adds memories and prints each once it is stored. Writers for TestKills go on until they are
// killed.
func write(path, name string) int {
	s, err := Open(context.Background(), path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if strings.HasPrefix(name, "consolidator") {
		return consolidateOn(s, name == "consolidator")
	}
	limit := 1 << 30
	if strings.HasPrefix(name, "process") {
		limit = 20
	}
	for i := range limit {
		content := fmt.Sprintf("writer %s note %d", name, i)
		if _, err := s.Add(context.Background(), Memory{Content: content}, false); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(content)
	}
	return 0
}

func writer(path, name string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PATINA_TEST_MEMORY="+path, "PATINA_TEST_WRITER="+name)
	c.Stderr = os.Stderr
	return c
}

func contents(t *testing.T, path string) map[string]bool {
	t.Helper()
	has := map[string]bool{}
	found, err := opened(t, path).List(t.Context(), Filter{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		has[m.Content] = true
	}
	return has
}

// TestProcesses adds notes from 16 processes while another process consolidates, undoes and
// exports.
func TestProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	withPairs(t, opened(t, path))
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := writer(path, "consolidator").Run(); err != nil {
			t.Errorf("consolidator: %v", err)
		}
	})
	for i := range 16 {
		wg.Go(func() {
			if err := writer(path, fmt.Sprint("process", i)).Run(); err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if n := len(contents(t, path)); n != 16*20+2*manyPairs {
		t.Errorf("%d memories of %d are kept", n, 16*20+2*manyPairs)
	}
	if found, err := opened(t, path).List(t.Context(), Filter{}); err != nil || len(found) != 16*20+2*manyPairs {
		t.Errorf("%d memories still hold: %v", len(found), err)
	}
}

func TestKills(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	kills := 200
	if testing.Short() {
		kills = 20
	}
	var acknowledged []string
	for i := range kills {
		c := writer(path, fmt.Sprint("killed", i))
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if acknowledged = append(acknowledged, lines.Text()); n == i%7 {
				_ = c.Process.Kill()
			}
		}
		_ = c.Wait()
	}
	has := contents(t, path)
	for _, a := range acknowledged {
		if !has[a] {
			t.Errorf("%q was acknowledged and is lost", a)
		}
	}
	if len(acknowledged) < kills {
		t.Errorf("%d acknowledged in %d runs", len(acknowledged), kills)
	}
}

// An edit cannot make a memory equal to another one, and cannot change one that has ended.
func TestEditRefuses(t *testing.T) {
	ctx := t.Context()
	s := opened(t, filepath.Join(t.TempDir(), "memory.db"))
	a, b := added(t, s, Memory{Content: "Retry 3 times"}).ID, added(t, s, Memory{Content: "Retry 4 times"}).ID
	_, err := s.Edit(ctx, b, false, func(m *Memory) { m.Content = "retry three times" })
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), a) {
		t.Errorf("two memories say the same: %v", err)
	}
	if _, err := s.Edit(ctx, b, false, func(m *Memory) { m.Pinned = true }); err != nil {
		t.Error(err)
	}
	if _, err := s.Forget(ctx, b); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Edit(ctx, b, false, func(m *Memory) { m.Pinned = false }); !errors.Is(err, ErrInvalid) {
		t.Errorf("a forgotten memory was changed: %v", err)
	}
}
