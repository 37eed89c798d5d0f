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

// A Companion is a file that changed together with another one.
type Companion struct {
	Path    string
	Commits int // commits that touched both
	// Weight is the sum of 1/√(others·age) over these commits, where others is the number of other
	// files that a commit touched and age its number among the commits of the other file, the
	// newest first.
	Weight float64
}

// A Past sums up the commits that touched a file. Weight is the sum of 1/√age over them, which no
// Companion exceeds.
type Past struct {
	Commits int
	Weight  float64
}

// ChangedWith sums up the commits that touched a file, and returns the existing files of every kind
// that they touched as well, by weight. Commits with more than store.MaxVoteFiles files do not
// count. A path without history has an empty Past.
func ChangedWith(
	ctx context.Context, r *store.Reader, path string,
) (past Past, companions []Companion, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return past, nil, err
	}
	found := make(map[string]*Companion)
	isAny := func(doc.Kind) bool { return true }
	err = eachTouching(ctx, r, snap, path, isAny, func(others []HeldFile) {
		past.Commits++
		past.Weight += 1 / math.Sqrt(float64(past.Commits))
		for _, o := range others {
			c := found[o.Path]
			if c == nil {
				c = &Companion{Path: o.Path}
				found[o.Path] = c
			}
			c.Commits++
			c.Weight += 1 / math.Sqrt(float64(len(others)*past.Commits))
		}
	})
	if err != nil {
		return past, nil, err
	}
	for _, c := range found {
		companions = append(companions, *c)
	}
	slices.SortFunc(companions, func(a, b Companion) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Path, b.Path))
	})
	return past, companions, nil
}

// An Author is a person and the number of commits of hers that touched some files.
type Author struct {
	Name    string
	Commits int
	Newest  int64 // unix seconds
}

// AuthorsOf returns who made the newest commits that touched some files, most commits first. Merges
// do not count.
func AuthorsOf(ctx context.Context, r *store.Reader, paths []string) ([]Author, error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	var keys []int64
	for _, p := range paths {
		of, err := touchedBy(ctx, r, snap, p)
		if err != nil {
			return nil, store.Damaged(err)
		}
		keys = append(keys, of...)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	found := make(map[string]*Author)
	err = r.RowsIn(ctx, `SELECT author, time FROM revision WHERE merge = 0 AND key IN `, keys,
		func(scan func(...any) error) error {
			var name string
			var at int64
			if err := scan(&name, &at); err != nil {
				return err
			}
			a := found[name]
			if a == nil {
				a = &Author{Name: name}
				found[name] = a
			}
			a.Commits++
			a.Newest = max(a.Newest, at)
			return nil
		})
	out := make([]Author, 0, len(found))
	for _, a := range found {
		out = append(out, *a)
	}
	slices.SortFunc(out, func(a, b Author) int {
		return cmp.Or(b.Commits-a.Commits, cmp.Compare(b.Newest, a.Newest), strings.Compare(a.Name, b.Name))
	})
	return out, store.Damaged(err)
}
