package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"patina/internal/safeio"
	"patina/memory/persona"
	"patina/store/text"
)

var noon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// logLine returns an event as a line of the log.
func logLine(id, content, more string) string {
	return fmt.Sprintf(`{"id":%q,"event_type":"knowledge_captured","content":%q,"timestamp":1741089600%s}`, id, content,
		more) + "\n"
}

// laidLog returns a user's notes with a log of these files.
func laidLog(t *testing.T, files map[string]string) UserNotes {
	t.Helper()
	u := UserNotesIn(t.TempDir())
	check(t, os.MkdirAll(u.Events(), 0o700))
	for name, body := range files {
		check(t, os.WriteFile(filepath.Join(u.Events(), name), []byte(body), 0o600))
	}
	return u
}

// listLines returns the notes of the current database, as "name: content", oldest first.
func listLines(t *testing.T, u UserNotes) (out []string) {
	t.Helper()
	stale, err := u.Read(t.Context(), func(s *Store) error {
		notes, _, err := s.Notes(t.Context(), nil, 10_000, false)
		for _, n := range notes {
			out = append(out, n.Name+": "+n.Content)
		}
		return err
	})
	check(t, errors.Join(stale, err))
	slices.Reverse(out)
	return out
}

// In a log edited by many tools, every line is a note, or is reported with the reason.
func TestBrokenLog(t *testing.T) {
	long := strings.Repeat("word ", 200_000) // 1 MB
	u := laidLog(t, map[string]string{
		"20250304.jsonl": "\ufeff" + logLine("a", "first", "") +
			"not json\n" +
			"\x00\x00\x00\n" +
			strings.TrimSuffix(logLine("b", "with CRLF", ""), "\n") + "\r\n" +
			"\n   \n" +
			`{"id":"c"}` + "\n" +
			`{"content":"no id","unknown":{"kept":[1]}}` + "\n" +
			logLine("d", long, "") +
			strings.Repeat("x", 4<<20+2) + "\n" +
			logLine("a", "another with its id", "") +
			logLine("a", "first", "") +
			logLine("bad id!", "odd id", "") +
			`[1,2]` + "\n" + `null` + "\n" +
			`{"id":"e","content":"torn`,
		"20250305.jsonl": logLine("f", "f", `,"supersedes":"g"`) + logLine("g", "g", `,"supersedes":"f"`) +
			logLine("h", "h", `,"supersedes":"h"`) + logLine("i", "i", `,"supersedes":"nobody"`),
		"20250306.jsonl":  logLine("j", "newer", `,"supersedes":"a","domains":["Go","go, Testing",7]`),
		"notes.jsonl":     logLine("k", "no day", ""),
		"20250307.json":   logLine("l", "another ending", ""),
		"20251345.jsonl":  logLine("m", "no such day", ""),
		"20250308.jsonl~": "",
	})
	check(t, os.Symlink("/dev/zero", filepath.Join(u.Events(), "20250309.jsonl")))
	check(t, syscall.Mkfifo(filepath.Join(u.Events(), "20250310.jsonl"), 0o600))
	check(t, os.Mkdir(filepath.Join(u.Events(), "20250311.jsonl"), 0o700))
	want := []string{
		"b: with CRLF", "20250304.8: no id", "d: " + strings.TrimSpace(long), "20250304.11: another with its id",
		"20250304.13: odd id",
		"g: g", "h: h", "i: i", "j: newer",
	}
	if got := listLines(t, u); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("notes %.60q\nwant %.60q", got, want)
	}
	s, err := u.Status(t.Context())
	check(t, err)
	var faults []string
	for _, f := range s.Faults {
		faults = append(faults, fmt.Sprint(f, " ", f.Lost))
	}
	slices.Sort(faults)
	wantFaults := []string{
		"20250304.jsonl:2: no JSON object true", "20250304.jsonl:3: NUL bytes true",
		"20250304.jsonl:7: no content true",
		"20250304.jsonl:8: no id false", "20250304.jsonl:8: no time; the day of the file counts false",
		"20250304.jsonl:10: over 4 MB true",
		"20250304.jsonl:11: its id is that of another event, in 20250304.jsonl:1 false",
		"20250304.jsonl:12: the same event as in 20250304.jsonl:1 false",
		"20250304.jsonl:13: its id is no name false", "20250304.jsonl:14: no JSON object true",
		"20250304.jsonl:15: no JSON object true",
		"20250304.jsonl:16: no JSON object true",
		"20250305.jsonl:1: it supersedes an event that supersedes it, and is older false",
		"20250305.jsonl:3: it supersedes an event that supersedes it, and is older false",
		"20250305.jsonl:4: it supersedes an event that is not in the log false",
		"20250309.jsonl: no regular file true", "20250310.jsonl: no regular file true",
		"20250311.jsonl: no regular file true",
	}
	slices.Sort(wantFaults)
	if !slices.Equal(faults, wantFaults) {
		t.Errorf("faults\n%s\nwant\n%s", strings.Join(faults, "\n"), strings.Join(wantFaults, "\n"))
	}
	if s.Notes != len(want) || s.Superseded != 2 || !s.UpToDate || s.Condition != nil {
		t.Errorf("status %+v", s)
	}
}

// However a log changes, the updated database equals one made from scratch: after appended lines,
// half a line, and a new, a rewritten or a removed file.
func TestMaterializeIsIncremental(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	u := laidLog(t, nil)
	var ids []string
	name := func() string { return filepath.Join(u.Events(), fmt.Sprintf("2025030%d.jsonl", 1+rnd.IntN(4))) }
	next := func() string {
		id := fmt.Sprintf("e%d", len(ids))
		more := ""
		if len(ids) > 0 && rnd.IntN(3) == 0 {
			more = fmt.Sprintf(`,"supersedes":%q`, ids[rnd.IntN(len(ids))])
		}
		if rnd.IntN(6) == 0 && len(ids) > 0 {
			id = ids[rnd.IntN(len(ids))]
		}
		ids = append(ids, id)
		return logLine(id, fmt.Sprintf("note number %d", rnd.IntN(40)), more)
	}
	for step := range 40 {
		file := name()
		body, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		switch line := next(); rnd.IntN(8) {
		case 0:
			body = append(body, line[:len(line)/2]...) // the next line must not complete it
		case 1:
			body = []byte(line)
		case 2:
			body = append(body, strings.TrimSuffix(line, "\n")...)
		case 3:
			body = nil
		default:
			body = append(body, "\n"+line+next()...)
		}
		if body == nil {
			_ = os.Remove(file)
		} else {
			check(t, os.WriteFile(file, body, 0o600))
		}
		got, gotFaults := noteContents(t, u, false)
		want, wantFaults := noteContents(t, u, true)
		if got != want || gotFaults != wantFaults {
			t.Fatalf("step %d:\n%s\n%d faults\nfrom nothing:\n%s\n%d faults", step, got, gotFaults, want, wantFaults)
		}
	}
}

// noteContents returns the whole content of a database after an update.
func noteContents(t *testing.T, u UserNotes, full bool) (notes string, faults int) {
	t.Helper()
	made, err := u.Materialize(t.Context(), full)
	check(t, err)
	s, err := u.open(t.Context())
	check(t, err)
	defer func() { check(t, s.Close()) }()
	if behind, err := u.isBehind(t.Context(), s); behind || err != nil {
		t.Errorf("behind: %v, %v", behind, err)
	}
	rows, err := s.db.Query(`SELECT file || ':' || line || ' ' || id || '|' || scope || '|' || superseded_by || '|' || coalesce(valid_to, 'holds') || '|' ||
		replace(content, char(10), ' ') || '|' || event || '|' || domains || '|' || supersedes || '|' || twin || '|' || substr(hex(list), 1, 16) || '|' ||
		coalesce((SELECT words FROM stem WHERE rowid = memory.key), 'no words') FROM memory` + inLog + ` JOIN vector ON vector.memory = memory.key ORDER BY file, line`)
	check(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var line string
		check(t, rows.Scan(&line))
		notes += line + "\n"
	}
	check(t, rows.Err())
	_, err = listMemories(t.Context(), s.db, "") // none is damaged
	check(t, err)
	if n := strings.Count(notes, "\n"); n != made.Events || made.Notes != strings.Count(notes, "|holds|") {
		t.Errorf("%d memories, %+v", n, made)
	}
	return notes, made.Faults
}

// A database that is damaged or of another version is rebuilt.
func TestDamagedDatabase(t *testing.T) {
	u := laidLog(t, map[string]string{"20250304.jsonl": logLine("a", "table tests", "")})
	want := listLines(t, u)
	whole, err := os.ReadFile(u.Database())
	check(t, err)
	for name, body := range map[string][]byte{
		"empty": nil, "text": []byte("no database"), "half": whole[:len(whole)/2], "zeros": make([]byte, len(whole)),
		"page": slices.Concat(whole[:4096], bytes.Repeat([]byte{0xff}, len(whole)-4096)),
	} {
		check(t, os.WriteFile(u.Database(), body, 0o600))
		check(t, os.WriteFile(filepath.Join(u.derived(), "new-1.db"), body, 0o600)) // of a killed process
		if s, err := u.Status(t.Context()); err != nil || s.Condition == nil {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if _, err := u.Materialize(t.Context(), false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := listLines(t, u); !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
		if left, _ := filepath.Glob(filepath.Join(u.derived(), unfinished)); len(left) > 0 {
			t.Errorf("%s: left %q", name, left)
		}
	}
}

// While another process materializes, the last database answers, and the reason is reported.
func TestHeldElsewhere(t *testing.T) {
	u := laidLog(t, map[string]string{"20250304.jsonl": logLine("a", "old", "")})
	want := listLines(t, u)
	_, err := u.Append(t.Context(), persona.Event{Content: "new", Time: noon})
	check(t, err)
	f, err := os.Open(filepath.Join(u.derived(), "lock"))
	check(t, err)
	defer func() { check(t, f.Close()) }()
	check(t, safeio.Lock(t.Context(), f, 0))
	var notes []Note
	stale, err := u.Read(t.Context(), func(s *Store) (err error) {
		notes, _, err = s.Notes(t.Context(), nil, 10, false)
		return err
	})
	if err != nil || !errors.Is(stale, safeio.ErrHeld) || len(notes) != len(want) {
		t.Errorf("%d notes, %v, %v", len(notes), stale, err)
	}
}

// On a full disk a note is refused with the reason, and no existing data is lost.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { check(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	u := UserNotesIn(disk)
	id, err := u.Append(t.Context(), persona.Event{Content: "before", Time: noon})
	check(t, err)
	want := listLines(t, u)
	full, err := os.Create(filepath.Join(disk, "rest"))
	check(t, err)
	for n := 1 << 16; n > 0; n /= 2 {
		for err = nil; err == nil; {
			_, err = full.Write(make([]byte, n))
		}
	}
	check(t, full.Close())
	for err = nil; err == nil; { // the last page has room for some more
		_, err = u.Append(t.Context(), persona.Event{Content: strings.Repeat("x", 600), Time: noon})
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if s, err := u.Status(t.Context()); err != nil || s.Lost() > 0 || s.Events < 1 {
		t.Errorf("%+v, %v", s, err)
	}
	stale, err := u.Read(t.Context(), func(s *Store) error {
		n, err := s.Note(t.Context(), id)
		if n.Name+": "+n.Content != want[0] {
			t.Errorf("%+v, want %q", n, want[0])
		}
		return err
	})
	if err != nil {
		t.Errorf("%v, %v", err, stale)
	}
}

// In a home that cannot be written, a note is an error, and notes can still be read.
func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	u := laidLog(t, map[string]string{"20250304.jsonl": logLine("a", "old", "")})
	listLines(t, u)
	check(t, os.Chmod(u.Events(), 0o500))
	t.Cleanup(func() { _ = os.Chmod(u.Events(), 0o700) })
	if _, err := u.Append(t.Context(), persona.Event{Content: "new", Time: noon.AddDate(0, 0, 1)}); !errors.Is(err,
		fs.ErrPermission) {
		t.Error(err)
	}
	if got := listLines(t, u); len(got) != 1 {
		t.Error(got)
	}
}

// Words and meaning find a note. No note is found for an unrelated question.
func TestSearchNotes(t *testing.T) {
	u := laidLog(t, map[string]string{"20250304.jsonl": logLine("tests", "I write table tests, with the name of the case first", `,"domains":["go"]`) +
		logLine("sqlite", "I prefer sqlite to a server", `,"domains":["storage"]`) +
		logLine("old", "I write tests by hand", "") + logLine("new", "I generate tests", `,"supersedes":"old"`)})
	for _, c := range []struct{ question, domain, want string }{
		{"how do I write tests", "", "tests new"},
		{"table test cases", "", "tests"},
		{"sqlite or a server", "", "sqlite"},
		{"sqlite or a server", "go", ""},
		{"recipe for sourdough bread", "", ""},
		{`" OR * NEAR(`, "", ""},
		{"the of and", "", ""},
	} {
		var got []string
		stale, err := u.Read(t.Context(), func(s *Store) error {
			found, err := s.SearchNotes(t.Context(),
				NoteSearch{
					Question: text.ParseQuestion(c.question), Domains: persona.Domains(c.domain), Limit: 10,
					Enough: true,
				})
			for _, f := range found {
				got = append(got, f.Name)
			}
			return err
		})
		check(t, errors.Join(stale, err))
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q in %q: %q, want %q", c.question, c.domain, got, c.want)
		}
	}
}
