package walk

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"patina/scrape/scrapetest"
)

// left returns the temporary repositories in a folder.
func left(t *testing.T, temp string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(temp, tempRepoPrefix+"*"))
	scrapetest.Must(t, err)
	return names
}

// The leftover of a killed process is removed by the next scrape. That of a living one stays.
func TestTempRepoAfterAKill(t *testing.T) {
	if os.Getenv("PATINA_TEST_HOLD") != "" {
		held, err := newTempRepo()
		scrapetest.Must(t, err)
		fmt.Println("holds " + held.dir)
		_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends
		held.remove()
		return
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	hold := func() (c *exec.Cmd, dir string, end io.Closer) {
		c = exec.Command(os.Args[0], "-test.run=^TestTempRepoAfterAKill$")
		c.Env = append(os.Environ(), "PATINA_TEST_HOLD=1")
		in, err := c.StdinPipe()
		scrapetest.Must(t, err)
		out, err := c.StdoutPipe()
		scrapetest.Must(t, err)
		scrapetest.Must(t, c.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		scrapetest.Must(t, err)
		return c, strings.TrimSpace(strings.TrimPrefix(line, "holds ")), in
	}
	killed, leftover, _ := hold()
	living, held, end := hold()
	scrapetest.Must(t, killed.Process.Kill())
	_ = killed.Wait()
	if names := left(t, temp); len(names) != 2 {
		t.Fatalf("before: %q", names)
	}
	root := t.TempDir()
	scrapetest.Tree(t, root, map[string]string{"a.go": "package a\n", ignoreFile: "*.txt\n", "b.txt": "b"})
	same(t, walked(t, root), ignoreFile, "a.go")
	if names := left(t, temp); !slices.Equal(names, []string{held}) || held == leftover {
		t.Errorf("after: %q, want %q", names, held)
	}
	scrapetest.Must(t, end.Close())
	_ = living.Wait()
	if names := left(t, temp); len(names) != 0 {
		t.Errorf("in the end: %q", names)
	}
}

// Only temporary repositories of this user are removed, whatever other names and locks look like.
func TestSweep(t *testing.T) {
	temp, target := t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(temp, tempRepoPrefix+name) }
	scrapetest.Tree(t, target, map[string]string{"kept": "", tempRepoLock: ""})
	old := time.Now().Add(-2 * unheld)
	for _, name := range []string{"young", "old", "open", "pipe", "linked lock", "free"} {
		scrapetest.Must(t, os.Mkdir(at(name), 0o700))
	}
	scrapetest.Must(t, os.Chmod(at("open"), 0o777))
	scrapetest.Must(t, unix.Mkfifo(filepath.Join(at("pipe"), tempRepoLock), 0o600))
	scrapetest.Must(t, os.Symlink(filepath.Join(target, tempRepoLock), filepath.Join(at("linked lock"), tempRepoLock)))
	scrapetest.Must(t, os.WriteFile(filepath.Join(at("free"), tempRepoLock), nil, 0o600))
	scrapetest.Must(t, os.Symlink(target, at("link")))
	scrapetest.Must(t, os.WriteFile(at("file"), nil, 0o600))
	want := []string{at("file"), at("link"), at("linked lock"), at("open"), at("pipe"), at("young")}
	if os.Geteuid() == 0 {
		scrapetest.Must(t, os.Mkdir(at("foreign"), 0o700))
		scrapetest.Must(t, os.WriteFile(filepath.Join(at("foreign"), tempRepoLock), nil, 0o600))
		scrapetest.Must(t, os.Chown(at("foreign"), 4242, 4242))
		want = append(want, at("foreign"))
	}
	for _, name := range []string{"old", "open"} {
		scrapetest.Must(t, os.Chtimes(at(name), old, old))
	}
	sweepTemporary(temp)
	slices.Sort(want)
	if got := left(t, temp); !slices.Equal(got, want) {
		t.Errorf("left:\n got %q\nwant %q", got, want)
	}
	if _, err := os.Stat(filepath.Join(target, "kept")); err != nil {
		t.Error(err)
	}
}
