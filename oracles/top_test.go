package oracles

import (
	"slices"
	"testing"
)

func TestTopChunks(t *testing.T) {
	for _, c := range []struct {
		scores []float32
		want   []int
	}{
		{nil, nil},
		{[]float32{0, 0}, nil},
		{[]float32{1, 3, 2}, []int{1, 2, 0}},
		{[]float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{[]float32{5, 1, 4, 2, 3, 6, 10, 9, 8, 7}, []int{6, 7, 8, 9, 5, 0, 2, 4}},
	} {
		if got := topChunks(c.scores, shownChunks); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.scores, got, c.want)
		}
	}
}
