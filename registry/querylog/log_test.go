package querylog

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC)

func at(dir string, t time.Time) Log {
	return Log{Dir: dir, Now: func() time.Time { return t }}
}

func TestIDNamesItsSecond(t *testing.T) {
	id := NewID(time.Date(2026, 2, 2, 16, 30, 0, 0, time.FixedZone("east", 2*3600)))
	if !strings.HasPrefix(id, "q_260202143000_") || !IsID(id) {
		t.Errorf("id %q does not name its second in UTC", id)
	}
	for _, bad := range []string{
		"", "q_", "q_260202143000_", "q_260202143000_abcd", "q_261302143000_abc", "q_260202143000_abc/..",
		"x_260202143000_abc",
	} {
		if IsID(bad) {
			t.Errorf("IsID(%q)", bad)
		}
	}
}

func TestFindReturnsWhatWasAppended(t *testing.T) {
	l := at(filepath.Join(t.TempDir(), "queries"), noon)
	want := Query{
		ID: NewID(noon), Text: "line\nbreak \x1b[31m \u2028", Root: "/r", Store: "/r/.patina", Generation: 7,
		Time:    noon,
		Results: []Place{{DocID: "a.go", Shown: "a.go::F"}, {DocID: "commit:0123456789ab"}},
	}
	if err := l.Append(want); err != nil {
		t.Fatal(err)
	}
	got, err := l.Find(want.ID)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("found %v, %v; want %v", got, err, want)
	}
	if info, err := os.Stat(l.fileOfDay(noon)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("log file: %v, %v; want it private", info.Mode(), err)
	}
}

func TestLogKeepsNoSecret(t *testing.T) {
	l := at(filepath.Join(t.TempDir(), "queries"), noon)
	token := "ghp_" + "x7Kd93mQpL2vRt8YwZ4bNc6HsJ1fGa5EuX0i"
	q := Query{ID: NewID(noon), Text: "why is " + token + " refused by https://bob:hunter2@host/"}
	if err := l.Append(q); err != nil {
		t.Fatal(err)
	}
	if got, err := l.Find(q.ID); err != nil || got.Text != "why is [secret] refused by https://bob:[secret]@host/" {
		t.Errorf("%q, %v", got.Text, err)
	}
	b, err := os.ReadFile(l.fileOfDay(noon))
	if err != nil || strings.Contains(string(b), token) || strings.Contains(string(b), "hunter2") {
		t.Errorf("%s, %v", b, err)
	}
}

func TestUnknownAndExpiredAreToldApart(t *testing.T) {
	dir := t.TempDir()
	id := NewID(noon)
	if err := at(dir, noon).Append(Query{ID: id}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		id   string
		when time.Time
		want error
	}{
		{id, noon.Add(29 * 24 * time.Hour), nil},
		{id, noon.Add(31 * 24 * time.Hour), ErrExpired},
		{"q_260202120001_zzz", noon, ErrUnknown}, // the day has a file
		{"q_260201120001_zzz", noon, ErrUnknown}, // the day has no file
		{"nonsense", noon, ErrUnknown},
	} {
		if _, err := at(dir, c.when).Find(c.id); !errors.Is(err, c.want) {
			t.Errorf("Find(%q) at %s: %v, want %v", c.id, c.when, err, c.want)
		}
	}
}

func TestDamagedLinesCostThemselvesOnly(t *testing.T) {
	l := at(t.TempDir(), noon)
	first, second := "q_260202120000_aaa", "q_260202120000_bbb"
	if err := l.Append(Query{ID: first, Text: "one"}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(l.fileOfDay(noon), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	// A line without its end, as after a crash, which even holds the id that is searched for.
	torn := "\x00\xff\n" + strings.Repeat("x", 200_000) + "\n" + `{"id":"q_260202120000_bbb","query":"tor`
	if _, err := f.WriteString(torn); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := l.Append(Query{ID: second, Text: "two"}); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{first: "one", second: "two"} {
		if q, err := l.Find(id); err != nil || q.Text != want {
			t.Errorf("Find(%q) = %q, %v; want %q", id, q.Text, err, want)
		}
	}
}

func TestFirstAppendOfADayRemovesExpiredDays(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "notes.jsonl")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	id := func(t time.Time) string { return NewID(t) }
	for _, age := range []int{40, 32, 30, 1} {
		day := noon.Add(-time.Duration(age) * 24 * time.Hour)
		if err := at(dir, day).Append(Query{ID: id(day)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := at(dir, noon).Append(Query{ID: id(noon)}); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, f := range at(dir, noon).files() {
		left = append(left, filepath.Base(f))
	}
	if got := strings.Join(left, " "); got != "260103.jsonl 260201.jsonl 260202.jsonl" {
		t.Errorf("days left: %s", got)
	}
	if n, err := at(dir, noon).Clear(); n != 3 || err != nil {
		t.Errorf("Clear = %d, %v; want 3 days", n, err)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Errorf("a file that is no day was touched: %v", err)
	}
}

// TestMain runs the child process of TestProcessesAppendTogether.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PATINA_TEST_APPEND"); dir != "" {
		l := at(dir, noon)
		for i := range 50 {
			id := fmt.Sprintf("q_2602021200%02d_%s", i, os.Getenv("PATINA_TEST_NAME"))
			q := Query{ID: id, Text: strings.Repeat("long question ", 600)}
			if err := l.Append(q); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestProcessesAppendTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "queries")
	names := []string{"aaa", "bbb", "ccc", "ddd"}
	var running []*exec.Cmd
	for _, name := range names {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "PATINA_TEST_APPEND="+dir, "PATINA_TEST_NAME="+name)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, c)
	}
	for _, c := range running {
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		for i := range 50 {
			if _, err := at(dir, noon).Find(fmt.Sprintf("q_2602021200%02d_%s", i, name)); err != nil {
				t.Error(err)
			}
		}
	}
}
