package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// errEnough is returned by a reader that has enough, so that git is killed.
var errEnough = errors.New("enough was read")

// Diff returns the changes of a commit as a patch of whole lines. most limits its length in bytes,
// and whole is false if the patch was longer. A merge shows the lines that differ from all of its
// parents. No program of the repository runs. sha must be a commit id.
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
