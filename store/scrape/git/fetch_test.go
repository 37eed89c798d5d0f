package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for url, want := range map[string]bool{
		"https://example.org/a.git": true, "ssh://git@example.org/a": true, "git@example.org:a/b.git": true, "file:///tmp/a": true,
		"ext::sh -c touch% /tmp/x": false, "--upload-pack=touch x": false, "-o": false, "fd::7": false, "ftp://example.org/a": false,
		"https://example.org/a\nb": false, "": false, "plain": false,
	} {
		if err := checkURL(url); (err == nil) != want || err != nil && !errors.Is(err, ErrURL) {
			t.Errorf("%q: %v", url, err)
		}
	}
	if err := checkURL("https://ann:s3cret@example.org/a"); !errors.Is(err, ErrPassword) || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a password: %v", err)
	}
	if err := checkURL("ssh://git@example.org/a"); err != nil {
		t.Error(err)
	}
	for s, want := range map[string]bool{"/a/b": false, "../x": false, "a/b": false, "host:path": true, "https://x/y": true, "a/b:c": false} {
		if IsURL(s) != want {
			t.Errorf("%q is an address: %v", s, !want)
		}
	}
}

func TestCloneAndUpdate(t *testing.T) {
	from := repository(t)
	commit := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(from, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"add", name}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", name}} {
			if _, err := Output(t.Context(), Call{Folder: from, Args: args}); err != nil {
				t.Fatal(err)
			}
		}
	}
	commit("one")
	dir := filepath.Join(t.TempDir(), "clone")
	if err := Clone(t.Context(), "file://"+from, dir); err != nil {
		t.Fatal(err)
	}
	commit("two")
	if err := Update(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if err := Clone(t.Context(), "file:///nowhere/at/all", dir+"2"); err == nil {
		t.Error("cloned from nowhere")
	}
	if err := Clone(t.Context(), "ext::touch "+dir, dir+"3"); !errors.Is(err, ErrURL) {
		t.Error(err)
	}
}
