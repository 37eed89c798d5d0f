package train

import (
	"cmp"
	"container/heap"
	"maps"
	"slices"
	"unicode/utf8"

	"patina/oracles/embed"
)

const (
	aboutWeight = 3    // for each word of a comment or heading
	bodyWeight  = 1    // for each word of a body
	countedBody = 1000 // bytes of a body whose words count
	rareWord    = 5    // words with a lower count are misspellings and random names
	// rareLetter is the count from which a letter outside ASCII has a piece.
	rareLetter = 300
)

// count adds an example's words to counts.
func count(counts map[string]int, e example) {
	for w := range embed.Words(e.about) {
		counts[string(w)] += aboutWeight
	}
	for w := range embed.Words(e.body[:min(len(e.body), countedBody)]) {
		counts[string(w)] += bodyWeight
	}
}

// vocabulary returns the most useful pieces of counted words by byte pair encoding (Sennrich et al.
// 2016). It starts with all letters. Until there are size pieces, it joins the most frequent
// neighbouring pair. Ties go to the alphabetically first pair.
func vocabulary(counts map[string]int, size int) (*embed.Vocabulary, error) {
	b := bpe{ids: map[string]int32{}, pairs: map[pair]int{}, where: map[pair][]int32{}}
	b.id(embed.Unknown)
	for c := byte(0); c < 128; c++ {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' {
			b.id(string(c))
			b.id(embed.Continued + string(c))
		}
	}
	letters := map[rune]int{}
	for w, n := range counts {
		for _, r := range w {
			letters[r] += n
		}
	}
	words := slices.Collect(maps.Keys(counts))
	slices.Sort(words)
	for _, w := range words {
		if n := counts[w]; n >= rareWord && !rare(w, letters) {
			b.add(w, n)
		}
	}
	for p, n := range b.pairs {
		b.queue = append(b.queue, candidate{p, n, b.text(p)})
	}
	heap.Init(&b.queue)
	for len(b.pieces) < size && b.join() {
	}
	return embed.NewVocabulary(b.pieces)
}

// rare reports whether a word is invalid or has a letter without a piece.
func rare(w string, letters map[rune]int) bool {
	if !utf8.ValidString(w) {
		return true
	}
	for _, r := range w {
		if r >= utf8.RuneSelf && letters[r] < rareLetter {
			return true
		}
	}
	return false
}

// A pair is two neighbouring pieces.
type pair struct{ a, b int32 }

// A countedWord is a word's current pieces and its count.
type countedWord struct {
	ids []int32
	n   int
}

// A candidate is a pair and its count at the time of queueing.
type candidate struct {
	pair pair
	n    int
	text string
}

type candidates []candidate

func (q candidates) Len() int      { return len(q) }
func (q candidates) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *candidates) Push(x any)   { *q = append(*q, x.(candidate)) }
func (q candidates) Less(i, j int) bool {
	a, b := q[i], q[j]
	return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.text, b.text), cmp.Compare(a.pair.a, b.pair.a)) < 0
}

func (q *candidates) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// bpe joins pairs of pieces.
type bpe struct {
	pieces []string
	ids    map[string]int32
	words  []countedWord
	pairs  map[pair]int     // count of each pair in all words
	where  map[pair][]int32 // words that may hold each pair
	queue  candidates
}

func (b *bpe) id(piece string) int32 {
	id, ok := b.ids[piece]
	if !ok {
		id = int32(len(b.pieces))
		b.ids[piece], b.pieces = id, append(b.pieces, piece)
	}
	return id
}

func (b *bpe) add(word string, n int) {
	w := countedWord{n: n}
	for i, r := range word {
		piece := string(r)
		if i > 0 {
			piece = embed.Continued + piece
		}
		w.ids = append(w.ids, b.id(piece))
	}
	b.words = append(b.words, w)
	b.enter(int32(len(b.words)-1), -1, func(pair) {})
}

// enter counts a word's pairs, and calls noted for those with the given piece, or for all if piece
// is negative.
func (b *bpe) enter(at, piece int32, noted func(pair)) {
	w := b.words[at]
	for i := range len(w.ids) - 1 {
		p := pair{w.ids[i], w.ids[i+1]}
		b.pairs[p] += w.n
		if piece >= 0 && p.a != piece && p.b != piece {
			continue
		}
		noted(p)
		if places := b.where[p]; len(places) == 0 || places[len(places)-1] != at {
			b.where[p] = append(places, at)
		}
	}
}

// text returns the joined piece of a pair.
func (b *bpe) text(p pair) string { return b.pieces[p.a] + b.pieces[p.b][len(embed.Continued):] }

// join makes a piece of the most frequent pair. It reports false if no pair occurs twice.
func (b *bpe) join() bool {
	for len(b.queue) > 0 {
		best := heap.Pop(&b.queue).(candidate)
		n := b.pairs[best.pair]
		if n != best.n { // the count has changed since; queue it again
			if n > 1 {
				best.n = n
				heap.Push(&b.queue, best)
			}
			continue
		}
		if n < 2 {
			return false
		}
		b.replace(best.pair, b.id(best.text))
		return true
	}
	return false
}

// replace replaces a pair by a piece in all words.
func (b *bpe) replace(p pair, piece int32) {
	places := b.where[p]
	delete(b.where, p)
	fresh := map[pair]bool{}
	for _, at := range places {
		w := &b.words[at]
		ids := w.ids
		for i := range len(ids) - 1 {
			b.pairs[pair{ids[i], ids[i+1]}] -= w.n
		}
		out := ids[:0]
		for i := 0; i < len(ids); i++ {
			if i+1 < len(ids) && ids[i] == p.a && ids[i+1] == p.b {
				out = append(out, piece)
				i++
			} else {
				out = append(out, ids[i])
			}
		}
		w.ids = out
		b.enter(at, piece, func(q pair) { fresh[q] = true })
	}
	delete(b.pairs, p)
	for q := range fresh {
		heap.Push(&b.queue, candidate{q, b.pairs[q], b.text(q)})
	}
}
