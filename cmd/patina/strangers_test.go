package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/store/folder"
)

// stranger is another user's uid. Only root can act as both users.
const stranger = 4242

// A person calls patina with a uid and a home.
type person struct {
	t    *testing.T
	home string
	uid  int // 0: the user who runs the test
}

func (p person) command(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+p.home, "PATINA_HOME="+filepath.Join(p.home, "patina"), "PATINA_TIMEOUT=5m",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(p.home), "GIT_CONFIG_GLOBAL=/dev/null")
	if p.uid != 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(p.uid), Gid: uint32(p.uid)}}
	}
	return c
}

// patina calls the command and returns its answer, or its error if it fails, and its exit code.
func (p person) patina(dir string, args ...string) (said string, code int) {
	p.t.Helper()
	c := p.command(dir, "patina", args...)
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run()
	if c.ProcessState == nil {
		p.t.Fatal("patina did not start")
	}
	if out.Len() == 0 {
		return errs.String(), c.ProcessState.ExitCode()
	}
	return out.String(), c.ProcessState.ExitCode()
}

// people returns the user who runs the test and a stranger, with a folder for both.
func people(t *testing.T) (place string, own, other person) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can act as two users")
	}
	place, err := os.MkdirTemp("", "patina-people-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(place) })
	must(t, os.Chmod(place, 0o755))
	binary, err := exec.LookPath("patina")
	must(t, err)
	bin := filepath.Join(place, "bin")
	must(t, os.Mkdir(bin, 0o755))
	content, err := os.ReadFile(binary)
	must(t, err)
	// Other users cannot read the original binary's folder.
	must(t, os.WriteFile(filepath.Join(bin, "patina"), content, 0o755))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	people := []person{{t, filepath.Join(place, "own"), 0}, {t, filepath.Join(place, "other"), stranger}}
	for _, p := range people {
		must(t, os.Mkdir(p.home, 0o700))
		must(t, os.Chown(p.home, p.uid, p.uid))
	}
	return place, people[0], people[1]
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(content), 0o600))
}

// A stranger's store in a world-writable folder receives nothing from a user's folder below it.
func TestStoreOfAStrangerAbove(t *testing.T) {
	place, own, other := people(t)
	open := filepath.Join(place, "tmp")
	must(t, os.Mkdir(open, 0o777))
	must(t, os.Chmod(open, 0o777))
	if said, code := other.patina(open, "scrape"); code != 0 {
		t.Fatalf("the stranger's scrape: %d %s", code, said)
	}
	planted := filepath.Join(open, project.StoreName)
	must(t, os.Chmod(planted, 0o777))
	below := filepath.Join(open, "mine")
	write(t, filepath.Join(below, "secret.go"), "package mine\n\n// Zanzibar is private.\nfunc Zanzibar() {}\n")
	if said, code := own.patina(below, "scrape"); code != 0 {
		t.Fatalf("scrape below: %d %s", code, said)
	}
	if said, code := own.patina(below, "scry", "-l", "zanzibar"); code != 0 || said != "secret.go\n" {
		t.Errorf("an answer from the user's own store: %d %s", code, said)
	}
	err := filepath.WalkDir(planted, func(name string, d fs.DirEntry, err error) error {
		if b, _ := os.ReadFile(name); strings.Contains(string(b), "anzibar") {
			t.Errorf("%s holds what is private", name)
		}
		return err
	})
	must(t, err)
	// In the stranger's own folder, every command refuses the store.
	for _, args := range [][]string{{"scrape"}, {"scry", "zanzibar"}, {"init"}, {"clean"}} {
		said, code := own.patina(open, args...)
		if code != cli.ExitError || !strings.Contains(said, "of another user (uid 4242)") &&
			!strings.Contains(said, "is not believed") {
			t.Errorf("patina %s in the stranger's folder: %d %s", args, code, said)
		}
	}
}

// An index is private to its owner, so that it reveals no file that others could not read.
func TestIndexIsPrivate(t *testing.T) {
	place, own, other := people(t)
	dir := filepath.Join(place, "work")
	write(t, filepath.Join(dir, "private.go"), "package work\n\n// Zanzibar is private.\nfunc Zanzibar() {}\n")
	must(t, os.Chmod(dir, 0o755))
	for _, args := range [][]string{
		{"scrape"},
		{"scry", "zanzibar"},
		{"scrape", "--file", "private.go"},
		{"scry", "zanzibar"},
	} {
		if said, code := own.patina(dir, args...); code != 0 {
			t.Fatalf("patina %s: %d %s", args, code, said)
		}
	}
	err := filepath.WalkDir(filepath.Join(dir, project.StoreName), func(name string, d fs.DirEntry, err error) error {
		must(t, err)
		info, err := d.Info()
		must(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", name, info.Mode())
		}
		if out, err := other.command("/", "cat", name).CombinedOutput(); err == nil && len(out) > 0 {
			t.Errorf("a stranger reads %s", name)
		}
		return nil
	})
	must(t, err)
	if said, code := other.patina(dir, "scry", "zanzibar"); code != cli.ExitError ||
		strings.Contains(said, "private.go") {
		t.Errorf("a stranger's question: %d %s", code, said)
	}
}

// Under sudo, the caller's store must stay the caller's, and its files readable.
func TestSudo(t *testing.T) {
	place, own, other := people(t)
	dir := filepath.Join(place, "work")
	write(t, filepath.Join(dir, "tea.go"), "package work\n\n// Pour pours tea.\nfunc Pour() {}\n")
	must(t, os.Chown(dir, stranger, stranger))
	must(t, os.Chown(filepath.Join(dir, "tea.go"), stranger, stranger))
	if said, code := other.patina(dir, "scrape"); code != 0 {
		t.Fatalf("scrape: %d %s", code, said)
	}
	own.home = other.home // as sudo -E leaves it
	if said, code := own.patina(dir, "scry", "-l", "pour"); code != cli.ExitError ||
		!strings.Contains(said, "belongs to another user (uid 4242)") {
		t.Errorf("root, not by sudo: %d %s", code, said)
	}
	t.Setenv("SUDO_UID", "4242")
	if said, code := own.patina(dir, "scry", "-l", "pour"); code != 0 || said != "tea.go\n" {
		t.Errorf("by sudo: %d %s", code, said)
	}
	if said, code := own.patina(dir, "scrape"); code != 0 {
		t.Errorf("scrape by sudo: %d %s", code, said)
	}
	t.Setenv("SUDO_UID", "")
	if said, code := other.patina(dir, "scry", "-l", "pour"); code != 0 || said != "tea.go\n" {
		t.Errorf("the user again: %d %s", code, said)
	}
}

// In a tree that git refuses as another user's, no folder, lock or record may be made.
func TestNothingIsWrittenBeforeGitAccepts(t *testing.T) {
	place, own, other := people(t)
	dir := filepath.Join(place, "theirs")
	must(t, os.Mkdir(dir, 0o755))
	must(t, os.Chown(dir, stranger, stranger))
	if out, err := other.command(dir, "git", "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("git init: %v %s", err, out)
	}
	for _, args := range [][]string{{"scrape"}, {"scrape", "--file", "a.go"}, {"scrape", "git"}, {"scrape", "--full"}} {
		if said, code := own.patina(dir, args...); code != cli.ExitError || !strings.Contains(said, "safe.directory") {
			t.Errorf("patina %s: %d %s", args, code, said)
		}
	}
	for _, name := range []string{
		filepath.Join(dir, folder.DefaultName), filepath.Join(own.home, "patina", "projects"),
		filepath.Join(own.home, "patina", "mother.db"),
	} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}
