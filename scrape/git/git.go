package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// Buffer is the size in bytes of one read from git.
	Buffer = 256 << 10
	// Patience is how long git may print nothing by default. Listing 400,000 files from a cold disk
	// takes less.
	Patience = time.Minute
	// Longest is git's time limit by default. Its output may come drop by drop.
	Longest = 5 * time.Minute

	maxStderr = 4 << 10     // bytes of git's error output kept for an error
	lingering = time.Second // for pipes held open by a killed git's child
)

var (
	// ErrLate is the cause when git was killed because its time was up.
	ErrLate = errors.New("git took too long")
	// ErrMissing is the cause when no folder on PATH has git.
	ErrMissing = errors.New("git is not installed")
)

// A Call is one run of git.
type Call struct {
	Folder   string        // working directory; without Dir, git searches from here upward
	Dir      string        // the git directory
	Tree     string        // top of the working tree; "": as the repository says
	Settings bool          // read system and user settings
	Literal  bool          // paths are names, not patterns
	Fetch    bool          // a transport is open, and the user's own programs for it: Clone and Update
	Silence  time.Duration // silence before git is killed; 0: Patience
	Longest  time.Duration // time before git is killed; 0: Longest
	Options  []string      // more settings, as key=value
	Input    io.Reader
	Args     []string
}

// An Error is a failed git call, with git's error output.
type Error struct {
	Command string
	Cause   error  // *exec.ExitError if git ran; ErrLate; ErrMissing
	Stderr  string // the first lines, as one
}

func (e *Error) Error() string {
	if e.Stderr == "" || errors.Is(e.Cause, ErrLate) {
		return fmt.Sprintf("git %s: %v", e.Command, e.Cause)
	}
	return fmt.Sprintf("git %s: %s", e.Command, e.Stderr)
}

func (e *Error) Unwrap() error { return e.Cause }

// ExitCode returns git's exit code, or -1 if it did not start or was killed.
func ExitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}

// Output runs git and returns its whole output.
func Output(ctx context.Context, c Call) ([]byte, error) {
	var out bytes.Buffer
	err := Stream(ctx, c, func(r *bufio.Reader) error {
		_, err := r.WriteTo(&out)
		return err
	})
	return out.Bytes(), err
}

// Stream runs git, passes its output to read, and returns when git has ended. read must read to the
// end.
//
// Git is killed when ctx ends, and when it prints nothing for too long. It is also killed if read
// fails with an error other than io.ErrUnexpectedEOF. With several errors the first counts: the end
// of ctx, the lateness, read's error, git's own.
func Stream(ctx context.Context, c Call, read func(*bufio.Reader) error) error {
	running, kill := context.WithCancel(ctx)
	defer kill()
	cmd, err := c.command(running)
	if err != nil {
		return &Error{Command: c.Args[0], Cause: err}
	}
	var stderr firstBytes
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("open pipe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return eitherError(ctx.Err(), &Error{Command: c.Args[0], Cause: err})
	}
	// A child of git may hold the other end.
	defer context.AfterFunc(running, func() { out.Close() })()
	p := &patient{r: out, silence: cmp.Or(c.Silence, Patience), kill: kill}
	longest := cmp.Or(c.Longest, Longest)
	defer time.AfterFunc(longest, p.giveUp).Stop()
	readErr := read(bufio.NewReaderSize(p, Buffer))
	cut := errors.Is(readErr, io.ErrUnexpectedEOF)
	if readErr != nil && !cut {
		kill()
	}
	waitErr := p.wait(cmd.Wait)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p.late.Load():
		return &Error{Command: c.Args[0], Cause: fmt.Errorf("%w: it said nothing for %v, or had not ended after %v", ErrLate, p.silence, longest)}
	case readErr != nil && !cut:
		return readErr
	case waitErr != nil:
		return &Error{Command: c.Args[0], Cause: waitErr, Stderr: stderr.String()}
	}
	return readErr
}

// command prepares the process.
func (c Call) command(ctx context.Context) (*exec.Cmd, error) {
	program, err := findGit()
	if err != nil {
		return nil, err
	}
	var args []string
	if c.Dir != "" {
		args = append(args, "--git-dir="+c.Dir)
	}
	if c.Tree != "" {
		args = append(args, "--work-tree="+c.Tree)
	}
	args = append(args, "--no-pager")
	for _, o := range slices.Concat(c.overridden(), c.Options) {
		args = append(args, "-c", o)
	}
	cmd := exec.CommandContext(ctx, program, append(args, c.Args...)...)
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = c.Folder, c.Input, lingering
	cmd.Env = environmentFor(os.Environ())
	if c.Fetch {
		cmd.Env = append(slices.DeleteFunc(cmd.Env, forFetching), "GIT_ALLOW_PROTOCOL="+transports)
	}
	if !c.Settings {
		cmd.Env = append(cmd.Env, alone...)
	}
	if c.Literal {
		cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=1")
	}
	bindToProcess(cmd)
	return cmd, nil
}

// findGit looks for git in PATH's absolute folders, which do not depend on the working directory.
func findGit() (string, error) {
	for _, dir := range absoluteFolders(os.Getenv("PATH")) {
		if program, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
			return program, nil
		}
	}
	return "", ErrMissing
}

// A patient reader kills git if one of its reads takes too long.
type patient struct {
	r       io.Reader
	silence time.Duration
	kill    func()
	late    atomic.Bool
}

func (p *patient) Read(b []byte) (n int, err error) {
	err = p.wait(func() (err error) { n, err = p.r.Read(b); return err })
	return n, err
}

// wait calls f, which returns some time after the kill at the latest.
func (p *patient) wait(f func() error) error {
	defer time.AfterFunc(p.silence, p.giveUp).Stop()
	return f()
}

func (p *patient) giveUp() {
	p.late.Store(true)
	p.kill()
}

func eitherError(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// firstBytes keeps the first maxStderr bytes written to it.
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
