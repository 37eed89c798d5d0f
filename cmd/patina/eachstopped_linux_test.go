package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sys "golang.org/x/sys/unix"

	"patina/ask/project"
	"patina/cmd/internal/cli"
)

// A gatedFolder holds five repositories. A git in front of PATH stops at a call about one of them,
// src/gated, until it is let through.
type gatedFolder struct {
	t                  *testing.T
	src, home          string
	git                string   // a folder with the git that stops
	arrived, admission *os.File // queues: a byte for each stop, and the end of each stop
}

// gatedGit counts the calls about a repository by folders, because two may be made at once.
const gatedGit = `#!/bin/sh
case $PWD/ in
*/gated/*)
	n=1
	until mkdir "$CALLS/$n" 2>/dev/null; do n=$((n + 1)); done
	if [ "$n" -eq "${STOP_AT:-0}" ]; then
		echo >"$GATE/arrived"
		read -r _ <"$GATE/admission"
	fi
	;;
esac
exec "$GIT" "$@"
`

var gatedNames = []string{"a", "b", "gated", "h", "i"}

func layGated(t *testing.T) *gatedFolder {
	t.Helper()
	real, err := exec.LookPath("git")
	check(t, err)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	f := &gatedFolder{t: t, src: filepath.Join(dir, "src"), home: filepath.Join(dir, "home"), git: filepath.Join(dir, "git")}
	check(t, os.Mkdir(f.git, 0o755))
	check(t, os.WriteFile(filepath.Join(f.git, "git"), []byte(gatedGit), 0o755))
	t.Setenv("GIT", real)
	t.Setenv("GATE", f.git)
	// A queue that is open for both needs no partner, here and in the script.
	for name, at := range map[string]**os.File{"arrived": &f.arrived, "admission": &f.admission} {
		check(t, syscall.Mkfifo(filepath.Join(f.git, name), 0o600))
		*at, err = os.OpenFile(filepath.Join(f.git, name), os.O_RDWR, 0)
		check(t, err)
		t.Cleanup(func() { _ = (*at).Close() })
	}
	for _, name := range gatedNames {
		root := filepath.Join(f.src, name)
		for i := range 3 {
			write(t, filepath.Join(root, fmt.Sprintf("f%d.go", i)),
				fmt.Sprintf("package a\n\n// Pour%d pours tea.\nfunc Pour%d() {}\n", i, i))
		}
		for _, args := range [][]string{
			{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "tea"},
		} {
			out, err := exec.Command(real, append([]string{"-C", root}, args...)...).CombinedOutput()
			if err != nil {
				t.Fatalf("git %q: %v: %s", args, err, out)
			}
		}
	}
	return f
}

// command returns a command of patina whose git stops at a call about the gated repository. 0
// means that it does not stop.
func (f *gatedFolder) command(stopAt int, args ...string) *exec.Cmd {
	f.t.Helper()
	c := exec.Command("patina", args...)
	c.Dir = filepath.Dir(f.src)
	c.Env = append(os.Environ(), "PATINA_HOME="+f.home, "PATINA_TIMEOUT=5m", "GIT_CEILING_DIRECTORIES="+f.src,
		"GORACE="+raceOptions, "PATH="+f.git+":"+os.Getenv("PATH"), "STOP_AT="+strconv.Itoa(stopAt),
		"CALLS="+f.t.TempDir())
	f.t.Cleanup(func() {
		if c.Process != nil && c.ProcessState == nil {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	})
	return c
}

// awaitStop waits until git has stopped. It fails if git is called less often than that.
func (f *gatedFolder) awaitStop() {
	f.t.Helper()
	check(f.t, f.arrived.SetReadDeadline(time.Now().Add(5*time.Minute)))
	_, err := f.arrived.Read(make([]byte, 1))
	check(f.t, err)
}

// admit lets a git that has stopped, or will, go on.
func (f *gatedFolder) admit() {
	_, err := f.admission.WriteString("\n")
	check(f.t, err)
}

// forget removes the home and all indexes.
func (f *gatedFolder) forget() {
	check(f.t, os.RemoveAll(f.home))
	for _, name := range gatedNames {
		check(f.t, os.RemoveAll(filepath.Join(f.src, name, project.StoreName)))
	}
}

// add runs "repo add --each" to its end and returns what it says about each repository.
func (f *gatedFolder) add() map[string]eachResult {
	f.t.Helper()
	return f.results(f.command(0, "repo", "add", "--each", "src", "--json").Output())
}

type eachResult struct {
	Name, State, Error string
	Files, Read        int
}

func (f *gatedFolder) results(out []byte, err error) map[string]eachResult {
	f.t.Helper()
	if err != nil {
		x, _ := errors.AsType[*exec.ExitError](err)
		f.t.Fatalf("%v: %s%s", err, out, x.Stderr)
	}
	var found struct{ Repositories []eachResult }
	check(f.t, json.Unmarshal(out, &found))
	all := map[string]eachResult{}
	for _, r := range found.Repositories {
		all[r.Name] = r
	}
	if len(all) != len(gatedNames) || len(found.Repositories) != len(all) {
		f.t.Fatalf("%s", out)
	}
	return all
}

// sound fails unless each repository is registered once with an index of three files, no lock is
// held, and the gated one answers a question.
func (f *gatedFolder) sound() {
	f.t.Helper()
	out, err := f.command(0, "repo", "list").CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != len(gatedNames) || strings.Contains(string(out), "!") || strings.Contains(string(out), "never") {
		f.t.Errorf("%v: %s", err, out)
	}
	for _, name := range gatedNames {
		f.unlocked(name)
	}
	c := f.command(0, "scry", "pours tea")
	c.Dir = filepath.Join(f.src, "gated")
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "f0.go") {
		f.t.Errorf("%v: %s", err, out)
	}
}

// unlocked fails if a process holds the lock of a repository's index.
func (f *gatedFolder) unlocked(name string) {
	f.t.Helper()
	lock, err := os.OpenFile(filepath.Join(f.src, name, project.StoreName, "lock"), os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	check(f.t, err)
	defer func() { _ = lock.Close() }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.t.Errorf("the lock of %s is held: %v", name, err)
	}
}

// An interrupted call says what is done and how to go on, and leaves no half index and no lock.
// The next one reads only what is missing.
func TestInterruptedEach(t *testing.T) {
	f := layGated(t)
	for _, x := range []struct {
		signal os.Signal
		args   []string
	}{{os.Interrupt, nil}, {syscall.SIGTERM, []string{"--json"}}} {
		f.forget()
		c := f.command(3, append([]string{"repo", "add", "--each", "src"}, x.args...)...)
		var out, errs bytes.Buffer
		c.Stdout, c.Stderr = &out, &errs
		check(t, c.Start())
		f.awaitStop()
		f.awaitIndexes()
		check(t, c.Process.Signal(x.signal))
		_ = c.Wait() // the exit code tells
		want := "patina: 4 of 5 synced, not gated: the same call goes on\npatina: interrupted\n"
		if c.ProcessState.ExitCode() != cli.ExitInterrupted || errs.String() != want {
			t.Errorf("%v: %v\n%s%s", x.signal, c.ProcessState, &out, &errs)
		}
		if x.args == nil && strings.Count(out.String(), "\nsynced ") != 3 || strings.Contains(out.String(), "synced gated") {
			t.Errorf("it says %s", &out)
		}
		if x.args != nil {
			all := f.results(out.Bytes(), nil)
			if all["gated"].State != "waiting" || all["gated"].Read != 0 || all["a"].State != "added" || all["i"].Files != 3 {
				t.Errorf("%+v", all)
			}
		}
		f.unlocked("gated")
		if _, err := os.Stat(filepath.Join(f.src, "gated", project.StoreName, "current")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("half an index was published: %v", err)
		}
		list, err := f.command(0, "repo", "list").CombinedOutput()
		if err != nil || strings.Count(string(list), "!") != 1 || !strings.Contains(string(list), "gated  never synced") &&
			!strings.Contains(string(list), "! it has no index") {
			t.Errorf("%v: %s", err, list)
		}
		for name, r := range f.add() {
			if want := map[bool]int{true: 3}[name == "gated"]; r.State != "known" || r.Read != want || r.Files != 3 {
				t.Errorf("the next call: %+v, want %d files read", r, want)
			}
		}
		f.sound()
	}
}

// awaitIndexes waits until all repositories but the gated one have an index and a line in the
// registry.
func (f *gatedFolder) awaitIndexes() {
	f.t.Helper()
	for {
		out, err := f.command(0, "repo", "list").CombinedOutput()
		if err != nil {
			f.t.Fatalf("%v: %s", err, out)
		}
		if strings.Count(string(out), "  Go  synced ") >= len(gatedNames)-1 {
			return
		}
	}
}

// A call that is killed, at whatever call of git, is continued by the next one.
func TestKilledEach(t *testing.T) {
	stops := []int{1, 3, 5, 6, 8} // from before files are listed to the end of the history
	if testing.Short() {
		stops = []int{5}
	}
	f := layGated(t)
	for _, stop := range stops {
		f.forget()
		c := f.command(stop, "repo", "add", "--each", "src")
		var out bytes.Buffer
		c.Stdout = &out
		check(t, c.Start())
		f.awaitStop()
		check(t, c.Process.Kill())
		_ = c.Wait()
		f.admit() // the git that was left behind
		done := strings.Count(out.String(), "\n")
		if done == 0 || done == len(gatedNames) {
			t.Errorf("killed at %d: it said %q", stop, &out)
		}
		for name, r := range f.add() {
			again := strings.Contains(out.String(), "synced "+name+": ") && r.Read != 0
			if r.State == "failed" || r.Files != 3 || r.Read != 0 && r.Read != 3 || name == "gated" && stop < 4 && r.Read != 3 || again {
				t.Errorf("killed at %d: %+v, after %q", stop, r, &out)
			}
		}
		f.sound()
	}
}

// Two calls at a time make each index once. One that comes upon an index that the other makes
// names that process, and has done the rest.
func TestTwoEachAtATime(t *testing.T) {
	f := layGated(t)
	first := f.command(3, "repo", "add", "--each", "src", "--json")
	var out bytes.Buffer
	first.Stdout = &out
	check(t, first.Start())
	f.awaitStop()
	second := f.command(0, "repo", "add", "--each", "src")
	said, err := second.CombinedOutput()
	if exitCode(err) != cli.ExitNothing || !strings.Contains(string(said), " 1 failed\npatina: ") ||
		!strings.Contains(string(said), "gated\": another scrape holds the store: process "+strconv.Itoa(first.Process.Pid)) ||
		!strings.Contains(string(said), "patina: hint: wait until it has finished, then run this again\n") {
		t.Errorf("%v: %s", err, said)
	}
	f.admit()
	_ = first.Wait()
	all := f.results(out.Bytes(), nil)
	if all["gated"].Read != 3 {
		t.Errorf("%+v", all)
	}
	f.sound()

	// From nothing, without a stop.
	f.forget()
	var calls [2]*exec.Cmd
	var outs [2]bytes.Buffer
	for i := range calls {
		calls[i] = f.command(0, "repo", "add", "--each", "src", "--json")
		calls[i].Stdout = &outs[i]
		check(t, calls[i].Start())
	}
	for i := range calls {
		_ = calls[i].Wait()
		f.results(outs[i].Bytes(), nil)
	}
	f.add()
	f.sound()
}

// On a terminal one line of progress stands below the finished lines, and Ctrl-C removes it.
func TestEachOnTerminal(t *testing.T) {
	f := layGated(t)
	c := f.command(3, "repo", "add", "--each", "src")
	screen, terminal := openTerminal(t)
	c.Stdin, c.Stdout, c.Stderr = terminal, terminal, terminal
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	check(t, c.Start())
	check(t, terminal.Close())
	shown := make(chan string)
	go func() {
		text, _ := io.ReadAll(screen) // ends with an error when the program has ended
		shown <- string(text)
	}()
	f.awaitStop()
	f.awaitIndexes()
	_, err := screen.WriteString("\x03")
	check(t, err)
	_ = c.Wait()
	text := <-shown
	const line = "\r\x1b[K"
	for _, want := range []string{
		line + "1 of 5: a" + line, line + "synced a: ", "\r\n5 of 5: i", line + "synced i: ",
		line + "patina: 4 of 5 synced, not gated: the same call goes on\r\npatina: interrupted\r\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	for row := range strings.SplitSeq(strings.TrimSpace(text), "\r\n") {
		shown := row[strings.LastIndex(row, line)+1:] // what a reader sees
		if strings.Contains(shown, " of 5: ") && strings.Contains(shown, "synced in") || strings.Count(shown, "synced") > 1 {
			t.Errorf("a line mixed with progress: %q", row)
		}
	}
	if c.ProcessState.ExitCode() != cli.ExitInterrupted {
		t.Errorf("%v", c.ProcessState)
	}
	f.unlocked("gated")
}

// openTerminal returns both ends of a pseudo-terminal.
func openTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	check(t, sys.IoctlSetPointerInt(int(screen.Fd()), sys.TIOCSPTLCK, 0))
	n, err := sys.IoctlGetInt(int(screen.Fd()), sys.TIOCGPTN)
	check(t, err)
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	check(t, err)
	return screen, terminal
}
