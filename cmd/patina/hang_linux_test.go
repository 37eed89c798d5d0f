package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	sys "golang.org/x/sys/unix"

	"patina/actors/api"
	"patina/ask/project"
	"patina/cmd/internal/cli"
)

// The first signal ends a command that waits for input or output.
func TestSignalEndsWhatHangs(t *testing.T) {
	root := t.TempDir()
	check(t, os.WriteFile(filepath.Join(root, "a.go"),
		[]byte("package a\n\n"+strings.Repeat("// PourTea pours.\nfunc PourTea() { PourTea() }\n", 500)), 0o644))
	if out, err := answerOf(t, root, "scrape", "--no-adapt"); err != nil {
		t.Fatal(err, out)
	}
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		// A question on standard input that never ends.
		in, question := pipe(t)
		c := child(t, root, "scry", "-")
		c.Stdin = in
		check(t, c.Start())
		_, err := question.WriteString("how long")
		check(t, err)
		for pending(t, in) > 0 { // until it reads
			runtime.Gosched()
		}
		interrupted(t, c, signal)

		// Output that nobody reads.
		for _, args := range [][]string{{"man"}, {"grep", "-F", "PourTea", "-n", "100", "--json=full"}} {
			_, out := pipe(t)
			capacity, err := sys.FcntlInt(out.Fd(), sys.F_SETPIPE_SZ, 4096)
			check(t, err)
			c = child(t, root, args...)
			c.Stdout = out
			check(t, c.Start())
			for pending(t, out) < capacity { // until it writes
				runtime.Gosched()
			}
			interrupted(t, c, signal)
		}
	}
}

// child returns a patina command for a folder. Its standard error is kept.
func child(t *testing.T, root string, args ...string) *exec.Cmd {
	c := exec.Command("patina", args...)
	c.Dir, c.Stderr = root, new(strings.Builder)
	c.Env = append(os.Environ(), "PATINA_HOME="+filepath.Join(root, ".home"),
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(root), "PATINA_TIMEOUT=5m", "GORACE="+raceOptions)
	t.Cleanup(func() {
		if c.ProcessState == nil && c.Process != nil {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	})
	return c
}

func pipe(t *testing.T) (r, w *os.File) {
	r, w, err := os.Pipe()
	check(t, err)
	t.Cleanup(func() {
		_ = r.Close()
		_ = w.Close()
	})
	return r, w
}

// pending returns the number of unread bytes in a pipe.
func pending(t *testing.T, f *os.File) int {
	n, err := sys.IoctlGetInt(int(f.Fd()), sys.TIOCINQ)
	check(t, err)
	return n
}

// interrupted sends one signal to a command and waits for its end.
func interrupted(t *testing.T, c *exec.Cmd, signal os.Signal) {
	t.Helper()
	check(t, c.Process.Signal(signal))
	_ = c.Wait()
	if text := c.Stderr.(*strings.Builder).String(); c.ProcessState.ExitCode() != cli.ExitInterrupted ||
		text != "patina: interrupted\n" {
		t.Errorf("%v of %v: %v: %s", signal, c.Args, c.ProcessState, text)
	}
}

// A command must not wait for a locked index longer than its timeout. Its answer says that every
// channel lacked the index.
func TestTimeoutCoversOpening(t *testing.T) {
	root := t.TempDir()
	check(t, os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nfunc PourTea() {}\n"), 0o644))
	out, err := answerOf(t, root, "scrape")
	if err != nil {
		t.Fatal(err, out)
	}
	dbs, err := filepath.Glob(filepath.Join(root, project.StoreName, "index-*.db"))
	if check(t, err); len(dbs) != 1 {
		t.Fatal(dbs)
	}
	db, err := os.OpenFile(dbs[0], os.O_RDWR, 0)
	check(t, err)
	defer func() { _ = db.Close() }()
	const shared, size = 0x40000002, 510 // the bytes that a reader of SQLite locks
	check(t, syscall.FcntlFlock(db.Fd(), syscall.F_SETLK,
		&syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: shared, Len: size}))
	out, err = answerOf(t, root, "scry", "--strict", "--timeout", "200ms", "pour tea")
	if code := exitCode(err); code != cli.ExitPartial ||
		!strings.Contains(out, strings.Join(api.Channels(), ", ")+" (the index was not open in time)") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if out, err := answerOf(t, root, "scry", "--timeout", "200ms", "pour tea"); exitCode(err) != cli.ExitPartial {
		t.Errorf("nothing found in time: %v: %s", err, out)
	}
	var all sync.WaitGroup // each waits a second for the lock
	for _, c := range []struct{ args, read string }{
		{"scry --detail a.go", "detail"},
		{"scry --file a.go", "detail"},
		{"scry why a.go", "detail"},
		{"scry why a.go pour tea", "detail"},
		{"scry recent", "recent"},
		{"scry orient .", "overview"},
		{"scry --package p pour tea", "packages"},
		{"assay callers PourTea", "assay"},
		{"show a.go", "detail"},
		{"callers PourTea", "assay"},
	} {
		all.Go(func() {
			out, err := answerOf(t, root, append(strings.Fields(c.args), "--timeout", "200ms")...)
			want := "patina: " + c.read + " of " + strconv.Quote(filepath.Base(root)) +
				": no answer within 200ms: the index was not open in time\npatina: hint: wait longer: --timeout 60s\n"
			if code := exitCode(err); code != cli.ExitError || out != want {
				t.Errorf("patina %s: exit code %d: %s", c.args, code, out)
			}
		})
	}
	all.Wait()
	check(t, db.Close())
	if out, err := answerOf(t, root, "scry", "--strict", "pour tea"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func answerOf(t *testing.T, root string, args ...string) (string, error) {
	c := child(t, root, args...)
	c.Stderr = nil
	out, err := c.CombinedOutput()
	return string(out), err
}

func exitCode(err error) int {
	if x, ok := err.(*exec.ExitError); ok {
		return x.ExitCode()
	}
	return 0
}
