package lookup

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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

// Each query makes one text of each column, with NUL between the values. A row each would cost ten
// times as much, and a join of all rows three times. The index on paths holds all that is read of
// file.
const (
	selectPaths = `SELECT COUNT(*), IFNULL(group_concat(path, ?1), ''), IFNULL(group_concat(key, ?1), '')
		FROM (SELECT path, key FROM file INDEXED BY file_path ORDER BY path LIMIT ?2)`
	selectStats = `SELECT COUNT(*), IFNULL(group_concat(key, ?1), ''), IFNULL(group_concat(size, ?1), ''),
			IFNULL(group_concat(mtime, ?1), ''), IFNULL(group_concat(inode, ?1), '')
		FROM (SELECT key, size, mtime, inode FROM seen WHERE view = ?2 ORDER BY key LIMIT ?3)`
)

// otherTrees is how many files of other trees the index may hold for each one that is wanted.
const otherTrees = 3

// TreeOf returns the files of the reader's view as they lay in its tree, at most limit of them.
func TreeOf(ctx context.Context, r *store.Reader, limit int) (t Tree, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return t, err
	}
	stats, err := statsOf(ctx, r, snap.View, limit)
	if err != nil {
		return t, store.Damaged(err)
	}
	var n int
	var paths string
	var keys column
	if err := r.QueryRow(ctx, selectPaths, separator, limit*(1+otherTrees)).Scan(&n, &paths, &keys); err != nil {
		return t, store.Damaged(err)
	}
	t.Files = make([]store.Seen, 0, len(stats))
	for range n {
		var path string
		path, paths, _ = strings.Cut(paths, separator)
		key, err := keys.next()
		if err != nil {
			return t, fmt.Errorf("the state of file %q: %w", path, err)
		}
		i, ok := slices.BinarySearchFunc(stats, key, func(s keyedStat, key int64) int { return cmp.Compare(s.key, key) })
		if ok {
			t.Files = append(t.Files, store.Seen{Path: path, Stat: stats[i].Stat})
		}
	}
	t.Listed, err = r.Listed(ctx)
	return t, err
}

type keyedStat struct {
	key int64
	store.Stat
}

// statsOf returns the stats of a view's files, by key.
func statsOf(ctx context.Context, r *store.Reader, view int64, limit int) ([]keyedStat, error) {
	var n int
	var keys, sizes, times, inodes column
	if err := r.QueryRow(ctx, selectStats, separator, view, limit).Scan(&n, &keys, &sizes, &times, &inodes); err != nil {
		return nil, err
	}
	out := make([]keyedStat, n)
	for i := range out {
		var v [4]int64
		for j, c := range []*column{&keys, &sizes, &times, &inodes} {
			var err error
			if v[j], err = c.next(); err != nil {
				return nil, err
			}
		}
		out[i] = keyedStat{v[0], store.Stat{Size: v[1], ModTime: v[2], Inode: uint64(v[3])}}
	}
	return out, nil
}

const separator = "\x00"

// A column is the rest of a text of whole numbers.
type column string

// next takes the first number.
func (c *column) next() (int64, error) {
	field, rest, _ := strings.Cut(string(*c), separator)
	*c = column(rest)
	n, err := strconv.ParseInt(field, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%.20q is no number: %w", field, store.ErrDamaged)
	}
	return n, nil
}
