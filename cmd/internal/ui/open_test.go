package ui

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The browser gets a file that only its user may read, and no link on its command line. The file
// goes at the end.
func TestOpenLink(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the program has another name")
	}
	bin, home := t.TempDir(), filepath.Join(t.TempDir(), "home")
	told := filepath.Join(bin, "told")
	must(t, os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\necho \"$@\" >"+told+".new; mv "+told+".new "+told+"\n"), 0o700))
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	t.Setenv("DISPLAY", ":0")
	remove, err := openLink(t.Context(), home, `http://127.0.0.1:1/?token=a"b`)
	must(t, err)
	var line []byte
	for line, err = os.ReadFile(told); err != nil; line, err = os.ReadFile(told) {
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
	name := strings.TrimSpace(string(line))
	if strings.Contains(name, "token") || filepath.Dir(name) != home {
		t.Errorf("it was called with %q", name)
	}
	info, err := os.Stat(name)
	must(t, err)
	text, err := os.ReadFile(name)
	must(t, err)
	if info.Mode().Perm() != 0o600 || !strings.Contains(string(text), `url=http://127.0.0.1:1/?token=a&#34;b"`) {
		t.Errorf("mode %v: %s", info.Mode(), text)
	}
	remove()
	if _, err := os.Stat(name); err == nil {
		t.Error("the file is still there")
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if _, err := openLink(t.Context(), home, "x"); err == nil || !strings.Contains(err.Error(), "no screen") {
		t.Errorf("without a screen: %v", err)
	}
}
