package git

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

// How long git may be silent while it sorts a history, and how long it may take to read one. It
// prints nothing before it has seen all commits. A million commits take some twenty seconds from a
// warm cache, and their files an hour.
const (
	sortingTime = 10 * time.Minute
	historyTime = 12 * time.Hour
)

// pipeBuffer must be larger than any token that is kept whole.
const pipeBuffer = Buffer

// errCut is returned if git's output ends inside a record. It wraps io.ErrUnexpectedEOF.
var errCut = fmt.Errorf("output of git ends in the middle: %w", io.ErrUnexpectedEOF)

// exitCode returns git's exit code, or -1 if err is nil, or if git did not start or was killed.
func exitCode(err error) int { return ExitCode(err) }

// stream calls Stream with the repository's own settings only, so that a history is the same for
// every user. args must not be empty.
func (t Tree) stream(ctx context.Context, stdin io.Reader, read func(*bufio.Reader) error, args ...string) error {
	if err := t.Sound(); err != nil {
		return err
	}
	c := Call{
		Folder: t.GitDir, Dir: t.GitDir, Input: stdin, Args: args,
		// At git's 96m the log of 50,000 commits is no faster, at twice the memory.
		Options: []string{"core.deltaBaseCacheLimit=16m"},
	}
	if args[0] == "rev-list" || args[0] == "diff-tree" {
		c.Silence, c.Longest = sortingTime, historyTime
	}
	return Stream(ctx, c, read)
}

// output runs git and returns its output without the last line feed. The output must be short,
// because it is read as a whole.
func (t Tree) output(ctx context.Context, args ...string) (string, error) {
	var out []byte
	err := t.stream(ctx, nil, func(r *bufio.Reader) (err error) {
		out, err = io.ReadAll(r)
		return err
	}, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}
