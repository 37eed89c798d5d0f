package history

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"patina/store"
	"patina/store/doc"
)

// These bound the companions of a file (docs/ranking.md, "What goes with a file").
const (
	mostTouching  = 1000 // newest commits that are considered
	touchingBatch = 50   // commits whose files are read at once
)

// Companions ranks the code files in the view that changed together with a file. Each commit that
// touched both counts 1/√(others · age), where others is the number of other files that it touched
// and age its number among the commits that count, the newest first. Commits with more than
// MaxVoteFiles do not count. One common commit is enough, because such files change together more
// often than others.
//
// It returns nil if no commit touched the path.
func Companions(ctx context.Context, r *store.Reader, path string, f doc.Filter, limit int) ([]doc.Ranked, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	allow, err := r.Allowed(ctx, snap, f)
	if err != nil {
		return nil, err
	}
	counts := make(map[HeldFile]float64)
	age := 0
	err = eachTouching(ctx, r, snap, path, isCode, func(others []HeldFile) {
		if len(others) == 0 {
			return
		}
		age++
		for _, o := range others {
			counts[o] += 1 / math.Sqrt(float64(len(others)*age))
		}
	})
	if err != nil || len(counts) == 0 {
		return nil, err
	}
	out := make([]doc.Ranked, 0, len(counts))
	for o, n := range counts {
		if allow == nil || allow.Has(o.Key) {
			out = append(out, doc.Ranked{DocID: o.Path, Path: o.Path, Raw: n})
		}
	}
	slices.SortFunc(out, func(a, b doc.Ranked) int {
		return cmp.Or(cmp.Compare(b.Raw, a.Raw), strings.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), limit)], nil
}

// eachTouching calls f for the newest commits that touched a file, newest first, with the other
// files of each that are in the view and pass the filter. Commits with more than
// store.MaxVoteFiles files are left out, because they say little about any two of them.
func eachTouching(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, path string, wanted func(doc.Kind) bool,
	f func(others []HeldFile),
) error {
	keys, err := touchedBy(ctx, r, snap, path)
	if err != nil {
		return store.Damaged(err)
	}
	for batch := range slices.Chunk(keys, touchingBatch) {
		touched, err := touchedFiles(ctx, r, snap, batch, wanted)
		if err != nil {
			return store.Damaged(err)
		}
		for _, k := range batch {
			others := slices.DeleteFunc(touched[k], func(h HeldFile) bool { return h.Path == path })
			if len(others) < store.MaxVoteFiles {
				f(others)
			}
		}
	}
	return nil
}

// touchedBy returns the newest commits that touched a file under any of its paths, newest first.
func touchedBy(ctx context.Context, r *store.Reader, snap *store.Snapshot, path string) (keys []int64, err error) {
	eras, err := Eras(ctx, r, snap, path)
	if err != nil {
		return nil, err
	}
	for _, e := range eras {
		err := r.EachRow(ctx, `SELECT revision FROM touch WHERE path = ? AND revision > ? AND revision <= ? ORDER BY `+
			`revision DESC LIMIT ?`,
			[]any{e.ID, e.After, e.Until, mostTouching}, func(scan func(...any) error) error {
				var k int64
				err := scan(&k)
				if err == nil && snap.Members.Has(k) {
					keys = append(keys, k)
				}
				return err
			})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(keys, func(a, b int64) int { return cmp.Compare(b, a) })
	keys = slices.Compact(keys) // a commit that renames the file touches both of its paths
	return keys[:min(len(keys), mostTouching)], nil
}
