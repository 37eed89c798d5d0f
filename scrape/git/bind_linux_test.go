package git

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A cancelled git must take its children with it.
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
	process, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return
	}
	if err != nil {
		t.Skip("the system does not tell of a process: ", err)
	}
	defer unix.Close(process)
	if !happens(t, process, unix.POLLIN) { // readable once it has ended
		t.Errorf("process %d has survived", pid)
	}
}

// If this process is killed, git must die with it, because nobody is left to end it.
func TestDiesWithUs(t *testing.T) {
	if dir := os.Getenv("PATINA_TEST_WAIT"); dir != "" {
		_, err := Output(context.Background(), Call{Folder: dir, Args: []string{"hash-object", "pipe"}})
		t.Fatal(err)
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
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns once git has opened the other end
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if !happens(t, int(w.Fd()), unix.POLLERR) { // nobody reads any more
		t.Error("git has survived")
	}
}

// happens waits for an event on a file, far longer than anything here takes.
func happens(t *testing.T, fd int, event int16) bool {
	t.Helper()
	for {
		fds := []unix.PollFd{{Fd: int32(fd), Events: event}}
		n, err := unix.Poll(fds, 20_000)
		if !errors.Is(err, unix.EINTR) {
			return n == 1 && fds[0].Revents&event != 0
		}
	}
}
