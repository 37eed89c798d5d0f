package git

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// walk returns the ids of the commits in the history of head and in no history of since, oldest
// first. If a commit is missing and since is empty, it returns the newest part, down to the gap.
// The error then wraps ErrIncomplete.
func (t Tree) walk(ctx context.Context, head string, since []string) (ids, error) {
	asked := []string{head}
	for _, id := range since {
		asked = append(asked, "^"+id)
	}
	asked = append(asked, "--")
	// --date-order has parents before children even if clocks are wrong. --topo-order would list
	// whole branches one after the other, so that the last commits would not be the newest.
	all, err := t.listCommits(ctx, append([]string{"--reverse", "--date-order"}, asked...))
	if err == nil || exitCode(err) < 0 {
		return all, err
	}
	// To sort, git must see all commits first. Unsorted, it prints commits until it fails.
	part, unsortedErr := t.listCommits(ctx, asked)
	if unsortedErr != nil && exitCode(unsortedErr) < 0 {
		return ids{}, unsortedErr
	}
	if part.len() == 0 {
		return part, err
	}
	part.reverse()
	return part, fmt.Errorf("%w: %w", ErrIncomplete, err)
}

func (t Tree) listCommits(ctx context.Context, args []string) (ids, error) {
	var all ids
	var bad error
	err := t.stream(ctx, nil, func(r *bufio.Reader) error {
		return errors.Join(eachLine(r, func(line string) {
			if !all.addID(line) && bad == nil {
				bad = fmt.Errorf("%w: %.40q where an id stands", errSyntax, line)
			}
		}), bad)
	}, append([]string{"rev-list"}, args...)...)
	return all, err
}

// ids is a packed list of commit ids, which must be equally long.
type ids struct {
	raw  []byte
	size int // bytes per id: 20, or 32 with sha256
}

func (l *ids) addID(id string) bool {
	if !isID(id) || l.size != 0 && l.size*2 != len(id) {
		return false
	}
	l.size = len(id) / 2
	l.raw, _ = hex.AppendDecode(l.raw, []byte(id)) // isID has checked it
	return true
}

func (l *ids) len() int {
	if l.size == 0 {
		return 0
	}
	return len(l.raw) / l.size
}

func (l *ids) id(i int) string { return hex.EncodeToString(l.raw[i*l.size : (i+1)*l.size]) }

// drop removes the ids for which known returns true. It returns the first error of known.
func (l *ids) drop(known func(string) (bool, error)) error {
	kept := l.raw[:0]
	for i := range l.len() {
		is, err := known(l.id(i))
		if err != nil {
			return err
		}
		if !is {
			kept = append(kept, l.raw[i*l.size:(i+1)*l.size]...)
		}
	}
	l.raw = kept
	return nil
}

func (l *ids) reverse() {
	swap := make([]byte, l.size)
	for i, j := 0, l.len()-1; i < j; i, j = i+1, j-1 {
		a, b := l.raw[i*l.size:(i+1)*l.size], l.raw[j*l.size:(j+1)*l.size]
		copy(swap, a)
		copy(a, b)
		copy(b, swap)
	}
}

// from returns a reader over the ids from index i on, one a line.
func (l *ids) from(i int) io.Reader { return &idLines{list: l, next: i} }

type idLines struct {
	list *ids
	next int
}

func (r *idLines) Read(p []byte) (int, error) {
	width := 2*r.list.size + 1
	n := 0
	for ; r.next < r.list.len() && len(p)-n >= width; r.next++ {
		copy(p[n:], r.list.id(r.next))
		p[n+width-1] = '\n'
		n += width
	}
	if n == 0 && r.next == r.list.len() {
		return 0, io.EOF
	}
	if n == 0 {
		return 0, io.ErrShortBuffer
	}
	return n, nil
}
