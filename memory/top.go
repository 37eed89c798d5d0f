package memory

import (
	"cmp"
	"slices"
	"strconv"
)

// A top keeps the n best keys by score.
type top struct {
	n     int
	best  []scored // a heap with the worst first, once it is full
	worst float32
}

type scored struct {
	key   int64
	score float32
}

func newTop(n int) *top { return &top{n: n, best: make([]scored, 0, n)} }

// fits reports whether a key with this score would be kept.
func (t *top) fits(score float32) bool { return len(t.best) < t.n || score > t.worst }

func (t *top) addKey(key int64, score float32) {
	if len(t.best) < t.n {
		if t.best = append(t.best, scored{key, score}); len(t.best) == t.n {
			for i := t.n/2 - 1; i >= 0; i-- {
				t.sink(i)
			}
			t.worst = t.best[0].score
		}
		return
	}
	t.best[0] = scored{key, score}
	t.sink(0)
	t.worst = t.best[0].score
}

func (t *top) sink(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(t.best); c++ {
			if t.best[c].score < t.best[least].score {
				least = c
			}
		}
		if least == i {
			return
		}
		t.best[i], t.best[least] = t.best[least], t.best[i]
		i = least
	}
}

// keys returns the keys, best first.
func (t *top) keys() []int64 {
	slices.SortFunc(t.best,
		func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.key, b.key)) })
	out := make([]int64, len(t.best))
	for i, x := range t.best {
		out[i] = x.key
	}
	return out
}

// jsonOf returns keys as a JSON array, for json_each.
func jsonOf(keys []int64) string {
	b := []byte{'['}
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, k, 10)
	}
	return string(append(b, ']'))
}
