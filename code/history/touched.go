package history

import (
	"context"
	"slices"

	"patina/store"
	"patina/store/doc"
	"patina/store/format"
)

// movesOf returns the renames of paths in the view's commits, and the renames of their new paths.
func movesOf(ctx context.Context, r *store.Reader, snap *store.Snapshot, paths []int64) (doc.Moves, error) {
	m := make(doc.Moves)
	asked := make(map[int64]bool)
	for len(paths) > 0 {
		for _, p := range paths {
			asked[p] = true
		}
		var next []int64
		err := r.RowsIn(ctx, `SELECT old, new, revision FROM move WHERE old IN `, paths,
			func(scan func(...any) error) error {
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
	kind doc.Kind
}

func (h heldFiles) isHeld(path int64) bool { return h[path].Path != "" }

// addHeld adds the view's files with the given path ids.
func addHeld(ctx context.Context, r *store.Reader, snap *store.Snapshot, paths []int64, to heldFiles) error {
	return r.RowsIn(ctx, `SELECT p.id, f.key, f.path, f.kind FROM path p JOIN file f ON f.path = p.name WHERE p.id `+
		`IN `, paths, func(scan func(...any) error) error {
		var id int64
		var x HeldFile
		err := scan(&id, &x.Key, &x.Path, &x.kind)
		if err == nil && snap.Members.Has(x.Key) {
			to[id] = x
		}
		return err
	})
}

// traceMoves follows paths that no longer exist. It returns their renames and adds the files to
// which these lead.
func traceMoves(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, gone []int64, to heldFiles,
) (doc.Moves, error) {
	left, err := movesOf(ctx, r, snap, gone)
	if err != nil {
		return nil, err
	}
	return left, addHeld(ctx, r, snap, left.Later(), to)
}

// Touched returns the code files in the view that each commit touched, under their present paths.
// For a commit with more than MaxVoteFiles it may return only some of them, but still more than
// MaxVoteFiles.
func Touched(ctx context.Context, r *store.Reader, snap *store.Snapshot, keys []int64) (map[int64][]HeldFile, error) {
	return touchedFiles(ctx, r, snap, keys, isCode)
}

// isCode is a filter for touchedFiles.
func isCode(k doc.Kind) bool { return k == doc.Code }

// touchedFiles is Touched for the kinds of files that pass a filter.
func touchedFiles(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, keys []int64, wanted func(doc.Kind) bool,
) (map[int64][]HeldFile, error) {
	ids := make(map[int64][]int64)
	many := make(map[int64]bool) // commits with too many paths to follow their renames
	var all []int64
	err := r.RowsIn(ctx, `SELECT key, files FROM revision WHERE key IN `, keys, func(scan func(...any) error) error {
		var k int64
		var blob []byte
		if err := scan(&k, &blob); err != nil {
			return err
		}
		paths, err := format.DecodeIDs(blob)
		ids[k] = paths
		// A rename gives two paths, so a commit with more paths touched too many files to vote.
		if many[k] = len(paths) > 2*store.MaxVoteFiles; !many[k] {
			all = append(all, paths...)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(all)
	all = slices.Compact(all)
	files := make(heldFiles)
	if err := addHeld(ctx, r, snap, all, files); err != nil {
		return nil, err
	}
	var gone []int64
	for k, paths := range ids {
		if many[k] {
			if ids[k], err = holdSome(ctx, r, snap, paths, wanted, files); err != nil {
				return nil, err
			}
		} else {
			gone = append(gone, slices.DeleteFunc(slices.Clone(paths), files.isHeld)...)
		}
	}
	slices.Sort(gone)
	left, err := traceMoves(ctx, r, snap, slices.Compact(gone), files)
	if err != nil {
		return nil, err
	}
	out := make(map[int64][]HeldFile, len(ids))
	for k, paths := range ids {
		for i, id := range paths {
			if !many[k] {
				paths[i] = left.Now(id, k, files.isHeld)
			}
		}
		slices.Sort(paths)
		for _, id := range slices.Compact(paths) {
			if f := files[id]; f.Path != "" && wanted(f.kind) {
				out[k] = append(out[k], f)
			}
		}
	}
	return out, nil
}

// holdSome is addHeld for a commit with many paths. It stops when enough of them are wanted to
// exclude the commit from voting, because the first commit of a project may have touched all its
// files.
func holdSome(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, paths []int64, wanted func(doc.Kind) bool, to heldFiles,
) (looked []int64, err error) {
	found := 0
	for part := range slices.Chunk(paths, 8*store.MaxVoteFiles) {
		if err := addHeld(ctx, r, snap, part, to); err != nil {
			return nil, err
		}
		for _, id := range part {
			if f := to[id]; f.Path != "" && wanted(f.kind) {
				found++
			}
		}
		looked = append(looked, part...)
		if found > store.MaxVoteFiles {
			break
		}
	}
	return looked, nil
}

// CommitTimes returns the times of commits in unix seconds, by their keys. It leaves out unknown
// commits.
func CommitTimes(ctx context.Context, r *store.Reader, keys []int64) (map[int64]int64, error) {
	times := make(map[int64]int64, len(keys))
	err := r.RowsIn(ctx, `SELECT key, time FROM revision WHERE key IN `, keys, func(scan func(...any) error) error {
		var k, t int64
		err := scan(&k, &t)
		times[k] = t
		return err
	})
	return times, err
}
