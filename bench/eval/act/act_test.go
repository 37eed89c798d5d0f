package act

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLoadTasks(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("b.json", `{"prompt": "Do b.", "check": "true"}`)
	put("a.json", `{"prompt": "Do a.", "check": "test -f a", "setup": "touch x", "notes": [{"text": "A is first.", "path": "a.go", "symbol": "A"}]}`)
	put("notes.txt", "no task")
	tasks, err := LoadTasks(folder)
	if err != nil || len(tasks) != 2 || tasks[0].ID != "a" || tasks[1].ID != "b" || tasks[0].Notes[0].Symbol != "A" {
		t.Fatalf("%+v, %v", tasks, err)
	}
	if got := noteArgs(tasks[0].Notes[0]); !slices.Equal(got, strings.Fields("memory add A_is_first. --type gotcha --path a.go --symbol A")) &&
		got[2] != "A is first." {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{
		`{"prompt": "x", "check": "true", "notes": [{"path": "a"}]}`: "note 1 has no text",
		`{"prompt": " ", "check": "true"}`:                           `field "prompt"`,
		`{"prompt": "x", "checks": "true"}`:                          "unknown field",
		"{\n\"prompt\": 3}":                                          "line 2",
		strings.Repeat(" ", maxTaskFile+1):                           "not a file of at most",
	} {
		put("b.json", text)
		if _, err := LoadTasks(folder); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "b.json") {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

func TestReports(t *testing.T) {
	r := Report{Runs: 2, Rows: []Row{{Task: "a", Without: 0, With: 2, Shown: 2}, {Task: "b", Without: 1, With: 1, Faults: []string{"with: \x1b[31mred"}}}}
	r.estimate()
	if r.Without.Mean != .25 || r.With.Mean != .75 || r.Difference.Mean != .5 || r.Difference.Low < 0 || r.Difference.High > 1 {
		t.Errorf("%+v", r)
	}
	var b strings.Builder
	if err := r.Text(&b); err != nil || strings.Contains(b.String(), "\x1b") || !strings.Contains(b.String(), "a       0/2     2/2   2\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	e := EchoReport{Planted: 10, Echoed: 10, Repeated: 10, Quiet: 10, Ungoverned: 100, Silent: 95}
	if !e.IsWhole() {
		t.Error("it is whole")
	}
	for _, change := range []func(*EchoReport){
		func(r *EchoReport) { r.Echoed = 9 }, func(r *EchoReport) { r.Quiet = 9 }, func(r *EchoReport) { r.Silent = 94 },
		func(r *EchoReport) { r.Failed = 1 }, func(r *EchoReport) { r.Planted, r.Echoed = 0, 0 },
	} {
		worse := e
		if change(&worse); worse.IsWhole() {
			t.Errorf("%+v is whole", worse)
		}
	}
}

func TestTextFiles(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package a\n", "b.md": "# b\n", "empty": "", "binary": "\xff\xfe", "layer/x.go": "x", ".git/y": "y", "d/c.py": "x\n",
	} {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	files, err := textFiles(root)
	if want := []string{"a.go", "d/c.py"}; err != nil || !slices.Equal(files, want) {
		t.Errorf("%q, want %q (%v)", files, want, err)
	}
	if got := spread([]string{"a", "b", "c", "d"}, 2); !slices.Equal(got, []string{"a", "c"}) || len(spread(nil, 3)) != 0 {
		t.Errorf("%q", got)
	}
}
