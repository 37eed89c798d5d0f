package ui

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const strangerAt = "PATINA_TEST_STRANGER_AT"

// Another user of the machine may connect, but gets nothing, and cannot read the link.
func TestAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	s := siteOf(t, kettle, true)
	open, err := os.MkdirTemp("", "") // the folder of this test's binary is not open to others
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(open) })
	must(t, os.Chmod(open, 0o755))
	must(t, os.WriteFile(filepath.Join(open, "xdg-open"), []byte("#!/bin/sh\nexit 0\n"), 0o755))
	t.Setenv("PATH", open+":"+os.Getenv("PATH"))
	t.Setenv("DISPLAY", ":0")
	home := filepath.Join(open, "home") // open to all, so that the file's own mode counts
	must(t, os.Mkdir(home, 0o755))
	remove, err := openLink(t.Context(), home, s.server.Link())
	must(t, err)
	defer remove()
	list, err := os.ReadDir(home)
	must(t, err)
	binary := filepath.Join(open, "stranger.test")
	must(t, os.Link(os.Args[0], binary))
	c := exec.Command(binary, "-test.run", "^TestProcessOfStranger$")
	c.Env = append(os.Environ(), strangerAt+"="+s.server.Address+" "+filepath.Join(home, list[0].Name()))
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 4242, Gid: 4242}}
	c.Dir = "/"
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "status 403, file: permission denied") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestProcessOfStranger asks for a page and reads the file with the link. It prints both ends.
func TestProcessOfStranger(t *testing.T) {
	address, file, ok := strings.Cut(os.Getenv(strangerAt), " ")
	if !ok {
		t.Skip("another test starts it")
	}
	r, err := http.Get("http://" + address + "/")
	must(t, err)
	defer func() { _ = r.Body.Close() }()
	b, err := io.ReadAll(r.Body)
	must(t, err)
	if strings.Contains(string(b), "kettle") {
		t.Errorf("%s", b)
	}
	_, err = os.ReadFile(file)
	if err == nil {
		t.Fatal("it has read the link")
	}
	fmt.Printf("status %d, file: %v\n", r.StatusCode, errors.Unwrap(err))
}
