package persona

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"patina/internal/safeio"
	"patina/store/text"
)

var noon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// laid is a persona with a log of these files.
func laid(t *testing.T, files map[string]string) Persona {
	t.Helper()
	p := In(t.TempDir())
	check(t, os.MkdirAll(p.Events(), 0o700))
	for name, body := range files {
		check(t, os.WriteFile(filepath.Join(p.Events(), name), []byte(body), 0o600))
	}
	return p
}

// listed are the notes of the current database, as "name: content", oldest first.
func listed(t *testing.T, p Persona) (out []string) {
	t.Helper()
	s, why, err := p.Current(t.Context())
	check(t, errors.Join(why, err))
	defer func() { check(t, s.Close()) }()
	notes, _, err := s.List(t.Context(), nil, 10_000, false)
	check(t, err)
	for _, n := range notes {
		out = append(out, n.Name+": "+n.Content)
	}
	slices.Reverse(out)
	return out
}

func event(id, content string, more string) string {
	return fmt.Sprintf(`{"id":%q,"event_type":"knowledge_captured","content":%q,"timestamp":1741089600%s}`, id, content, more) + "\n"
}

// Every line of a log that went through many hands is a note, or is named with the reason.
func TestBrokenLog(t *testing.T) {
	long := strings.Repeat("word ", 200_000) // 1 MB
	p := laid(t, map[string]string{
		"20250304.jsonl": "\ufeff" + event("a", "first", "") +
			"not json\n" +
			"\x00\x00\x00\n" +
			strings.TrimSuffix(event("b", "with CRLF", ""), "\n") + "\r\n" +
			"\n   \n" +
			`{"id":"c"}` + "\n" +
			`{"content":"no id","unknown":{"kept":[1]}}` + "\n" +
			event("d", long, "") +
			strings.Repeat("x", longestLine+2) + "\n" +
			event("a", "another with its id", "") +
			event("a", "first", "") +
			event("bad id!", "odd id", "") +
			`[1,2]` + "\n" + `null` + "\n" +
			`{"id":"e","content":"torn`,
		"20250305.jsonl":  event("f", "f", `,"supersedes":"g"`) + event("g", "g", `,"supersedes":"f"`) + event("h", "h", `,"supersedes":"h"`) + event("i", "i", `,"supersedes":"nobody"`),
		"20250306.jsonl":  event("j", "newer", `,"supersedes":"a","domains":["Go","go, Testing",7]`),
		"notes.jsonl":     event("k", "no day", ""),
		"20250307.json":   event("l", "another ending", ""),
		"20251345.jsonl":  event("m", "no such day", ""),
		"20250308.jsonl~": "",
	})
	check(t, os.Symlink("/dev/zero", filepath.Join(p.Events(), "20250309.jsonl")))
	check(t, syscall.Mkfifo(filepath.Join(p.Events(), "20250310.jsonl"), 0o600))
	check(t, os.Mkdir(filepath.Join(p.Events(), "20250311.jsonl"), 0o700))
	want := []string{
		"b: with CRLF", "20250304.8: no id", "d: " + strings.TrimSpace(long), "20250304.11: another with its id", "20250304.13: odd id",
		"g: g", "h: h", "i: i", "j: newer",
	}
	if got := listed(t, p); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("notes %.60q\nwant %.60q", got, want)
	}
	s, err := p.Status(t.Context())
	check(t, err)
	var faults []string
	for _, f := range s.Faults {
		faults = append(faults, fmt.Sprint(f, " ", f.Lost))
	}
	slices.Sort(faults)
	wantFaults := []string{
		"20250304.jsonl:2: no JSON object true", "20250304.jsonl:3: NUL bytes true", "20250304.jsonl:7: no content true",
		"20250304.jsonl:8: no id false", "20250304.jsonl:8: no time; the day of the file counts false", "20250304.jsonl:10: over 4 MB true",
		"20250304.jsonl:11: its id is that of another event, in 20250304.jsonl:1 false", "20250304.jsonl:12: the same event as in 20250304.jsonl:1 false",
		"20250304.jsonl:13: its id is no name false", "20250304.jsonl:14: no JSON object true", "20250304.jsonl:15: no JSON object true",
		"20250304.jsonl:16: no JSON object true", "20250305.jsonl:1: it supersedes an event that supersedes it, and is older false",
		"20250305.jsonl:3: it supersedes an event that supersedes it, and is older false", "20250305.jsonl:4: it supersedes an event that is not in the log false",
		"20250309.jsonl: no regular file true", "20250310.jsonl: no regular file true", "20250311.jsonl: no regular file true",
	}
	slices.Sort(wantFaults)
	if !slices.Equal(faults, wantFaults) {
		t.Errorf("faults\n%s\nwant\n%s", strings.Join(faults, "\n"), strings.Join(wantFaults, "\n"))
	}
	if s.Notes != len(want) || s.Superseded != 2 || !s.UpToDate || s.Condition != nil {
		t.Errorf("status %+v", s)
	}
}

// A note after a torn line begins a line of its own.
func TestAppendHeals(t *testing.T) {
	p := laid(t, map[string]string{"20250304.jsonl": event("a", "whole", "") + `{"id":"b","content":"torn`})
	id, err := p.Append(t.Context(), Event{Content: " new ", Time: noon, Domains: []string{"go"}, Source: "direct"})
	check(t, err)
	if got := listed(t, p); !slices.Equal(got, []string{"a: whole", id + ": new"}) {
		t.Errorf("%q", got)
	}
	body, err := os.ReadFile(filepath.Join(p.Events(), "20250304.jsonl"))
	check(t, err)
	lines := strings.Split(strings.TrimSpace(string(body)), "\n")
	var fields map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &fields); err != nil || len(lines) != 3 || fields["timestamp"] != float64(noon.Unix()) {
		t.Errorf("%v: %s", err, body)
	}
	for text, want := range map[string]error{" \n\t": ErrEmpty, strings.Repeat("x", LongestNote+1): ErrTooLong} {
		if _, err := p.Append(t.Context(), Event{Content: text, Time: noon}); !errors.Is(err, want) {
			t.Errorf("%.10q: %v, want %v", text, err, want)
		}
	}
}

// writers is how many processes append at once, and each how many notes.
const writers, each = 16, 25

// TestMain lets the test's own program be a writer.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PERSONA_WRITER"); dir != "" {
		p := Persona{dir}
		for i := range each {
			id, err := p.Append(context.Background(), Event{Content: os.Getenv("PERSONA_NAME") + " " + strconv.Itoa(i), Time: noon, Source: "direct"})
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			fmt.Println(id)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func writer(dir string, i int) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PERSONA_WRITER="+dir, "PERSONA_NAME="+strconv.Itoa(i))
	c.Stderr = os.Stderr
	return c
}

// Many processes at once, one of them killed, lose nothing that was acknowledged.
func TestManyWriters(t *testing.T) {
	p := laid(t, nil)
	var cs []*exec.Cmd
	outs := make([]bytes.Buffer, writers)
	for i := range writers {
		c := writer(p.Dir, i)
		c.Stdout = &outs[i]
		check(t, c.Start())
		cs = append(cs, c)
	}
	_ = cs[0].Process.Kill()
	for i, c := range cs {
		if err := c.Wait(); err != nil && i > 0 {
			t.Error(err)
		}
	}
	got := listed(t, p)
	names := map[string]bool{}
	for _, n := range got {
		id, _, _ := strings.Cut(n, ": ")
		names[id] = true
	}
	said := 0
	for i := range outs {
		for _, id := range strings.Fields(outs[i].String()) {
			if said++; !names[id] {
				t.Errorf("note %s of writer %d is lost", id, i)
			}
		}
	}
	if said < (writers-1)*each {
		t.Errorf("%d notes acknowledged", said)
	}
	if s, err := p.Status(t.Context()); err != nil || s.Lost() > 1 { // one torn line
		t.Errorf("%+v, %v", s.Faults, err)
	}
}

// However a log grows, the database equals one made from nothing: what was appended, half a line,
// another file, a rewritten one, a removed one.
func TestMaterializeIsIncremental(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	p := laid(t, nil)
	var ids []string
	name := func() string { return filepath.Join(p.Events(), fmt.Sprintf("2025030%d.jsonl", 1+rnd.IntN(4))) }
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
		return event(id, fmt.Sprintf("note number %d", rnd.IntN(40)), more)
	}
	for step := range 40 {
		file := name()
		body, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		switch line := next(); rnd.IntN(8) {
		case 0:
			body = append(body, line[:len(line)/2]...) // what follows completes nothing
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
		got, gotFaults := contents(t, p, false)
		want, wantFaults := contents(t, p, true)
		if got != want || gotFaults != wantFaults {
			t.Fatalf("step %d:\n%s\n%s\nfrom nothing:\n%s\n%s", step, got, gotFaults, want, wantFaults)
		}
	}
}

// contents is all that a database says, after it was made.
func contents(t *testing.T, p Persona, full bool) (notes, faults string) {
	t.Helper()
	_, err := p.Materialize(t.Context(), full)
	check(t, err)
	s, err := p.Open(t.Context())
	check(t, err)
	defer func() { check(t, s.Close()) }()
	if behind, err := p.Behind(t.Context(), s); behind || err != nil {
		t.Errorf("behind: %v, %v", behind, err)
	}
	query := func(q string) string {
		var out []string
		rows, err := s.db.Query(q)
		check(t, err)
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var text string
			check(t, rows.Scan(&text))
			out = append(out, text)
		}
		check(t, rows.Err())
		return strings.Join(out, "\n")
	}
	return query(`SELECT file || ':' || line || ' ' || name || '|' || hidden || '|' || holds || '|' || content || '|' || CASE WHEN holds THEN substr(hex(vector), 1, 16) ELSE '' END ||
		'|' || coalesce((SELECT words FROM stem WHERE rowid = key), '') FROM event ORDER BY file, line`),
		query(`SELECT file || ':' || line || ' ' || reason FROM fault ORDER BY file, line, reason`)
}

// A damaged database is made again, and so is one of another version.
func TestDamagedDatabase(t *testing.T) {
	p := laid(t, map[string]string{"20250304.jsonl": event("a", "table tests", "")})
	want := listed(t, p)
	whole, err := os.ReadFile(p.Database())
	check(t, err)
	for name, body := range map[string][]byte{
		"empty": nil, "text": []byte("no database"), "half": whole[:len(whole)/2], "zeros": make([]byte, len(whole)),
		"page": slices.Concat(whole[:4096], bytes.Repeat([]byte{0xff}, len(whole)-4096)),
	} {
		check(t, os.WriteFile(p.Database(), body, 0o600))
		check(t, os.WriteFile(filepath.Join(p.derived(), "new-1.db"), body, 0o600)) // of a killed process
		if s, err := p.Status(t.Context()); err != nil || s.Condition == nil {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if _, err := p.Materialize(t.Context(), false); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := listed(t, p); !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
		if left, _ := filepath.Glob(filepath.Join(p.derived(), unfinished)); len(left) > 0 {
			t.Errorf("%s: left %q", name, left)
		}
	}
}

// While another process materializes, the last database answers, and the reason is said.
func TestHeldElsewhere(t *testing.T) {
	p := laid(t, map[string]string{"20250304.jsonl": event("a", "old", "")})
	want := listed(t, p)
	_, err := p.Append(t.Context(), Event{Content: "new", Time: noon})
	check(t, err)
	f, err := os.Open(filepath.Join(p.derived(), "lock"))
	check(t, err)
	defer func() { check(t, f.Close()) }()
	check(t, safeio.Lock(t.Context(), f, 0))
	s, why, err := p.Current(t.Context())
	check(t, err)
	defer func() { check(t, s.Close()) }()
	notes, _, err := s.List(t.Context(), nil, 10, false)
	if err != nil || !errors.Is(why, safeio.ErrHeld) || len(notes) != len(want) {
		t.Errorf("%d notes, %v, %v", len(notes), why, err)
	}
}

// On a full disk a note is refused with the reason, and nothing that was there is lost.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { check(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	p := In(disk)
	id, err := p.Append(t.Context(), Event{Content: "before", Time: noon})
	check(t, err)
	want := listed(t, p)
	full, err := os.Create(filepath.Join(disk, "rest"))
	check(t, err)
	for n := 1 << 16; n > 0; n /= 2 {
		for err = nil; err == nil; {
			_, err = full.Write(make([]byte, n))
		}
	}
	check(t, full.Close())
	for err = nil; err == nil; { // the last page has room for some
		_, err = p.Append(t.Context(), Event{Content: strings.Repeat("x", 600), Time: noon})
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if s, err := p.Status(t.Context()); err != nil || s.Lost() > 0 || s.Events < 1 {
		t.Errorf("%+v, %v", s, err)
	}
	s, why, err := p.Current(t.Context())
	check(t, err)
	defer func() { check(t, s.Close()) }()
	if n, err := s.Named(t.Context(), id); err != nil || n.Name+": "+n.Content != want[0] {
		t.Errorf("%+v, %v, %v", n, err, why)
	}
}

// A home that cannot be written is an error of the note, and the notes are still read.
func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	p := laid(t, map[string]string{"20250304.jsonl": event("a", "old", "")})
	listed(t, p)
	check(t, os.Chmod(p.Events(), 0o500))
	t.Cleanup(func() { _ = os.Chmod(p.Events(), 0o700) })
	if _, err := p.Append(t.Context(), Event{Content: "new", Time: noon.AddDate(0, 0, 1)}); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	if got := listed(t, p); len(got) != 1 {
		t.Error(got)
	}
}

// Words and meaning find a note; nothing finds one for a question about something else.
func TestSearch(t *testing.T) {
	p := laid(t, map[string]string{"20250304.jsonl": event("tests", "I write table tests, with the name of the case first", `,"domains":["go"]`) +
		event("sqlite", "I prefer sqlite to a server", `,"domains":["storage"]`) + event("old", "I write tests by hand", "") + event("new", "I generate tests", `,"supersedes":"old"`)})
	for _, c := range []struct{ question, domain, want string }{
		{"how do I write tests", "", "tests new"},
		{"table test cases", "", "tests"},
		{"sqlite or a server", "", "sqlite"},
		{"sqlite or a server", "go", ""},
		{"recipe for sourdough bread", "", ""},
		{`" OR * NEAR(`, "", ""},
		{"the of and", "", ""},
	} {
		s, why, err := p.Current(t.Context())
		check(t, errors.Join(why, err))
		found, err := s.Search(t.Context(), Search{Question: text.ParseQuestion(c.question), Domains: Domains(c.domain), Limit: 10, Enough: true})
		check(t, err)
		var got []string
		for _, f := range found {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q in %q: %q, want %q", c.question, c.domain, got, c.want)
		}
		check(t, s.Close())
	}
}

// Any line is an event or has a reason, and an event that is written is read as it was.
func FuzzLine(f *testing.F) {
	for _, s := range []string{event("a", "b", `,"domains":["x"]`), "", "\x00", "\ufeff{}", `{"content":1,"timestamp":"2025-03-04T01:02:03Z","domains":"a,b"}`, `{"content":"x","timestamp":1e308}`, `{"content":"\u0000","id":[]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, ok, err := parseEvent(line)
		if ok && (err != nil || e.Content == "" && e.Supersedes == "") || !ok && err == nil && len(bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), bom))) > 0 && len(bytes.TrimSpace(bytes.TrimPrefix(line, bom))) > 0 {
			t.Fatalf("%q: %+v, %v, %v", line, e, ok, err)
		}
		if !ok {
			return
		}
		if !e.Time.IsZero() && !isPlausible(e.Time) {
			t.Errorf("time %v", e.Time)
		}
		written, err := e.jsonLine()
		if err != nil || bytes.Count(written, []byte("\n")) != 1 {
			t.Fatalf("%q: %v", written, err)
		}
		again, ok, err := parseEvent(written)
		if !ok || err != nil || again.ID != e.ID || again.Content != e.Content || !slices.Equal(again.Domains, e.Domains) || again.Supersedes != e.Supersedes {
			t.Errorf("%+v read again: %+v, %v", e, again, err)
		}
	})
}

// Of a random graph of events, no circle hides all of its members, and only the event that
// supersedes another hides it.
func TestResolve(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		n := 1 + rnd.IntN(12)
		all := make([]record, n)
		for i := range all {
			all[i] = record{Event{ID: strconv.Itoa(i), Content: strconv.Itoa(i)}, "20250304.jsonl", i + 1}
			if rnd.IntN(3) > 0 {
				all[i].Supersedes = strconv.Itoa(rnd.IntN(n))
			}
		}
		states, _ := resolveRecords(all)
		held := 0
		for i, s := range states {
			if s.name != all[i].ID {
				t.Fatalf("named %q, want %q", s.name, all[i].ID)
			}
			if s.isShown(all[i]) {
				held++
			}
			if s.hiddenBy != "" && all[slices.IndexFunc(all, func(r record) bool { return r.ID == s.hiddenBy })].Supersedes != s.name {
				t.Fatalf("%d is hidden by %s, which supersedes another", i, s.hiddenBy)
			}
		}
		if held == 0 {
			t.Fatalf("nothing holds of %+v", all)
		}
	}
}
