package turns

import (
	"cmp"
	"container/heap"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/memory/recall"
)

// A posted is the list of a word in one segment.
type posted struct {
	n    int
	list []byte
}

// A term is a word of a question.
type term struct {
	word          string
	lists         map[int64]posted // by segment
	n             int              // turns with the word
	idf, rarity   float32
	frequent      bool    // it must not bring turns into the ranking
	rest          float32 // the most that this term and all more frequent ones can add to a score
	onlyElsewhere bool    // in the current segment, it scores only turns that a rarer word has found
	month         time.Month
	year          int
}

// fullPostings bounds the postings that may bring new turns into the ranking, in all words from the
// rarest on. The words beyond are so common that a turn without any of the others is no answer.
const fullPostings = 25_000

// A hit is a ranked turn.
type hit struct {
	segment int // its index
	number  int // of the turn in it
	lex     float32
	score   float32
	share   float32
}

// A ranking ranks the turns of segments for a question. It is arithmetic only.
type ranking struct {
	segments []segment
	terms    []term
	until    uint32 // only runs begun until this day; 0: all
	limit    int
	me, mend bool // the question is about the user, or about a mend

	own     [256]float32           // 1 / length norm by compressed length
	near    [mostDistant][]float32 // by the sum of two lengths
	session float32                // average length of a session, in words
	mass    float32                // of all terms' rarity
	best    hits
	top     float32 // the highest lex
}

// newRanking returns a ranking. Terms must have their lists.
func newRanking(segments []segment, terms []term, question string, limit int) *ranking {
	r := &ranking{segments: segments, terms: terms, limit: limit}
	all, words, runs := 0, 0, 0.0
	var near [mostDistant]int // words of all turns' neighbours, by distance
	for _, s := range segments {
		all += len(s.lengths)
		words += s.words
		first := 0
		for _, u := range s.runs {
			runs += float64(u.words) * float64(u.turns)
			lengths := s.lengths[first : first+int(u.turns)]
			for d := range near {
				near[d] += neighbourWords(lengths, int(u.words), d+1)
			}
			first += int(u.turns)
		}
	}
	average := float64(words) / float64(max(all, 1))
	r.session = float32(runs / float64(max(all, 1)))
	for c := range r.own {
		r.own[c] = float32(recall.Weigh(recall.Own, 1, float64(recall.LengthOf(byte(c))), average))
	}
	longest := 2 * recall.LengthOf(255)
	for d := range r.near {
		r.near[d] = make([]float32, longest+1)
		field := recall.Near1 + recall.Field(d)
		for n := range r.near[d] {
			r.near[d][n] = float32(recall.Weigh(field, 1, float64(n), float64(near[d])/float64(max(all, 1))))
		}
	}
	r.weighTerms(all)
	for w := range strings.FieldsSeq(strings.ToLower(question)) {
		switch strings.Trim(w, ".,;:!?'\"") {
		case "i", "my", "me", "we", "our", "mine", "i'm", "i've", "user":
			r.me = true
		case "fix", "fixed", "fixes", "mend", "mended", "mends", "repair", "repaired", "solve", "solved", "resolve",
			"resolved", "helped":
			r.mend = true
		}
	}
	return r
}

// neighbourWords returns the number of words in all neighbours at a distance, of turns with some
// lengths and words in all.
func neighbourWords(lengths []byte, words, distance int) int {
	n := 2 * words
	// The first ones follow no turn, and the last ones precede no turn.
	for i := range min(distance, len(lengths)) {
		n -= recall.LengthOf(lengths[i]) + recall.LengthOf(lengths[len(lengths)-1-i])
	}
	return max(0, n)
}

func (r *ranking) weighTerms(all int) {
	months := map[string]time.Month{}
	for m := time.January; m <= time.December; m++ {
		for _, w := range recall.Words(m.String()) {
			months[w] = m
		}
	}
	postings := 0
	slices.SortStableFunc(r.terms, func(a, b term) int { return cmp.Compare(a.n, b.n) })
	for i := range r.terms {
		t := &r.terms[i]
		t.idf, t.rarity = float32(recall.IDF(t.n, all)), float32(recall.Rarity(t.n, all))
		r.mass += t.rarity
		t.month = months[t.word]
		if y, err := strconv.Atoi(t.word); err == nil && y >= 1970 && y < 2200 {
			t.year = y
		}
		t.frequent = postings > 0 && postings+t.n > fullPostings
		postings += t.n
	}
	rest := float32(0)
	for i := range slices.Backward(r.terms) {
		rest += r.terms[i].idf * mostSaturated
		r.terms[i].rest = rest
	}
}

// hits is a heap with the worst hit first.
type hits []hit

func (h hits) Len() int           { return len(h) }
func (h hits) Less(i, j int) bool { return worse(h[i], h[j]) }
func (h hits) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *hits) Push(x any)        { *h = append(*h, x.(hit)) }
func (h *hits) Pop() any          { panic("not used") }

// worse orders hits by score, and of equal ones the earlier is worse.
func worse(a, b hit) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	return cmp.Or(cmp.Compare(a.segment, b.segment), cmp.Compare(a.number, b.number)) < 0
}

// keep keeps a hit if it is among the best.
func (r *ranking) keep(h hit) {
	switch {
	case len(r.best) == r.limit && h.score < r.best[0].score:
	case len(r.best) < r.limit:
		heap.Push(&r.best, h)
	case worse(r.best[0], h):
		r.best[0] = h
		heap.Fix(&r.best, 0)
	}
}

// ordered returns the best hits, best first, with scores as a share of the highest.
func (r *ranking) ordered() []hit {
	out := slices.Clone(r.best)
	slices.SortFunc(out, func(a, b hit) int {
		if worse(b, a) {
			return -1
		}
		return 1
	})
	for i := range out {
		out[i].score /= r.top
	}
	return out
}
