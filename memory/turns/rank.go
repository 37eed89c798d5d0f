package turns

import (
	"cmp"
	"container/heap"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/memory/recall"
	"patina/store/text"
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
	onlyElsewhere bool // it scores only turns that a rarer word has found
	month         time.Month
	year          int
}

// fullPostings bounds the postings that may bring new turns into the ranking, in all words from the
// rarest on. The words beyond are so common that a turn without any of the others is no answer.
const fullPostings = 60_000

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

	own     [256]float32 // 1 / length norm by compressed length
	near    [3][]float32 // by the sum of two lengths
	session float32      // average length of a session, in words
	mass    float32      // of all terms' rarity
	best    hits
	top     float32 // the highest lex
}

// newRanking returns a ranking. Terms must have their lists.
func newRanking(segments []segment, terms []term, question string, limit int) *ranking {
	r := &ranking{segments: segments, terms: terms, limit: limit}
	all, words, runs := 0, 0, 0.0
	var pairs [3]float64
	for _, s := range segments {
		all += len(s.lengths)
		words += s.words
		for _, u := range s.runs {
			runs += float64(u.words) * float64(u.turns)
			for d := range pairs {
				pairs[d] += 2 * max(0, float64(u.turns)-float64(d+1))
			}
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
			r.near[d][n] = float32(recall.Weigh(field, 1, float64(n), average*pairs[d]/float64(max(all, 1))))
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
		t.onlyElsewhere = postings > 0 && postings+t.n > fullPostings
		postings += t.n
	}
}

// sums are the scores of one segment's turns.
type sums struct {
	field, lex, share []float32
	touched, found    []uint32 // by the current term; by any
	runOf             []uint32
	counts            []float32 // of the current term, by run
	runLex, runShare  []float32
	begin             []uint32 // first turn by run, with the end of the last
	postings          []text.Posting
	seen              []uint32 // runs with counts
	months            []time.Month
	years             []int
	hasDays           bool
}

// rankAll ranks all segments.
func (r *ranking) rankAll() error {
	var a sums
	for i := range r.segments {
		if err := r.rankSegment(i, &a); err != nil {
			return err
		}
	}
	return nil
}

func (r *ranking) rankSegment(i int, a *sums) error {
	s := &r.segments[i]
	if !slices.ContainsFunc(r.terms, func(t term) bool { return t.lists[s.key].n > 0 }) {
		return nil
	}
	a.reset(s)
	for j := range r.terms {
		if err := r.addTerm(s, &r.terms[j], a); err != nil {
			return err
		}
	}
	for _, k := range a.found {
		u := a.runOf[k]
		if r.until != 0 && s.runs[u].day > r.until {
			continue
		}
		h := hit{segment: i, number: int(k), lex: a.lex[k] + a.runLex[u], share: (a.share[k] + a.runShare[u]) / r.mass}
		h.score = h.lex
		if r.me && s.roles[k] == userRole || r.mend && s.roles[k] == mendRole {
			h.score *= 1 + recall.AskedBonus
		}
		r.top = max(r.top, h.lex)
		r.keep(h)
	}
	return nil
}

// reset prepares the sums for a segment.
func (a *sums) reset(s *segment) {
	n := len(s.lengths)
	a.field, a.lex, a.share = zeroed(a.field, n), zeroed(a.lex, n), zeroed(a.share, n)
	a.runOf = zeroed(a.runOf, n)
	a.counts, a.runLex = zeroed(a.counts, len(s.runs)), zeroed(a.runLex, len(s.runs))
	a.runShare, a.begin = zeroed(a.runShare, len(s.runs)), zeroed(a.begin, len(s.runs)+1)
	a.found, a.hasDays = a.found[:0], false
	at := uint32(0)
	for u, r := range s.runs {
		a.begin[u] = at
		for range r.turns {
			a.runOf[at] = uint32(u)
			at++
		}
	}
	a.begin[len(s.runs)] = at
}

func zeroed[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// addTerm adds the scores of one word.
func (r *ranking) addTerm(s *segment, t *term, a *sums) (err error) {
	l := t.lists[s.key]
	a.postings, err = text.DecodeList(l.list, l.n, uint32(len(s.lengths)), a.postings[:0])
	if l.n == 0 {
		a.postings, err = a.postings[:0], nil
	}
	if err != nil {
		return errSegment
	}
	a.touched, a.seen = a.touched[:0], a.seen[:0]
	for _, p := range a.postings {
		if u := a.runOf[p.Chunk]; a.counts[u] == 0 {
			a.seen = append(a.seen, u)
			a.counts[u] = float32(p.Impact)
		} else {
			a.counts[u] += float32(p.Impact)
		}
		r.addPosting(s, t, a, p.Chunk, float32(p.Impact))
	}
	if t.month != 0 || t.year != 0 {
		a.addDays(s, t)
	}
	for _, k := range a.touched {
		base := r.base(s, t, a, a.runOf[k])
		tf := a.field[k] + base
		a.lex[k] += t.idf * (saturated(tf) - saturated(base))
		a.share[k] += t.rarity * (min(1, tf) - min(1, base))
		a.field[k] = 0
	}
	for _, u := range a.seen {
		base := r.base(s, t, a, u)
		a.runLex[u] += t.idf * saturated(base)
		a.runShare[u] += t.rarity * min(1, base)
	}
	for _, u := range a.seen {
		a.counts[u] = 0
	}
	return nil
}

// saturated is recall.Saturated for the type of the sums.
func saturated(tf float32) float32 { return float32(recall.Saturated(float64(tf))) }

// addPosting adds a turn with a word to the fields of that turn and its neighbours.
func (r *ranking) addPosting(s *segment, t *term, a *sums, k uint32, times float32) {
	u := a.runOf[k]
	first, end := a.begin[u], a.begin[u+1]
	a.touch(t, k, times*r.own[s.lengths[k]])
	length := recall.LengthOf(s.lengths[k])
	for d := uint32(1); d <= 3; d++ {
		norm := r.near[d-1]
		if k+d < end {
			other := 0
			if k+2*d < end {
				other = recall.LengthOf(s.lengths[k+2*d])
			}
			a.touch(t, k+d, times*norm[length+other])
		}
		if k >= first+d {
			other := 0
			if k >= first+2*d {
				other = recall.LengthOf(s.lengths[k-2*d])
			}
			a.touch(t, k-d, times*norm[length+other])
		}
	}
}

// touch adds to the frequency of a term in the fields of a turn.
func (a *sums) touch(t *term, k uint32, tf float32) {
	if a.field[k] == 0 {
		if a.lex[k] == 0 {
			if t.onlyElsewhere {
				return
			}
			a.found = append(a.found, k)
			a.lex[k] = leastLex
		}
		a.touched = append(a.touched, k)
	}
	a.field[k] += tf
}

// leastLex marks a turn as found.
const leastLex = 1e-9

// base returns the frequency of a term in the fields that all turns of a run share: the session,
// and its month and year.
func (r *ranking) base(s *segment, t *term, a *sums, u uint32) float32 {
	tf := float32(0)
	if n := a.counts[u]; n > 0 {
		tf = float32(recall.Weigh(recall.Session, float64(n), float64(s.runs[u].words), float64(r.session)))
	}
	if (t.month != 0 || t.year != 0) && s.runs[u].day != 0 {
		if t.month != 0 && a.months[u] == t.month || t.year != 0 && a.years[u] == t.year {
			tf += float32(recall.Weigh(recall.Month, 1, 0, 0))
		}
	}
	return tf
}

// addDays notes the runs in the term's month or year as seen.
func (a *sums) addDays(s *segment, t *term) {
	if !a.hasDays {
		a.months, a.years = a.months[:0], a.years[:0]
		for _, r := range s.runs {
			day := time.Unix(int64(r.day)*secondsDay, 0).UTC()
			a.months, a.years = append(a.months, day.Month()), append(a.years, day.Year())
		}
		a.hasDays = true
	}
	for u, r := range s.runs {
		if r.day != 0 && a.counts[u] == 0 && (a.months[u] == t.month || a.years[u] == t.year) {
			a.seen = append(a.seen, uint32(u))
		}
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
