package lookup

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"patina/store"
	"patina/store/doc"
)

// A Tree is the state of a working tree in the index.
type Tree struct {
	Files  []doc.Seen // by path, up to the limit
	Listed time.Time  // when the whole tree was last listed
}

// Each query returns all rows as one value, because a row each would cost ten times as much, and a
// join three times. The index file_path contains all columns of file that are read.
const (
	selectPaths = `SELECT IFNULL(group_concat(path, ?1), ''), patina_integers(key)
		FROM (SELECT path, key FROM file INDEXED BY file_path ORDER BY path LIMIT ?2)`
	selectStats = `SELECT patina_integers(key, size, mtime, ctime, inode)
		FROM (SELECT key, size, mtime, ctime, inode FROM seen WHERE view = ?1 ORDER BY key LIMIT ?2)`
)

// otherTrees is the number of files of other trees that are read for each wanted one.
const otherTrees = 3

// TreeOf returns the files of the reader's view with their stats in its tree, at most limit.
func TreeOf(ctx context.Context, r *store.Reader, limit int) (t Tree, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return t, err
	}
	stats, err := statsOf(ctx, r, snap.View, limit)
	if err != nil {
		return t, store.Damaged(err)
	}
	var paths string
	var keys integers
	if err := r.QueryRow(ctx, selectPaths, separator, limit*(1+otherTrees)).Scan(&paths, (*[]byte)(&keys)); err != nil {
		return t, store.Damaged(err)
	}
	t.Files = make([]doc.Seen, 0, len(stats))
	for len(keys) > 0 {
		var path string
		path, paths, _ = strings.Cut(paths, separator)
		i, ok := slices.BinarySearchFunc(stats, keys.takeFirst(), func(s keyedStat, key int64) int {
			return cmp.Compare(s.key, key)
		})
		if ok {
			t.Files = append(t.Files, doc.Seen{Path: path, Stat: stats[i].Stat})
		}
	}
	t.Listed, err = r.Listed(ctx)
	return t, err
}

type keyedStat struct {
	key int64
	doc.Stat
}

// statsOf returns the stats of a view's files, sorted by key.
func statsOf(ctx context.Context, r *store.Reader, view int64, limit int) ([]keyedStat, error) {
	var rows integers
	if err := r.QueryRow(ctx, selectStats, view, limit).Scan((*[]byte)(&rows)); err != nil {
		return nil, err
	}
	const columns = 5
	out := make([]keyedStat, len(rows)/(columns*bytesEach))
	for i := range out {
		key, size, mtime := rows.takeFirst(), rows.takeFirst(), rows.takeFirst()
		ctime, inode := rows.takeFirst(), rows.takeFirst()
		out[i] = keyedStat{key, doc.Stat{Size: size, ModTime: mtime, ChangeTime: ctime, Inode: uint64(inode)}}
	}
	return out, nil
}

const separator = "\x00"

// integers are the numbers concatenated by the SQL function patina_integers.
type integers []byte

const bytesEach = 8

// takeFirst removes and returns the first number. There must be one.
func (n *integers) takeFirst() int64 {
	v := binary.LittleEndian.Uint64(*n)
	*n = (*n)[bytesEach:]
	return int64(v)
}
