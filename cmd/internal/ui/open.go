package ui

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// openLink opens a link in the user's browser, if there is a screen. The arguments of a process may
// be read by every user of a machine, so the browser gets a file of this user's that leads to the
// link. The caller must call remove at the end.
func openLink(ctx context.Context, home, link string) (remove func(), err error) {
	remove = func() {}
	program := "xdg-open"
	switch {
	case runtime.GOOS == "darwin":
		program = "open"
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return remove, errors.New("there is no screen")
	}
	program, err = exec.LookPath(program)
	if err != nil {
		return remove, err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return remove, err
	}
	f, err := os.CreateTemp(home, "ui-*.html") // mode 0600
	if err != nil {
		return remove, err
	}
	remove = func() { _ = os.Remove(f.Name()) }
	_, err = fmt.Fprintf(f, "<!doctype html><meta charset=utf-8><title>patina</title>"+
		"<meta http-equiv=refresh content=\"0; url=%[1]s\"><a href=\"%[1]s\">patina</a>\n", html.EscapeString(link))
	if err = errors.Join(err, f.Close()); err != nil {
		return remove, err
	}
	name, err := filepath.Abs(f.Name())
	if err != nil {
		return remove, err
	}
	c := exec.CommandContext(ctx, program, name)
	if err := c.Start(); err != nil {
		return remove, err
	}
	go func() { _ = c.Wait() }()
	return remove, nil
}
