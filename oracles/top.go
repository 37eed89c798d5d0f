package oracles

import (
	"cmp"
	"slices"

	"patina/store"
)

// shownChunks bounds the chunks listed for a document. A part is chosen from them (store/excerpt).
const shownChunks = 8

// allChunks is the same where the question is about one file, whose places are results. Lexical
// lists so many as well where the question names a file.
const allChunks = 32

// chunksFor returns how many chunks are listed for a document behind a filter.
func chunksFor(f store.Filter) int {
	if _, ok := f.OneFile(); ok {
		return allChunks
	}
	return shownChunks
}

// A scored group is a candidate for a list.
type scored struct {
	key    int64
	score  float64
	chunks []int
	near   []float64 // of the chunks; by meaning only
	chance float64   // by meaning only
}

// best keeps the groups with the highest scores; ties go to the lower key.
type best struct {
	limit  int
	chunks int     // listed for a group
	floor  float64 // lower scores are too late
	items  []scored
}

// add adds a group with its score and its chunks' scores.
func (b *best) add(key int64, score float64, chunks []float32) {
	if score <= 0 || score < b.floor {
		return
	}
	b.items = append(b.items, scored{key: key, score: score, chunks: topChunks(chunks, b.chunks)})
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

// topChunks returns the ordinals of the highest scores, highest first, at most so many.
func topChunks(scores []float32, most int) []int {
	top := make([]int, 0, min(len(scores), most))
	for i, s := range scores {
		if s <= 0 {
			continue
		}
		at := len(top)
		for at > 0 && scores[top[at-1]] < s {
			at--
		}
		if at < most {
			top = slices.Insert(top[:min(len(top), most-1)], at, i)
		}
	}
	return top
}
