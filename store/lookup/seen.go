package lookup

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"patina/store"
)

// A Tree is what an index knows of its working tree.
type Tree struct {
	Files  []store.Seen // by path; not all of them if there are more than wanted
	Listed time.Time    // when the whole tree was last listed
}

// selectSeen makes one text of all files, four fields each, with NUL behind each. A row each would
// cost ten times as much. The index on paths holds all that is read of file.
const selectSeen = `SELECT IFNULL(group_concat(line, ''), '') FROM (
	SELECT f.path || char(0) || s.size || char(0) || s.mtime || char(0) || s.inode || char(0) AS line
	FROM file f INDEXED BY file_path CROSS JOIN seen s WHERE s.view = ? AND s.key = f.key ORDER BY f.path LIMIT ?)`

// TreeOf returns the files of the reader's view as they lay in its tree, at most limit of them.
func TreeOf(ctx context.Context, r *store.Reader, limit int) (Tree, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return Tree{}, err
	}
	var all string
	if err := r.QueryRow(ctx, selectSeen, snap.View, limit).Scan(&all); err != nil {
		return Tree{}, store.Damaged(err)
	}
	t := Tree{Files: make([]store.Seen, 0, min(limit, max(0, r.Generation().Files), len(all)/8))}
	for all != "" {
		var f store.Seen
		if f, all, err = cutSeen(all); err != nil {
			return Tree{}, err
		}
		t.Files = append(t.Files, f)
	}
	t.Listed, err = r.Listed(ctx)
	return t, err
}

// cutSeen reads the first file of a text.
func cutSeen(text string) (f store.Seen, rest string, err error) {
	var numbers [3]int64
	f.Path, rest, _ = strings.Cut(text, "\x00")
	for i := range numbers {
		var field string
		field, rest, _ = strings.Cut(rest, "\x00")
		if numbers[i], err = strconv.ParseInt(field, 10, 64); err != nil {
			return f, "", fmt.Errorf("the state of file %q: %w", f.Path, store.ErrDamaged)
		}
	}
	f.Stat = store.Stat{Size: numbers[0], ModTime: numbers[1], Inode: uint64(numbers[2])}
	return f, rest, nil
}
