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

// maxLineLog bounds git's output for one run of lines, in bytes.
const maxLineLog = 1 << 20

// lineFields is the number of fields of a commit in lineFormat.
const lineFields = 4

const lineFormat = "%x00%H%x00%an%x00%ct%x00%s"

// LineLog lists the commits that changed a run of lines of a file, newest first, as git log -L
// does: lines from 1, as they stand in head, and a renamed file under its old name, too. whole is
// false if more than limit commits did, or if the end of ctx cut the list. What was found by then
// is returned without an error.
func (t Tree) LineLog(ctx context.Context, head, path string, first, last, limit int) (changes []Change, whole bool, err error) {
	if !isID(head) || first < 1 || last < first || strings.ContainsAny(path, "\x00\n") {
		return nil, false, fmt.Errorf("follow lines %d-%d of %q at %q: no such lines", first, last, path, head)
	}
	err = t.stream(ctx, nil, func(r *bufio.Reader) error {
		changes, err = readChanges(bufio.NewReader(io.LimitReader(r, maxLineLog)))
		if err == nil && len(changes) > limit {
			return errEnough
		}
		return err
	}, "log", fmt.Sprintf("-L%d,%d:%s", first, last, path), "--no-patch", alike, most, "--no-color", "--no-ext-diff", "--no-textconv",
		"--no-show-signature", "--no-notes", "--no-mailmap", "--encoding=UTF-8", "--max-count="+strconv.Itoa(limit+1), "--format="+lineFormat, head, "--")
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

// readChanges reads commits up to the end, or to the end of what a killed git has written.
func readChanges(r *bufio.Reader) (out []Change, err error) {
	var fields []string
	for {
		field, err := r.ReadString(0)
		if err != nil && !errors.Is(err, io.EOF) {
			return out, nil // killed: what came before is whole
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
	return Change{SHA: f[0], Author: valid(f[1]), Time: time.Unix(min(max(at, 0), lastTime), 0).UTC(), Subject: valid(f[3])}, err == nil && isID(f[0])
}

// ErrNotCommitted says that a commit has no such file.
var ErrNotCommitted = errors.New("not committed")

// Blob returns a file as it is in a commit, at most so many bytes. The error wraps ErrNotCommitted
// if it is not there, or is longer.
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
