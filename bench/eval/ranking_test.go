package eval

import (
	"slices"
	"testing"
)

func TestBestChunkCountsAndTiesGoByNumber(t *testing.T) {
	files := []int{0, 0, 1, 2, 3}
	got := RankByBest(4, files, []float64{1, 5, 5, -2, 7})
	if want := (Ranking{3, 0, 1}); !slices.Equal(got, want) {
		t.Errorf("ranked %v, want %v", got, want)
	}
}
