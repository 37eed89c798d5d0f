package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"patina/ask/project"
	"patina/cmd/internal/cli"
)

// An interrupted scrape leaves the last generation; here there is no generation.
func TestInterruptedScrapePublishesNothing(t *testing.T) {
	root := t.TempDir()
	for i := range 3000 {
		src := fmt.Sprintf("package a\n\n// F%d does one thing.\nfunc F%d() {}\n", i, i)
		if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("f%d.go", i)), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	c := exec.Command("patina", "scrape") // in PATH by TestMain
	c.Dir, c.Stdout, c.Stderr = root, &out, &out
	c.Env = append(os.Environ(), "PATINA_HOME="+t.TempDir(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	for {
		if _, err := os.Stat(filepath.Join(root, project.StoreName, "lock")); err == nil {
			break
		}
		select {
		case err := <-done:
			t.Fatalf("scrape ended by itself: %v\n%s", err, out.String())
		default:
			runtime.Gosched()
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-done
	if code := c.ProcessState.ExitCode(); code != cli.ExitInterrupted || out.String() != "patina: interrupted\n" {
		t.Errorf("exit code %d: %s", code, out.String())
	}
	if _, err := os.Stat(filepath.Join(root, project.StoreName, "current")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an index was published: %v", err)
	}
}

// A second scrape at the same time names the process that holds the store. Questions and doctor
// still work.
func TestSecondScrapeIsTold(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nfunc PourTea() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	patina := func(args ...string) (string, int) {
		c := exec.Command("patina", args...)
		c.Dir, c.Env = root, append(os.Environ(), "PATINA_HOME="+filepath.Join(root, ".home"), "PATINA_TIMEOUT=5m",
			"GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
		out, _ := c.CombinedOutput()
		return string(out), c.ProcessState.ExitCode()
	}
	if out, code := patina("scrape"); code != 0 {
		t.Fatal(out)
	}
	lock, err := os.OpenFile(filepath.Join(root, project.StoreName, "lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	out, code := patina("scrape")
	if code != cli.ExitError || !strings.Contains(out, "another scrape holds the store: process ") ||
		!strings.Contains(out, "hint: wait until it has finished") {
		t.Errorf("scrape: exit code %d: %s", code, out)
	}
	if out, code := patina("scry", "pour tea"); code != 0 {
		t.Errorf("scry: exit code %d: %s", code, out)
	}
	if out, _ := patina("doctor"); !strings.Contains(out, "ok    lock        a scrape is under way: process ") {
		t.Errorf("doctor: %s", out)
	}
}
