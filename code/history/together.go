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
	// Recent is the share of the other file's commits that touched this one as well. The newest
	// commits count most: the n-th newest counts 1/√n.
	Recent float64
}

// ChangedWith returns the number of commits that touched a file, and the existing files of every
// kind that they touched as well, most recently together first. Commits with more than
// store.MaxVoteFiles files do not count. It returns 0 for a path without history.
func ChangedWith(
	ctx context.Context, r *store.Reader, path string,
) (commits int, companions []Companion, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return 0, nil, err
	}
	found := make(map[string]*Companion)
	total := 0.0
	isAny := func(doc.Kind) bool { return true }
	err = eachTouching(ctx, r, snap, path, isAny, func(others []HeldFile) {
		commits++
		weight := 1 / math.Sqrt(float64(commits))
		total += weight
		for _, o := range others {
			c := found[o.Path]
			if c == nil {
				c = &Companion{Path: o.Path}
				found[o.Path] = c
			}
			c.Commits++
			c.Recent += weight
		}
	})
	if err != nil {
		return 0, nil, err
	}
	for _, c := range found {
		c.Recent /= total
		companions = append(companions, *c)
	}
	slices.SortFunc(companions, func(a, b Companion) int {
		return cmp.Or(cmp.Compare(b.Recent, a.Recent), strings.Compare(a.Path, b.Path))
	})
	return commits, companions, nil
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
