package history

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	process "patina/store/scrape/git"
)

// walking is how long git may be silent while it sorts a history: it prints nothing before it has seen all commits, which takes it
// some twenty seconds for a million of them from a warm cache.
const walking = 10 * time.Minute

// pipeBuffer must be larger than any token that is kept whole.
const pipeBuffer = process.Buffer

// errCut says that git's output ended inside a record.
var errCut = fmt.Errorf("output of git ends in the middle: %w", io.ErrUnexpectedEOF)

// exitCode is what git exited with, or -1 where it did not start or was killed.
func exitCode(err error) int { return process.ExitCode(err) }

// stream runs git, hands its output to read, and returns when git has ended (see git.Stream). Only the repository's own settings
// count, so that what is read of a history is the same for every user.
func (t Tree) stream(ctx context.Context, stdin io.Reader, read func(*bufio.Reader) error, args ...string) error {
	if err := t.Sound(); err != nil {
		return err
	}
	c := process.Call{
		Folder: t.GitDir, Dir: t.GitDir, Input: stdin, Args: args,
		Options: []string{"core.deltaBaseCacheLimit=16m"}, // at git's 96m the log of 50,000 commits is no faster, at twice the memory
	}
	if args[0] == "rev-list" || args[0] == "diff-tree" {
		c.Silence = walking
	}
	return process.Stream(ctx, c, read)
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
