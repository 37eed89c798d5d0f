package check

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pack makes a release of bin/patina for this machine, without deb, rpm and apk, and returns its
// folder. It takes the time of two compressions of the program.
func pack(t *testing.T) string {
	t.Helper()
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("it packs a program of Linux, which takes half a minute")
	}
	program, err := filepath.Abs("../../bin/patina")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("bin/patina is not there: make build")
	}
	dist := t.TempDir()
	place := filepath.Join(dist, ".work", "linux-"+runtime.GOARCH)
	if err := os.MkdirAll(filepath.Join(place, "licences"), 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(place, "patina"), text, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("../release/pack.sh", "0.0.1", dist)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1790000000", "NFPM=", "FAST=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dist
}

// A home is a user's: its own folder, and a path without patina.
type home struct {
	t    *testing.T
	dir  string
	more []string
}

func (h home) run(name string, args ...string) (string, error) {
	h.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = h.dir
	cmd.Env = append([]string{"HOME=" + h.dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + h.t.TempDir()}, h.more...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (h home) files() []string {
	var out []string
	_ = filepath.WalkDir(h.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && path != h.dir {
			path, _ = filepath.Rel(h.dir, path)
			out = append(out, path)
		}
		return nil
	})
	return out
}

// install.sh must install what runs, name each file, and remove exactly these. What it refuses, it
// refuses with a word, and with nothing written.
func TestInstall(t *testing.T) {
	dist := pack(t)
	t.Run("and remove", func(t *testing.T) { installAndRemove(t, dist) })
	t.Run("refusals", func(t *testing.T) { refusals(t, dist) })
	t.Run("full disk", func(t *testing.T) { fullDisks(t, dist) })
	t.Run("cut download", func(t *testing.T) { cutDownloads(t, dist) })
	t.Run("killed", func(t *testing.T) { killedInstalls(t, dist) })
	t.Run("npm", func(t *testing.T) { installByNPM(t, dist) })
	t.Run("formula", func(t *testing.T) {
		ruby := tool(t, "ruby", "apt-get install ruby")
		lintFilled(t, filepath.Join(dist, "patina.rb"), ruby, "-c")
	})
	t.Run("flake", func(t *testing.T) {
		nix := tool(t, "nix-instantiate", "apt-get install nix-bin")
		lintFilled(t, filepath.Join(dist, "flake.nix"), nix, "--parse")
	})
}

func installAndRemove(t *testing.T, dist string) {
	h := home{t: t, dir: t.TempDir()}
	script := filepath.Join(dist, "install.sh")
	out, err := h.run("sh", script, "--version")
	if err != nil || out != "install.sh of patina 0.0.1\n" {
		t.Errorf("%q, %v", out, err)
	}
	for range 2 { // the second replaces the first
		out, err = h.run("sh", script, dist)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, name := range h.files() {
		info, err := os.Stat(filepath.Join(h.dir, name))
		if err != nil || info.Mode().IsRegular() && !strings.HasSuffix(name, "share/patina/installed") &&
			!strings.Contains(out, "wrote "+filepath.Join(h.dir, name)+"\n") {
			t.Errorf("%s is not named: %v\n%s", name, err, out)
		}
	}
	if said, err := h.run(filepath.Join(h.dir, ".local/bin/patina"), "version"); err != nil || !strings.HasPrefix(said, "patina ") {
		t.Errorf("%q, %v", said, err)
	}
	mine := filepath.Join(h.dir, ".local/share/man/man1/mine.1")
	if err := os.WriteFile(mine, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err = h.run("sh", script, "--uninstall"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := []string{".local", ".local/share", ".local/share/man", ".local/share/man/man1", ".local/share/man/man1/mine.1"}
	if got := h.files(); !slices.Equal(got, want) {
		t.Errorf("left: %q", got)
	}
	if out, err = h.run("sh", script, "--uninstall"); err == nil || !strings.Contains(out, "nothing to remove") {
		t.Errorf("%v, %s", err, out)
	}
}

func refusals(t *testing.T, dist string) {
	script := filepath.Join(dist, "install.sh")
	damaged, tools := t.TempDir(), t.TempDir()
	archives, _ := filepath.Glob(filepath.Join(dist, "patina-0.0.1-linux-*.tar.gz"))
	if len(archives) != 1 {
		t.Fatalf("%q", archives)
	}
	for _, name := range []string{"SHA256SUMS", filepath.Base(archives[0])} {
		text, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			text[len(text)/2] ^= 1
		}
		if err := os.WriteFile(filepath.Join(damaged, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// A path with what the script needs, but nothing to fetch with.
	for _, name := range []string{"sh", "sed", "tar", "gzip", "mktemp", "uname", "getconf", "cut", "rm", "cat", "mkdir", "awk", "tr", "head", "cp"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	odd := filepath.Join(t.TempDir(), "uname")
	if err := os.WriteFile(odd, []byte("#!/bin/sh\necho Plan9\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		args []string
		env  string
		want string
	}{
		{nil, "", "where is the release?"},
		{[]string{"--wrong"}, "", `unknown flag "--wrong"`},
		{[]string{"/nowhere"}, "", "there is no folder /nowhere"},
		{[]string{"ftp://example.org"}, "", "neither a folder nor an address"},
		{[]string{damaged}, "", "is damaged or is another file: nothing was installed"},
		{[]string{t.TempDir()}, "", "there is no SHA256SUMS"},
		{[]string{dist}, "PREFIX=relative", `PREFIX "relative" is not an absolute path`},
		{[]string{dist}, "PREFIX=/proc/patina", "cannot write /proc/patina"},
		{[]string{dist}, "HOME=", "HOME is not set"},
		{[]string{"http://example.org/x"}, "PATH=" + tools, "neither curl nor wget is here"},
		{[]string{"http://127.0.0.1:9/x"}, "http_proxy=http://user:secret@127.0.0.1:9", "through the proxy http://127.0.0.1:9"},
		{[]string{dist}, "PATH=" + filepath.Dir(odd) + ":" + os.Getenv("PATH"), "there is no patina for Plan9"},
		{[]string{"--uninstall"}, "", "nothing to remove"},
	} {
		h := home{t: t, dir: t.TempDir(), more: []string{x.env}}
		if x.env == "" {
			h.more = nil
		}
		out, err := h.run("sh", append([]string{script}, x.args...)...)
		if err == nil || !strings.Contains(out, x.want) || strings.Contains(out, "secret") {
			t.Errorf("%v %s: %v, %s", x.args, x.env, err, out)
		}
		if got := h.files(); len(got) > 0 {
			t.Errorf("%v %s has written %q", x.args, x.env, got)
		}
	}
}

// The packages of npm must install without a network and start the program, with its exit code.
// Signals must reach it.
func installByNPM(t *testing.T, dist string) {
	npm := tool(t, "npm", "apt-get install npm")
	h := home{t: t, dir: t.TempDir()}
	archives, _ := filepath.Glob(filepath.Join(dist, "patina-0.0.1-npm*.tgz"))
	if len(archives) != 2 {
		t.Fatalf("%q", archives)
	}
	if err := os.WriteFile(filepath.Join(h.dir, "package.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := h.run(npm, append([]string{"install", "--offline", "--no-audit", "--no-fund"}, archives...)...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := h.run("npx", "--offline", "patina", "version"); err != nil || !strings.HasPrefix(out, "patina ") {
		t.Errorf("%q, %v", out, err)
	}
	launcher := filepath.Join(h.dir, "node_modules/.bin/patina")
	out, err := h.run(launcher, "no-such-command")
	exit, ok := err.(*exec.ExitError)
	if !ok || exit.ExitCode() != 2 {
		t.Errorf("%v, %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(h.dir, "node_modules/patina/package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var about struct{ Scripts map[string]string }
	if err := json.Unmarshal(text, &about); err != nil || len(about.Scripts) > 0 {
		t.Errorf("%v: scripts %v", err, about.Scripts)
	}
	signalReaches(t, h, launcher)
	if err := os.RemoveAll(filepath.Join(h.dir, "node_modules/@patina")); err != nil {
		t.Fatal(err)
	}
	if out, err := h.run(launcher, "version"); err == nil || !strings.Contains(out, "no package for linux") {
		t.Errorf("%v, %s", err, out)
	}
}

// signalReaches starts a server of MCP by the launcher, which must end when the launcher is told
// to: standard input stays open.
func signalReaches(t *testing.T, h home, launcher string) {
	t.Helper()
	if out, err := h.run("git", "init", "-q", "."); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(launcher, "mcp")
	cmd.Dir, cmd.Env = h.dir, []string{"HOME=" + h.dir, "PATH=" + os.Getenv("PATH")}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	if _, err := in.Write([]byte(hello + "\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // it serves
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	if !stuck.Stop() {
		t.Error("SIGTERM of the launcher does not end the program")
	}
}

// lintFilled fails if the linter finds a fault, if a place was not filled in, or if the linter
// accepts half of the file.
func lintFilled(t *testing.T, file, linter string, args ...string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "@if") || strings.Contains(string(text), "@SHA") || !strings.Contains(string(text), "0.0.1") {
		t.Errorf("not filled in:\n%s", text)
	}
	if out, err := exec.Command(linter, append(args, file)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	half := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(half, text[:len(text)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	if exec.Command(linter, append(args, half)...).Run() == nil {
		t.Error("the linter accepts half of the file")
	}
}
