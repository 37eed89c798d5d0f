package git

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for url, want := range map[string]bool{
		"https://example.org/a.git": true, "ssh://git@example.org/a": true, "git@example.org:a/b.git": true,
		"file:///tmp/a":            true,
		"ext::sh -c touch% /tmp/x": false, "--upload-pack=touch x": false, "-o": false, "fd::7": false,
		"ftp://example.org/a":      false,
		"https://example.org/a\nb": false, "": false, "plain": false, "https:/example.org/a": false, "file:a": false,
	} {
		if err := checkURL(url); (err == nil) != want || err != nil && !errors.Is(err, ErrURL) {
			t.Errorf("%q: %v", url, err)
		}
	}
	if err := checkURL("https://ann:s3cret@example.org/a"); !errors.Is(err, ErrPassword) ||
		strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a password: %v", err)
	}
	if err := checkURL("ssh://git@example.org/a"); err != nil {
		t.Error(err)
	}
	for s, want := range map[string]bool{
		"/a/b": false, "../x": false, "a/b": false, "host:path": true,
		"https://x/y": true, "a/b:c": false, "./a:b": false, "/a/b://c": false, "/a/b::c": false, "ext::sh": true,
	} {
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
		for _, args := range [][]string{{"add", name}, {
			"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", name,
		}} {
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

// No filter may see a file of a clone, whether it comes from the user's settings, from the clone's
// or from the user's attributes.
func TestCloneRunsNoFilter(t *testing.T) {
	from, trace := repository(t), filepath.Join(t.TempDir(), "trace")
	home := t.TempDir()
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	settings := "[core]\n\tattributesFile = " + home + "/attributes\n"
	for _, name := range []string{"lfs", "evil", "a=b"} {
		settings += fmt.Sprintf("[filter %q]\n\tsmudge = touch %s; cat\n\tclean = touch %s; cat\n\trequired = true\n",
			name, trace, trace)
	}
	settings += fmt.Sprintf("[filter \"server\"]\n\tprocess = touch %s\n\trequired = true\n", trace)
	write(filepath.Join(home, "config"), settings)
	write(filepath.Join(home, "attributes"), "*.own filter=evil\n")
	commit := func(name string) {
		t.Helper()
		for i, ending := range []string{"own", "lfs", "evil", "server"} {
			write(filepath.Join(from, name+"."+ending), strings.Repeat("pointer\n", i+1))
		}
		for _, args := range [][]string{{"add", "."}, {
			"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", name,
		}} {
			if _, err := Output(t.Context(), Call{Folder: from, Args: args}); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(filepath.Join(from, ".gitattributes"),
		"[attr]big filter=lfs\n*.lfs big\n*.evil filter=evil\n*.server filter=server\n")
	commit("one")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "config"))
	plain := exec.Command("git", "clone", "-q", "file://"+from, filepath.Join(t.TempDir(), "plain"))
	_ = plain.Run() // it fails because of the filter with a process
	if _, err := os.Stat(trace); err != nil {
		t.Fatal("the filters do not run under a plain git")
	}
	_ = os.Remove(trace)

	dir := filepath.Join(t.TempDir(), "clone")
	if err := Clone(t.Context(), "file://"+from, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := Output(t.Context(), Call{Folder: dir, Args: []string{
		"config", "filter.evil.smudge", "touch " + trace,
	}}); err != nil {
		t.Fatal(err)
	}
	commit("two")
	if err := Update(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a filter ran")
	}
	for _, name := range []string{"one.lfs", "two.lfs", "two.evil", "two.server"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(b), "pointer\n") {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
}

// A repository without commits is cloned as well.
func TestCloneOfNothing(t *testing.T) {
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	if _, err := Output(t.Context(), Call{Folder: from, Args: []string{"init", "-q"}}); err != nil {
		t.Fatal(err)
	}
	if err := Clone(t.Context(), "file://"+from, dir); err != nil {
		t.Fatal(err)
	}
}
