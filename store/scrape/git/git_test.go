package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The variables of a caller that lead elsewhere or name programs do not reach git; those that say where its settings are do.
func TestEnvironment(t *testing.T) {
	got := environment([]string{
		"HOME=/h", "PATH=/a:.::b:/c", "GIT_DIR=/x", "GIT_EXEC_PATH=/e", "GIT_CONFIG_GLOBAL=/g", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b",
		"GIT_CONFIG_PARAMETERS='a.b=c'", "GIT_TRACE2=/t", "GIT_SSH=/s", "GIT_EXTERNAL_DIFF=/d", "GIT_ALLOW_PROTOCOL=ext", "GIT_PROXY_COMMAND=/p",
		"GIT_ATTR_SOURCE=x", "GIT_CEILING_DIRECTORIES=/c", "GITHUB_X=1",
	})
	want := append([]string{"HOME=/h", "PATH=/a:/c", "GIT_EXEC_PATH=/e", "GIT_CONFIG_GLOBAL=/g", "GIT_CEILING_DIRECTORIES=/c", "GITHUB_X=1"}, fixed...)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A git that waits for what never comes is killed, and the error says so.
func TestLate(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Output(context.Background(), Call{Folder: dir, Silence: 50 * time.Millisecond, Args: []string{"hash-object", "pipe"}})
	if !errors.Is(err, ErrLate) || !strings.Contains(err.Error(), "git hash-object: git took too long") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := Output(ctx, Call{Folder: dir, Args: []string{"hash-object", "pipe"}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// A slow reader is not taken for a silent git.
func TestSlowReader(t *testing.T) {
	dir := repository(t)
	const silence = 200 * time.Millisecond
	err := Stream(context.Background(), Call{Folder: dir, Silence: silence, Args: []string{"ls-files"}}, func(r *bufio.Reader) error {
		if _, err := r.ReadByte(); err != nil {
			return err
		}
		<-time.After(2 * silence) // as a store that is busy
		_, err := r.WriteTo(new(strings.Builder))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A cancelled git takes what it started with it.
func TestCancelKillsAll(t *testing.T) {
	dir := repository(t)
	set(t, dir, "alias.wait=!echo $$; sleep 1000 & wait")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	pid := 0
	err := Stream(ctx, Call{Folder: dir, Args: []string{"wait"}}, func(r *bufio.Reader) error {
		line, err := r.ReadString('\n')
		if err == nil {
			pid, err = strconv.Atoi(strings.TrimSpace(line))
		}
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) || pid == 0 {
		t.Fatalf("process %d: %v", pid, err)
	}
	if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && !strings.Contains(string(state), ") Z ") {
		t.Errorf("process %d is still there: %s", pid, state)
	}
}

// When this process is killed, git dies with it: nobody is left who would end it.
func TestDiesWithUs(t *testing.T) {
	if dir := os.Getenv("PATINA_TEST_WAIT"); dir != "" {
		_, err := Output(context.Background(), Call{Folder: dir, Args: []string{"hash-object", "pipe"}})
		t.Fatal(err)
	}
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("only Linux tells a process that its parent died")
	}
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], "-test.run=^TestDiesWithUs$")
	c.Env = append(os.Environ(), "PATINA_TEST_WAIT="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns when git has opened the other end
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	for {
		fds := []unix.PollFd{{Fd: int32(w.Fd())}} // POLLERR: nobody reads any more
		n, err := unix.Poll(fds, 20_000)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if n != 1 || fds[0].Revents&unix.POLLERR == 0 {
			t.Errorf("git has survived: %d, %v", n, err)
		}
		return
	}
}
