package oracles

import (
	"cmp"
	"slices"

	"patina/store/doc"
)

// shownChunks is the number of chunks listed for a document. A part is chosen from them
// (store/excerpt).
const shownChunks = 8

// allChunks replaces shownChunks if the question is about one file, because then its places are the
// results. The lexical channel also lists as many if the question names a file.
const allChunks = 32

// chunksFor returns the number of chunks listed for a document with a filter.
func chunksFor(f doc.Filter) int {
	if _, ok := f.OneFile(); ok {
		return allChunks
	}
	return shownChunks
}

// A scored is a candidate for a list.
type scored struct {
	key    int64
	score  float64
	chunks []int
	near   []float64 // cosines of the chunks; nil unless ranked by meaning
	chance float64   // doc.Ranked.Chance; 0 unless ranked by meaning
}

// mostTied is the number of groups beyond a limit that are kept because they tie with the last one
// within it. Their names decide which come first, because an updated index has keys in another
// order than a fresh one.
const mostTied = 1000

// A wordList keeps the groups with the highest scores, and those that tie with the last of them.
type wordList struct {
	limit int
	floor float64 // lower scores cannot be in the list
	items []wordHit
	room  int // number of items at which they are cut
}

func (l *wordList) push(h wordHit) {
	if h.score <= 0 || h.score < l.floor {
		return
	}
	if l.items = append(l.items, h); len(l.items) >= max(l.room, 2*l.limit) {
		l.truncate()
		l.floor = max(l.floor, l.items[len(l.items)-1].score)
		l.room = 2 * len(l.items)
	}
}

func (l *wordList) truncate() {
	slices.SortFunc(l.items, func(x, y wordHit) int {
		if x.score != y.score {
			return cmp.Compare(y.score, x.score)
		}
		return cmp.Compare(x.key, y.key)
	})
	l.items = l.items[:withTies(len(l.items), l.limit, func(i int) float64 { return l.items[i].score })]
}

// withTies returns how many of n sorted scores are among the first limit or tie with the last of
// those.
func withTies(n, limit int, score func(i int) float64) int {
	if n <= limit {
		return n
	}
	end := limit
	for limit > 0 && end < min(n, limit+mostTied) && score(end) == score(limit-1) {
		end++
	}
	return end
}

// greatest finds the lowest of the limit greatest numbers.
type greatest struct {
	limit int
	floor float32   // that number; 0 if there are fewer than limit numbers
	heap  []float32 // a heap with the lowest on top
}

// push adds a number, which must be above floor.
func (t *greatest) push(x float32) {
	if len(t.heap) < t.limit {
		if t.heap = append(t.heap, x); len(t.heap) == t.limit {
			slices.Sort(t.heap)
			t.floor = t.heap[0]
		}
		return
	}
	at := 0
	for {
		child := 2*at + 1
		if child+1 < len(t.heap) && t.heap[child+1] < t.heap[child] {
			child++
		}
		if child >= len(t.heap) || t.heap[child] >= x {
			break
		}
		t.heap[at] = t.heap[child]
		at = child
	}
	t.heap[at] = x
	t.floor = t.heap[0]
}

// topChunks returns the ordinals of at most most chunks with the highest scores, the highest first.
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
