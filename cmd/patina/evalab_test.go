package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"patina/cmd/internal/cli"
)

// An interrupted comparison must print the place of its record, which must have the answers so far.
func TestInterruptedComparisonKeepsItsRecord(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"tea.go":     "package app\n\n// PourTea pours tea.\nfunc PourTea() {}\n",
		"tasks.json": `[{"id": "t", "kind": "task", "query": "pour tea", "code": ["tea.go"]}]`,
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	started := filepath.Join(t.TempDir(), "started")
	run := func(args ...string) (*exec.Cmd, *strings.Builder) {
		c, out := exec.Command("patina", args...), &strings.Builder{} // in PATH by TestMain
		c.Dir, c.Stdout, c.Stderr = root, out, out
		c.Env = append(os.Environ(), "PATINA_HOME="+home, "GIT_CEILING_DIRECTORIES="+filepath.Dir(root),
			"STARTED="+started)
		return c, out
	}
	if c, out := run("scrape"); c.Run() != nil {
		t.Fatal(out.String())
	}
	c, out := run("eval", "ab", "-q", "tasks.json", "--judge", `touch "$STARTED"; sleep 1000`)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	for {
		if _, err := os.Stat(started); err == nil {
			break
		}
		select {
		case err := <-done:
			t.Fatalf("ended by itself: %v\n%s", err, out.String())
		default:
			runtime.Gosched()
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-done
	records, err := filepath.Glob(filepath.Join(home, "eval", "ab", "*.jsonl"))
	if err != nil || len(records) != 1 {
		t.Fatalf("records %q, %v", records, err)
	}
	want := "patina: what was done until then is kept: " + records[0] + "\npatina: interrupted\n"
	if code := c.ProcessState.ExitCode(); code != cli.ExitInterrupted || out.String() != want {
		t.Errorf("exit code %d: %q, want %q", code, out.String(), want)
	}
	b, err := os.ReadFile(records[0])
	if err != nil || strings.Count(string(b), `{"is":"answer"`) != 2 ||
		!strings.Contains(string(b), `{"is":"end","of":"context canceled"}`) {
		t.Errorf("%v: record %s", err, b)
	}
}
