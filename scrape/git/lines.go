package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// A Change is a commit that changed some lines.
type Change struct {
	SHA     string    `json:"sha"`
	Author  string    `json:"author"`
	Time    time.Time `json:"time"` // the committer's
	Subject string    `json:"subject"`
}

// maxLineLog is the limit on git's output for one range of lines, in bytes.
const maxLineLog = 1 << 20

// lineFields is the number of fields of a commit in lineFormat.
const lineFields = 4

const lineFormat = "%x00%H%x00%an%x00%ct%x00%s"

// LineLog returns the commits that changed a range of lines of a file, newest first, as git log -L
// does. Lines count from 1 in the file's text at head, and a renamed file is followed under its old
// name.
//
// whole is false if more than limit commits changed the lines, or if the end of ctx cut the list.
// In both cases the commits found so far are returned without an error. It returns an error if head
// is no full commit id, if the range is empty, or if path contains a NUL or a line feed.
func (t Tree) LineLog(
	ctx context.Context, head, path string, first, last, limit int,
) (changes []Change, whole bool, err error) {
	if !isID(head) || first < 1 || last < first || strings.ContainsAny(path, "\x00\n") {
		return nil, false, fmt.Errorf("follow lines %d-%d of %q at %q: no such lines", first, last, path, head)
	}
	err = t.stream(ctx, nil, func(r *bufio.Reader) error {
		changes, err = readChanges(bufio.NewReader(io.LimitReader(r, maxLineLog)))
		if err == nil && len(changes) > limit {
			return errEnough
		}
		return err
	}, "log", fmt.Sprintf("-L%d,%d:%s", first, last, path), "--no-patch", alike, most, "--no-color", "--no-ext-diff",
		"--no-textconv", "--no-show-signature", "--no-notes", "--no-mailmap", "--encoding=UTF-8",
		"--max-count="+strconv.Itoa(limit+1), "--format="+lineFormat, head, "--")
	switch {
	case len(changes) > limit:
		return changes[:limit], false, nil
	case ctx.Err() != nil:
		return changes, false, nil
	case err != nil && !errors.Is(err, errEnough):
		return nil, false, fmt.Errorf("follow lines %d-%d of %q: %w", first, last, path, err)
	}
	return changes, true, nil
}

// readChanges reads commits to the end of the output. If git was killed, it returns those read so
// far.
func readChanges(r *bufio.Reader) (out []Change, err error) {
	var fields []string
	for {
		field, err := r.ReadString(0)
		if err != nil && !errors.Is(err, io.EOF) {
			return out, nil // git was killed: the commits before are whole
		}
		fields = append(fields, strings.TrimSuffix(field, "\x00"))
		if len(fields) == lineFields+1 {
			c, ok := changeOf(fields[1:])
			if !ok {
				return out, fmt.Errorf("%w: %.40q", errSyntax, fields)
			}
			out = append(out, c)
			fields = append(fields[:0], "")
		}
		if err != nil {
			return out, nil
		}
	}
}

func changeOf(f []string) (Change, bool) {
	at, err := strconv.ParseInt(f[2], 10, 64)
	valid := func(s string) string { return strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD") }
	return Change{
		SHA: f[0], Author: valid(f[1]), Time: time.Unix(min(max(at, 0), lastTime), 0).UTC(), Subject: valid(f[3]),
	}, err == nil && isID(f[0])
}

// ErrNotCommitted is wrapped by the error about a file that a commit does not have.
var ErrNotCommitted = errors.New("not committed")

// Blob returns a file's content in a commit. most is the largest size in bytes. The error wraps
// ErrNotCommitted if the commit does not have the file, or if the file is larger.
func (t Tree) Blob(ctx context.Context, head, path string, most int) ([]byte, error) {
	if !isID(head) || strings.ContainsAny(path, "\x00\n") {
		return nil, fmt.Errorf("read %q at %q: %w", path, head, ErrNotCommitted)
	}
	var out []byte
	err := t.stream(ctx, nil, func(r *bufio.Reader) (err error) {
		if out, err = io.ReadAll(io.LimitReader(r, int64(most)+1)); err == nil && len(out) > most {
			err = errEnough
		}
		return err
	}, "cat-file", "blob", head+":"+path)
	switch {
	case errors.Is(err, errEnough) || exitCode(err) > 0:
		return nil, fmt.Errorf("read %q at %.12s: %w", path, head, ErrNotCommitted)
	case err != nil:
		return nil, fmt.Errorf("read %q at %.12s: %w", path, head, err)
	}
	return out, nil
}
