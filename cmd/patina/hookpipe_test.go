package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A hook exits with 0 even if its client has closed the pipe.
func TestHookEndsWellWithoutAReader(t *testing.T) {
	g := layGoldens(t)
	g.run("scrape", "--no-adapt")
	hook := func() *exec.Cmd {
		c := exec.Command("patina", "hook", "session-start") // in PATH by TestMain
		c.Stdin = strings.NewReader(`{"hook_event_name": "SessionStart"}`)
		return c
	}
	if out, err := hook().Output(); err != nil || len(out) == 0 {
		t.Fatalf("%q, %v", out, err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	c := hook()
	c.Stdout = w
	err = c.Run()
	_ = w.Close()
	if err != nil {
		t.Errorf("without a reader, a hook ends with %v", err)
	}
}
