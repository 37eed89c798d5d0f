package persona

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func event(id, content string, more string) string {
	return fmt.Sprintf(`{"id":%q,"event_type":"knowledge_captured","content":%q,"timestamp":1741089600%s}`, id, content,
		more) + "\n"
}

// A note after a torn line begins its own line.
func TestAppendHeals(t *testing.T) {
	l := LogIn(t.TempDir())
	check(t, os.MkdirAll(l.Events(), 0o700))
	check(t, os.WriteFile(filepath.Join(l.Events(), "20250304.jsonl"),
		[]byte(event("a", "whole", "")+`{"id":"b","content":"torn`), 0o600))
	id, err := l.Append(t.Context(), Event{Content: " new ", Time: noon, Domains: []string{"go"}, Source: "direct"})
	check(t, err)
	got, faults, err := l.ReadFile("20250304.jsonl")
	check(t, err)
	if len(got) != 2 || got[0].ID != "a" || got[1].ID != id || got[1].Content != "new" || got[1].Line != 3 ||
		len(faults) != 1 {
		t.Errorf("%+v, %v", got, faults)
	}
	body, err := os.ReadFile(filepath.Join(l.Events(), "20250304.jsonl"))
	check(t, err)
	lines := strings.Split(strings.TrimSpace(string(body)), "\n")
	var fields map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &fields); err != nil || len(lines) != 3 ||
		fields["timestamp"] != float64(noon.Unix()) {
		t.Errorf("%v: %s", err, body)
	}
	for text, want := range map[string]error{" \n\t": ErrEmpty, strings.Repeat("x", LongestNote+1): ErrTooLong} {
		if _, err := l.Append(t.Context(), Event{Content: text, Time: noon}); !errors.Is(err, want) {
			t.Errorf("%.10q: %v, want %v", text, err, want)
		}
	}
}

// The number of processes that append at the same time, and of notes by each.
const writers, each = 16, 25

// TestMain makes the test's own program a writer.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PERSONA_WRITER"); dir != "" {
		l := Log{dir}
		for i := range each {
			id, err := l.Append(context.Background(),
				Event{Content: os.Getenv("PERSONA_NAME") + " " + strconv.Itoa(i), Time: noon, Source: "direct"})
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

// Of many concurrent processes, one of them killed, no acknowledged note is lost.
func TestManyWriters(t *testing.T) {
	l := LogIn(t.TempDir())
	var cs []*exec.Cmd
	outs := make([]bytes.Buffer, writers)
	for i := range writers {
		c := writer(l.Dir, i)
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
	got, faults, err := l.ReadFile("20250304.jsonl")
	check(t, err)
	names := map[string]bool{}
	for _, r := range got {
		names[r.ID] = true
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
	if len(faults) > 1 { // one torn line
		t.Errorf("%v", faults)
	}
}

// Any line is an event or has a reason, and a written event is read back unchanged.
func FuzzLine(f *testing.F) {
	for _, s := range []string{
		event("a", "b", `,"domains":["x"]`), "", "\x00", "\ufeff{}",
		`{"content":1,"timestamp":"2025-03-04T01:02:03Z","domains":"a,b"}`, `{"content":"x","timestamp":1e308}`,
		`{"content":"\u0000","id":[]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, ok, err := parseEvent(line)
		if ok && (err != nil || e.Content == "" && e.Supersedes == "") ||
			!ok && err == nil && len(bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), bom))) > 0 &&
				len(bytes.TrimSpace(bytes.TrimPrefix(line, bom))) > 0 {
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
		if !ok || err != nil || again.ID != e.ID || again.Content != e.Content ||
			!slices.Equal(again.Domains, e.Domains) || again.Supersedes != e.Supersedes {
			t.Errorf("%+v read again: %+v, %v", e, again, err)
		}
	})
}

// In a random graph of events, no cycle hides all of its members, and only a superseding event
// hides another.
func TestResolve(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		n := 1 + rnd.IntN(12)
		all := make([]Record, n)
		for i := range all {
			all[i] = Record{Event{ID: strconv.Itoa(i), Content: strconv.Itoa(i)}, "20250304.jsonl", i + 1}
			if rnd.IntN(3) > 0 {
				all[i].Supersedes = strconv.Itoa(rnd.IntN(n))
			}
		}
		states, _ := Resolve(all)
		held := 0
		for i, s := range states {
			if s.Name != all[i].ID {
				t.Fatalf("named %q, want %q", s.Name, all[i].ID)
			}
			if s.IsShown(all[i]) {
				held++
			}
			if s.HiddenBy != "" &&
				all[slices.IndexFunc(all, func(r Record) bool { return r.ID == s.HiddenBy })].Supersedes != s.Name {
				t.Fatalf("%d is hidden by %s, which supersedes another", i, s.HiddenBy)
			}
		}
		if held == 0 {
			t.Fatalf("nothing holds of %+v", all)
		}
	}
}
