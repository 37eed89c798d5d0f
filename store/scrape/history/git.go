package history

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	pipeBuffer = 256 << 10 // bytes read from git at once; larger than any token that is kept whole
	maxStderr  = 4 << 10   // bytes of git's complaints that are kept for an error
)

// errCut says that git's output ended inside a record.
var errCut = errors.New("output of git ends in the middle")

// A gitError is git's own failure, with what it said.
type gitError struct {
	command string
	cause   error // *exec.ExitError where git ran
	stderr  string
}

func (e *gitError) Error() string {
	if e.stderr == "" {
		return fmt.Sprintf("git %s: %v", e.command, e.cause)
	}
	return fmt.Sprintf("git %s: %s", e.command, e.stderr)
}

func (e *gitError) Unwrap() error { return e.cause }

// exitCode is what git exited with, or -1 where it did not start or was killed.
func exitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}

// stream runs git, hands its output to read, and returns when git has ended. It kills git when ctx ends or read fails.
// read must read to the end. An end of ctx is the error before all others, then read's, then git's.
func (t Tree) stream(ctx context.Context, stdin io.Reader, read func(*bufio.Reader) error, args ...string) error {
	running, kill := context.WithCancel(ctx)
	defer kill()
	cmd := exec.CommandContext(running, "git", append([]string{
		"--git-dir=" + t.GitDir,
		"-c", "core.fsmonitor=false", // the name of a program
		"-c", "core.deltaBaseCacheLimit=16m", // at git's 96m the log of 50,000 commits is no faster, at twice the memory
	}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = t.GitDir, environment(os.Environ()), stdin
	cmd.WaitDelay = time.Second
	var stderr firstBytes
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("open pipe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return either(ctx.Err(), &gitError{command: args[0], cause: err})
	}
	defer context.AfterFunc(running, func() { out.Close() })() // a child of git may hold the other end
	readErr := read(bufio.NewReaderSize(out, pipeBuffer))
	if readErr != nil && !errors.Is(readErr, errCut) {
		kill()
	}
	waitErr := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case readErr != nil && !errors.Is(readErr, errCut):
		return readErr
	case waitErr != nil:
		return &gitError{command: args[0], cause: waitErr, stderr: stderr.String()}
	}
	return readErr
}

func either(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// output runs git and returns what it printed, which must be short.
func (t Tree) output(ctx context.Context, args ...string) (string, error) {
	var out []byte
	err := t.stream(ctx, nil, func(r *bufio.Reader) (err error) {
		out, err = io.ReadAll(r)
		return err
	}, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// environment takes git's own variables out of an environment: inside a hook they point to another repository or index.
// Settings of the machine and of the user are switched off, and so is every transport: git would otherwise fetch what a
// partial clone lacks (GIT_NO_LAZY_FETCH is known since git 2.45, GIT_ALLOW_PROTOCOL to all).
func environment(env []string) []string {
	kept := make([]string, 0, len(env)+9)
	for _, v := range env {
		if !strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "GIT_EXEC_PATH=") {
			kept = append(kept, v)
		}
	}
	return append(kept,
		"LC_ALL=C", // git's complaints in one language
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_FLUSH=0", // write full buffers, not one commit at a time
	)
}

// firstBytes keeps the first maxStderr bytes that are written to it.
type firstBytes struct{ buf bytes.Buffer }

func (f *firstBytes) Write(p []byte) (int, error) {
	f.buf.Write(p[:min(len(p), maxStderr-f.buf.Len())])
	return len(p), nil
}

// String returns the lines kept as one line.
func (f *firstBytes) String() string {
	lines := strings.Split(strings.TrimSpace(f.buf.String()), "\n")
	return strings.ToValidUTF8(strings.Join(lines, "; "), "\uFFFD")
}
