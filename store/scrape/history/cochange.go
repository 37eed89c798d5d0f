package history

import (
	"cmp"
	"slices"

	"patina/store"
)

const (
	maxTogether = 50      // files of a commit that still says something of pairs (limits.md §7); more is a rewrite
	minTogether = 3       // commits that must have touched both
	maxPairs    = 1 << 20 // distinct pairs counted at once: some 40 MB
)

// CoChanges counts which files change together. Feed it with commits from the oldest to the newest.
//
// Its memory is bounded: when more than a million distinct pairs are at hand, those seen least often are forgotten
// until half of them are left (lossy counting, Manku and Motwani 2002). So a pair that is rare and old may be missing,
// and where pairs were forgotten a count may be too low, by what the pair had been seen at that time; a count is
// never too high. Pairs seen often lose nothing. A history of 50,000 commits stays below the bound.
type CoChanges struct {
	numbers map[string]uint32
	names   []string
	touched []uint32          // commits of each file
	pairs   map[uint64]uint32 // lower number << 32 | higher number → commits of both
	commits int
	limit   int // of len(pairs); maxPairs but in tests
}

// Add counts one commit that is no merge: its files by the paths that they had then, and by those that they got later, as many, so that
// pairs of today's paths have all commits and those of a path that is gone have theirs. Commits without files and those with more than
// 50 count nowhere; those with one file count for the file and for the number of commits.
func (c *CoChanges) Add(then, later []string) {
	if len(then) == 0 || len(then) > maxTogether {
		return
	}
	if c.pairs == nil {
		c.numbers, c.pairs = map[string]uint32{}, map[uint64]uint32{}
		c.limit = cmp.Or(c.limit, maxPairs)
	}
	c.commits++
	before, after := c.numbered(then), c.numbered(later)
	for _, a := range union(before, after) {
		c.touched[a]++
	}
	pairs := union(paired(before), paired(after))
	for _, p := range pairs {
		c.pairs[p]++
	}
	if len(c.pairs) > c.limit {
		c.forget()
	}
}

// numbered are the numbers of files, each once, in order.
func (c *CoChanges) numbered(files []string) []uint32 {
	set := make([]uint32, len(files))
	for i, f := range files {
		set[i] = c.number(f)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// paired are all pairs of a set, in order.
func paired(set []uint32) []uint64 {
	out := make([]uint64, 0, len(set)*(len(set)-1)/2)
	for i, a := range set {
		for _, b := range set[i+1:] {
			out = append(out, uint64(a)<<32|uint64(b))
		}
	}
	return out
}

// union joins two ordered sets; mostly they are the same.
func union[T cmp.Ordered](a, b []T) []T {
	if slices.Equal(a, b) {
		return a
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *CoChanges) number(file string) uint32 {
	n, ok := c.numbers[file]
	if !ok {
		n = uint32(len(c.names))
		c.numbers[file] = n
		c.names = append(c.names, file)
		c.touched = append(c.touched, 0)
	}
	return n
}

// forget drops the pairs seen least often until at most half of the limit is left.
func (c *CoChanges) forget() {
	for least := uint32(1); len(c.pairs) > c.limit/2; least++ {
		for pair, count := range c.pairs {
			if count <= least {
				delete(c.pairs, pair)
			}
		}
	}
}

// Pairs returns the pairs of files that three commits or more touched, and that changed together more often than by
// chance (lift > 1), in order of their names.
func (c *CoChanges) Pairs() []store.CoChange {
	var found []store.CoChange
	for pair, count := range c.pairs {
		a, b := uint32(pair>>32), uint32(pair)
		lift := float64(count) * float64(c.commits) / (float64(c.touched[a]) * float64(c.touched[b]))
		if count < minTogether || lift <= 1 {
			continue
		}
		first, second := c.names[a], c.names[b]
		found = append(found, store.CoChange{A: min(first, second), B: max(first, second), Count: int(count), Lift: lift})
	}
	slices.SortFunc(found, func(x, y store.CoChange) int {
		return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	return found
}
