package store

import (
	"context"
	"slices"
)

// MaxVoteFiles is the most files a commit may touch and still count, in voting and in learning
// meanings.
const MaxVoteFiles = 20

// Touched returns the visible code files touched by each commit, under their present paths.
func (r *Reader) Touched(ctx context.Context, snap *Snapshot, keys []int64) (map[int64][]HeldFile, error) {
	ids := make(map[int64][]int64)
	var all []int64
	err := r.RowsIn(ctx, `SELECT key, files FROM revision WHERE key IN `, keys, func(scan func(...any) error) error {
		var k int64
		var blob []byte
		if err := scan(&k, &blob); err != nil {
			return err
		}
		paths, err := DecodeIDs(blob)
		ids[k] = paths
		all = append(all, paths...)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(all)
	all = slices.Compact(all)
	files := make(heldFiles)
	if err := r.hold(ctx, snap, all, files); err != nil {
		return nil, err
	}
	// follows reports whether a commit's renames are followed. A rename gives two paths, so a commit
	// with more paths touched too many files to vote.
	follows := func(paths []int64) bool { return len(paths) <= 2*MaxVoteFiles }
	var gone []int64
	for _, paths := range ids {
		if follows(paths) {
			gone = append(gone, slices.DeleteFunc(slices.Clone(paths), files.held)...)
		}
	}
	slices.Sort(gone)
	left, err := r.trace(ctx, snap, slices.Compact(gone), files)
	if err != nil {
		return nil, err
	}
	out := make(map[int64][]HeldFile, len(ids))
	for k, paths := range ids {
		for i, id := range paths {
			if follows(paths) {
				paths[i] = left.Now(id, k, files.held)
			}
		}
		slices.Sort(paths)
		for _, id := range slices.Compact(paths) {
			if f := files[id]; f.kind == Code {
				out[k] = append(out[k], f)
			}
		}
	}
	return out, nil
}
