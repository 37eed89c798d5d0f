package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Blamed is one line of a file, with the commit that changed it last.
type Blamed struct {
	Change
	Text string // the line in the commit, without its line feed
}

// maxBlame is the limit on git's output for the lines of one call, in bytes.
const maxBlame = 8 << 20

// Blame returns the lines of a file at a commit, by their numbers from 1, as git blame does. Lines
// that the file does not have are left out. It returns an error if head is no full commit id, if
// the range is empty, or if the commit does not have the file.
func (t Tree) Blame(ctx context.Context, head, path string, first, last int) (map[int]Blamed, error) {
	if !isID(head) || first < 1 || last < first || path == "" || strings.ContainsAny(path, "\x00\n") {
		return nil, fmt.Errorf("blame lines %d-%d of %q at %q: no such lines", first, last, path, head)
	}
	lines := map[int]Blamed{}
	err := t.stream(ctx, nil, func(r *bufio.Reader) error {
		return readBlame(bufio.NewReader(io.LimitReader(r, maxBlame)), lines)
	}, "blame", "--porcelain", "--no-textconv", "--no-progress", "--encoding=UTF-8", fmt.Sprintf("-L%d,+%d", first, last-first+1), head, "--", path)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("blame %q: %w", path, ctx.Err())
	case err != nil && len(lines) == 0:
		return nil, fmt.Errorf("blame %q: %w", path, err)
	}
	return lines, nil
}

// readBlame reads git's porcelain format: a header with a commit and the number of a line, what is
// new about the commit, and the line behind a tab.
func readBlame(r *bufio.Reader, lines map[int]Blamed) error {
	commits := map[string]*Change{}
	var at *Change
	number := 0
	for {
		text, err := r.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return nil // a last line that is cut is left out
		}
		if err != nil {
			return err
		}
		text = strings.TrimSuffix(text, "\n")
		if line, ok := strings.CutPrefix(text, "\t"); ok {
			if at == nil {
				return fmt.Errorf("%w: %.40q", errSyntax, text)
			}
			lines[number] = Blamed{Change: *at, Text: line}
			at = nil
			continue
		}
		if at == nil {
			if at, number, err = readBlameHeader(text, commits); err != nil {
				return err
			}
			continue
		}
		at.takeField(text)
	}
}

// readBlameHeader reads "SHA LINE-THEN LINE [COUNT]", and returns the commit.
func readBlameHeader(text string, commits map[string]*Change) (at *Change, number int, err error) {
	f := strings.Fields(text)
	if len(f) < 3 || !isID(f[0]) {
		return nil, 0, fmt.Errorf("%w: %.40q", errSyntax, text)
	}
	if number, err = strconv.Atoi(f[2]); err != nil || number < 1 {
		return nil, 0, fmt.Errorf("%w: %.40q", errSyntax, text)
	}
	if commits[f[0]] == nil {
		commits[f[0]] = &Change{SHA: f[0]}
	}
	return commits[f[0]], number, nil
}

// takeField reads what git says about a commit in its first header.
func (c *Change) takeField(text string) {
	name, value, _ := strings.Cut(text, " ")
	switch name {
	case "author", "committer-time", "summary":
	default:
		return
	}
	fields := []string{c.SHA, c.Author, strconv.FormatInt(c.Time.Unix(), 10), c.Subject}
	fields[map[string]int{"author": 1, "committer-time": 2, "summary": 3}[name]] = value
	if changed, ok := changeOf(fields); ok {
		*c = changed
	}
}
