package lookup

import (
	"context"
	"slices"

	"patina/store"
)

// movesOf returns the renames for paths, by id, and for their new paths, in the view's commits.
func movesOf(ctx context.Context, r *store.Reader, snap *store.Snapshot, paths []int64) (store.Moves, error) {
	m := make(store.Moves)
	asked := make(map[int64]bool)
	for len(paths) > 0 {
		for _, p := range paths {
			asked[p] = true
		}
		var next []int64
		err := r.RowsIn(ctx, `SELECT old, new, revision FROM move WHERE old IN `, paths, func(scan func(...any) error) error {
			var from, to, at int64
			err := scan(&from, &to, &at)
			if err == nil && snap.Members.Has(at) {
				m.Add(from, to, at)
				if !asked[to] {
					asked[to] = true
					next = append(next, to)
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		paths = next
	}
	m.Sort()
	return m, nil
}

// heldFiles are files in a view, by path id.
type heldFiles map[int64]HeldFile

// A HeldFile is a file in a view.
type HeldFile struct {
	Key  int64
	Path string
	kind store.Kind
}

func (h heldFiles) held(path int64) bool { return h[path].Path != "" }

// hold adds the view's files with the given path ids.
func hold(ctx context.Context, r *store.Reader, snap *store.Snapshot, paths []int64, to heldFiles) error {
	return r.RowsIn(ctx, `SELECT p.id, f.key, f.path, f.kind FROM path p JOIN file f ON f.path = p.name WHERE p.id IN `, paths, func(scan func(...any) error) error {
		var id int64
		var x HeldFile
		err := scan(&id, &x.Key, &x.Path, &x.kind)
		if err == nil && snap.Members.Has(x.Key) {
			to[id] = x
		}
		return err
	})
}

// trace follows missing paths. It returns their renames and adds the files these lead to.
func trace(ctx context.Context, r *store.Reader, snap *store.Snapshot, gone []int64, to heldFiles) (store.Moves, error) {
	left, err := movesOf(ctx, r, snap, gone)
	if err != nil {
		return nil, err
	}
	return left, hold(ctx, r, snap, left.Later(), to)
}

// Touched returns the visible code files touched by each commit, under their present paths.
func Touched(ctx context.Context, r *store.Reader, snap *store.Snapshot, keys []int64) (map[int64][]HeldFile, error) {
	ids := make(map[int64][]int64)
	var all []int64
	err := r.RowsIn(ctx, `SELECT key, files FROM revision WHERE key IN `, keys, func(scan func(...any) error) error {
		var k int64
		var blob []byte
		if err := scan(&k, &blob); err != nil {
			return err
		}
		paths, err := store.DecodeIDs(blob)
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
	if err := hold(ctx, r, snap, all, files); err != nil {
		return nil, err
	}
	// follows reports whether a commit's renames are followed. A rename gives two paths, so a commit
	// with more paths touched too many files to vote.
	follows := func(paths []int64) bool { return len(paths) <= 2*store.MaxVoteFiles }
	var gone []int64
	for _, paths := range ids {
		if follows(paths) {
			gone = append(gone, slices.DeleteFunc(slices.Clone(paths), files.held)...)
		}
	}
	slices.Sort(gone)
	left, err := trace(ctx, r, snap, slices.Compact(gone), files)
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
			if f := files[id]; f.kind == store.Code {
				out[k] = append(out[k], f)
			}
		}
	}
	return out, nil
}
