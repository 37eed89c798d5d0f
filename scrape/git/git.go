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
	// Patience is how long git may print nothing if Call.Silence is 0. Listing 400,000 files from a
	// cold disk takes less.
	Patience = time.Minute
	// Longest is git's time limit if Call.Longest is 0. It is needed because output may come drop
	// by drop.
	Longest = 5 * time.Minute

	maxStderr = 4 << 10     // bytes of git's error output kept for an error
	lingering = time.Second // for pipes that a killed git's child holds open
)

var (
	// ErrLate is wrapped by the error about a git that was killed because its time was up.
	ErrLate = errors.New("git took too long")
	// ErrMissing is wrapped by the error of every call if no absolute folder on PATH has git.
	ErrMissing = errors.New("git is not installed")
)

// A Call describes one run of git. Args must not be empty, and its first element must be git's
// subcommand. All other fields may be zero.
type Call struct {
	Folder   string        // working directory; without Dir, git searches from here upward
	Dir      string        // the git directory; "": git looks for it
	Tree     string        // top of the working tree; "": the repository's own setting
	Index    string        // index file; "": that of the git directory
	Objects  string        // folder of the objects; "": that of the git directory
	Settings bool          // read system and user settings
	Literal  bool          // paths in Args are names, not patterns
	Fetch    bool          // opens transports and the user's programs for them (Clone, Update)
	Silence  time.Duration // silence before git is killed; 0: Patience
	Longest  time.Duration // time before git is killed; 0: Longest
	Options  []string      // more settings, as key=value; they win over the fixed ones
	Input    io.Reader
	Args     []string
}

// An Error reports a git call that failed, with git's error output.
type Error struct {
	Command string
	// Cause is an *exec.ExitError if git ran. Else it wraps ErrLate or ErrMissing, or says why git
	// did not start.
	Cause  error
	Stderr string // the first lines, joined to one
}

func (e *Error) Error() string {
	if e.Stderr == "" || errors.Is(e.Cause, ErrLate) {
		return fmt.Sprintf("git %s: %v", e.Command, e.Cause)
	}
	return fmt.Sprintf("git %s: %s", e.Command, e.Stderr)
}

func (e *Error) Unwrap() error { return e.Cause }

// ExitCode returns git's exit code from an error of this package. It returns -1 if err is nil, or
// if git did not start or was killed.
func ExitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}

// Output runs git and returns its whole output, which must fit into memory. The errors are those of
// Stream.
func Output(ctx context.Context, c Call) ([]byte, error) {
	var out bytes.Buffer
	err := Stream(ctx, c, func(r *bufio.Reader) error {
		_, err := r.WriteTo(&out)
		return err
	})
	return out.Bytes(), err
}

// Stream runs git, passes its output to read, and returns when git has ended. read must read to the
// end, or return an error.
//
// Git is killed when ctx ends, when it prints nothing for c.Silence, and after c.Longest. It is
// also killed if read fails with an error other than io.ErrUnexpectedEOF. If several errors occur,
// Stream returns the first in this order: ctx.Err(), an *Error that wraps ErrLate, the error of
// read, an *Error with git's exit code.
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
	// Closing our end is needed because a child of git may hold the other one.
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
		return &Error{
			Command: c.Args[0],
			Cause:   fmt.Errorf("%w: it said nothing for %v, or had not ended after %v", ErrLate, p.silence, longest),
		}
	case readErr != nil && !cut:
		return readErr
	case waitErr != nil:
		return &Error{Command: c.Args[0], Cause: waitErr, Stderr: stderr.String()}
	}
	return readErr
}

// command prepares the process. It returns ErrMissing if git is not installed.
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
	for _, v := range []struct{ name, value string }{{"GIT_INDEX_FILE", c.Index}, {"GIT_OBJECT_DIRECTORY", c.Objects}} {
		if v.value != "" {
			cmd.Env = append(cmd.Env, v.name+"="+v.value)
		}
	}
	if c.Literal {
		cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=1")
	}
	bindToProcess(cmd)
	return cmd, nil
}

// findGit looks for git in PATH's absolute folders. A relative folder is skipped because its
// meaning depends on the working directory, which may be a stranger's.
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

// wait calls f and kills git if f takes longer than p.silence. f must return soon after git is
// killed.
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

// String returns the kept lines, joined to one.
func (f *firstBytes) String() string {
	lines := strings.Split(strings.TrimSpace(f.buf.String()), "\n")
	return strings.ToValidUTF8(strings.Join(lines, "; "), "\uFFFD")
}
