package git

import (
	"cmp"
	"slices"

	"patina/store/doc"
)

const (
	// maxTogether is the most files in a commit that counts for pairs. A larger one is a rewrite.
	maxTogether = 50
	minTogether = 3       // commits that must have touched both
	maxPairs    = 1 << 20 // distinct pairs counted at once: some 40 MB
)

// CoChanges counts how often files change together. Commits must be added from oldest to newest.
// The zero value is ready to use. It must not be used concurrently.
//
// Its memory is bounded. Beyond a million distinct pairs, the rarest are forgotten until half of
// them are left (lossy counting, Manku and Motwani 2002). So a rare, old pair may be missing, and a
// later count may be too low. It is never too high. Frequent pairs lose nothing. A history with
// 50,000 commits stays below the limit.
type CoChanges struct {
	numbers map[string]uint32
	names   []string
	touched []uint32          // commits per file
	pairs   map[uint64]uint32 // lower number << 32 | higher number → commits with both
	commits int
	limit   int // of len(pairs); maxPairs except in tests
}

// Add counts one commit, which must not be a merge. then has its files under their paths at that
// time, and later the same files under their current paths. Both are counted because pairs of
// today's paths then have all their commits, and pairs with a deleted path keep theirs.
//
// A commit without files or with more than 50 is ignored. A commit with one file counts for the
// file and for the number of commits.
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
	for _, a := range unionOf(before, after) {
		c.touched[a]++
	}
	pairs := unionOf(pairsIn(before), pairsIn(after))
	for _, p := range pairs {
		c.pairs[p]++
	}
	if len(c.pairs) > c.limit {
		c.forgetRarest()
	}
}

// numbered returns the numbers of files, sorted and without duplicates.
func (c *CoChanges) numbered(files []string) []uint32 {
	set := make([]uint32, len(files))
	for i, f := range files {
		set[i] = c.numberOf(f)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// pairsIn returns all pairs in a set, sorted. The set must be sorted.
func pairsIn(set []uint32) []uint64 {
	out := make([]uint64, 0, len(set)*(len(set)-1)/2)
	for i, a := range set {
		for _, b := range set[i+1:] {
			out = append(out, uint64(a)<<32|uint64(b))
		}
	}
	return out
}

// unionOf joins two sorted sets. It returns a itself if they are equal, as they mostly are.
func unionOf[T cmp.Ordered](a, b []T) []T {
	if slices.Equal(a, b) {
		return a
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *CoChanges) numberOf(file string) uint32 {
	n, ok := c.numbers[file]
	if !ok {
		n = uint32(len(c.names))
		c.numbers[file] = n
		c.names = append(c.names, file)
		c.touched = append(c.touched, 0)
	}
	return n
}

// forgetRarest drops the rarest pairs until at most half the limit is left.
func (c *CoChanges) forgetRarest() {
	for least := uint32(1); len(c.pairs) > c.limit/2; least++ {
		for pair, count := range c.pairs {
			if count <= least {
				delete(c.pairs, pair)
			}
		}
	}
}

// Pairs returns the pairs sorted by name, or nil. At least three commits must have touched both
// files, and more often than by chance (lift > 1).
func (c *CoChanges) Pairs() []doc.CoChange {
	var found []doc.CoChange
	for pair, count := range c.pairs {
		a, b := uint32(pair>>32), uint32(pair)
		lift := float64(count) * float64(c.commits) / (float64(c.touched[a]) * float64(c.touched[b]))
		if count < minTogether || lift <= 1 {
			continue
		}
		first, second := c.names[a], c.names[b]
		found = append(found, doc.CoChange{A: min(first, second), B: max(first, second), Count: int(count), Lift: lift})
	}
	slices.SortFunc(found, func(x, y doc.CoChange) int {
		return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	return found
}
