package oracles

import (
	"cmp"
	"slices"
)

// shownChunks bounds the chunks listed for a document. A part is chosen from them (store/excerpt).
const shownChunks = 8

// A scored group is a candidate for a list.
type scored struct {
	key    int64
	score  float64
	chunks []int
}

// best keeps the groups with the highest scores; ties go to the lower key.
type best struct {
	limit int
	floor float64 // lower scores are too late
	items []scored
}

// add adds a group with its score and its chunks' scores.
func (b *best) add(key int64, score float64, chunks []float32) {
	if score <= 0 || score < b.floor {
		return
	}
	b.items = append(b.items, scored{key, score, topChunks(chunks)})
	if len(b.items) >= 2*b.limit {
		b.cut()
		b.floor = b.items[len(b.items)-1].score
	}
}

func (b *best) cut() []scored {
	slices.SortFunc(b.items, func(x, y scored) int {
		if x.score != y.score {
			return cmp.Compare(y.score, x.score)
		}
		return cmp.Compare(x.key, y.key)
	})
	b.items = b.items[:min(len(b.items), b.limit)]
	return b.items
}

// topChunks returns the ordinals of the highest scores, highest first.
func topChunks(scores []float32) []int {
	var top []int
	for i, s := range scores {
		if s <= 0 {
			continue
		}
		at := len(top)
		for at > 0 && scores[top[at-1]] < s {
			at--
		}
		if at < shownChunks {
			top = slices.Insert(top, at, i)
			top = top[:min(len(top), shownChunks)]
		}
	}
	return top
}
