package oracles

import (
	"math/rand/v2"
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

// The floor is the lowest of the greatest numbers, once there are limit of them.
func TestGreatest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		limit := 1 + r.IntN(20)
		g := greatest{limit: limit}
		var all []float32
		for range r.IntN(100) {
			x := float32(1 + r.IntN(30))
			if all = append(all, x); x > g.floor {
				g.push(x)
			}
			slices.Sort(all)
			want := float32(0)
			if len(all) >= limit {
				want = all[len(all)-limit]
			}
			if g.floor != want {
				t.Fatalf("floor %v of the best %d of %v, want %v", g.floor, limit, all, want)
			}
		}
	}
}

// A list keeps the best items and those that tie with the last of them, whatever their order.
func TestWordList(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		l := wordList{limit: 1 + r.IntN(10)}
		var all []wordHit
		for key := range int64(r.IntN(100)) {
			h := wordHit{key: key, score: float64(1 + r.IntN(20))}
			all = append(all, h)
			l.push(h)
		}
		l.push(wordHit{key: -1}) // without a score
		l.truncate()
		slices.SortStableFunc(all, func(a, b wordHit) int { return int(b.score - a.score) })
		end := min(len(all), l.limit)
		for end > 0 && end < len(all) && all[end].score == all[l.limit-1].score {
			end++
		}
		if want := all[:end]; !slices.Equal(l.items, want) {
			t.Fatalf("%v, want %v", l.items, want)
		}
	}
}
