package route

import (
	"cmp"
	"hash/fnv"
	"math/bits"
	"slices"
	"strings"
)

// Bounds of a filter. It has at least filterBits bits for each name, of which filterHashes are set.
const (
	filterBits   = 10
	filterHashes = 5
	maxFilter    = 16 << 10 // bytes
	// ShortestName is the length in bytes of the shortest name in a filter. Shorter names are left
	// out because every project has them.
	ShortestName = 4
)

// A filter is a Bloom filter of names in lower case. Its size in bytes must be a power of two, or
// 0. A nil filter is empty.
type filter []byte

// newFilter returns a filter of names, or nil if all are too short. If there are too many, it holds
// the longest, because these are the rarest.
func newFilter(names []string) filter {
	most := 8 * maxFilter / filterBits
	kept := make([]string, 0, len(names))
	for _, name := range names {
		if len(name) >= ShortestName {
			kept = append(kept, strings.ToLower(name))
		}
	}
	slices.SortFunc(kept, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	kept = slices.Compact(kept)
	kept = kept[:min(len(kept), most)]
	if len(kept) == 0 {
		return nil
	}
	f := make(filter, 1<<bits.Len(uint(len(kept)*filterBits-1)/8))
	for _, name := range kept {
		f.eachBit(name, func(i uint32) bool { f[i/8] |= 1 << (i % 8); return true })
	}
	return f
}

// has reports whether a name may be in the filter. It is sometimes true for a name that is not.
func (f filter) has(name string) bool {
	found := len(f) > 0 && len(name) >= ShortestName
	if found {
		f.eachBit(strings.ToLower(name), func(i uint32) bool {
			found = f[i/8]&(1<<(i%8)) != 0
			return found
		})
	}
	return found
}

// eachBit calls do with the bits of a name until it returns false. f must not be empty.
func (f filter) eachBit(name string, do func(i uint32) bool) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	sum := h.Sum64()
	at, step := uint32(sum), uint32(sum>>32)|1
	for range filterHashes {
		if !do(at & uint32(8*len(f)-1)) {
			return
		}
		at += step
	}
}

// isFilterSize reports whether n is a legal size of a filter.
func isFilterSize(n int) bool { return n >= 0 && n <= maxFilter && n&(n-1) == 0 }
