package oracles

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// bestFirst yields the same order as sorting, whatever the size of the batches.
func TestBestFirstIsSorted(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		var all []voter
		for i := range n {
			all = append(all, voter{key: int64(i), score: float64(random.IntN(9))})
		}
		var want, got []int64
		for _, x := range slices.SortedFunc(slices.Values(all), func(x, y voter) int {
			return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(y.key, x.key))
		}) {
			want = append(want, x.key)
		}
		for batch := range bestFirst(all, 1+n%7) {
			for _, x := range batch {
				got = append(got, x.key)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d: %v, want %v", n, got, want)
		}
	}
}
