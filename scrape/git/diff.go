package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// errEnough ends git when enough has been read.
var errEnough = errors.New("enough was read")

// Diff returns what a commit changed, as a patch of whole lines with at most so many bytes. A merge
// shows what differs from all of its parents. No program of the repository runs for it.
func (t Tree) Diff(ctx context.Context, sha string, most int) (diff string, whole bool, err error) {
	var out []byte
	err = t.stream(ctx, nil, func(r *bufio.Reader) (err error) {
		if out, err = io.ReadAll(io.LimitReader(r, int64(most)+1)); err == nil && len(out) > most {
			err = errEnough
		}
		return err
	}, "diff-tree", "--root", "--no-commit-id", "--cc", "-M", "--no-color", "--no-ext-diff", "--no-textconv", sha, "--")
	text := string(out)
	if errors.Is(err, errEnough) {
		text = text[:most]
		return text[:strings.LastIndexByte(text, '\n')+1], false, nil
	}
	return text, true, err
}
