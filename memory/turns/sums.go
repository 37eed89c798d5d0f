package turns

import (
	"slices"
	"time"

	"patina/memory/recall"
	"patina/store/text"
)

// sums are the scores of one segment's turns. All lists by turn or run are zero between segments,
// so that a segment costs its postings and not its turns.
type sums struct {
	field, lex, share []float32 // by turn
	isNear            []bool    // by turn: it or a turn up to three away may be among the best

	begin                    []uint32  // by run: its first turn, and last the end
	counts, runLex, runShare []float32 // by run; counts are of the current term

	touched, found []located // by the current term; by any
	seen           []uint32  // runs with counts or in a period
	scored         []uint32  // runs with a score
	postings       []text.Posting
	months         []time.Month // by run, if hasDays
	years          []int
	hasDays        bool
}

// A located is a turn and its run.
type located struct{ turn, run uint32 }

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
	least := float32(0) // a turn below it, before the bonus, is not among the best
	if len(r.best) == r.limit {
		least = r.best[0].score / (1 + recall.AskedBonus)
	}
	for j := range r.terms {
		r.terms[j].onlyElsewhere = r.terms[j].frequent || r.terms[j].rest < least
	}
	if !slices.ContainsFunc(r.terms, func(t term) bool { return !t.onlyElsewhere && t.lists[s.key].n > 0 }) {
		return nil // and so no turn is found here
	}
	a.reset(s)
	marked := false
	for j := range r.terms {
		t := &r.terms[j]
		if t.onlyElsewhere && !marked {
			marked = true
			a.markNear(least - t.rest)
		}
		if err := r.addTerm(s, t, a); err != nil {
			return err
		}
	}
	for _, l := range a.found {
		k, u := l.turn, l.run
		h := hit{segment: i, number: int(k), lex: a.lex[k] + a.runLex[u], share: (a.share[k] + a.runShare[u]) / r.mass}
		a.lex[k], a.share[k] = 0, 0
		if r.until != 0 && s.runs[u].day > r.until {
			continue
		}
		h.score = h.lex
		if r.me && s.roles[k] == userRole || r.mend && s.roles[k] == mendRole {
			h.score *= 1 + recall.AskedBonus
		}
		r.top = max(r.top, h.lex)
		r.keep(h)
	}
	for _, u := range a.scored {
		a.runLex[u], a.runShare[u] = 0, 0
	}
	if marked {
		clear(a.isNear)
	}
	return nil
}

// reset prepares the sums for a segment.
func (a *sums) reset(s *segment) {
	n := len(s.lengths)
	a.field, a.lex, a.share = grown(a.field, n), grown(a.lex, n), grown(a.share, n)
	a.isNear = grown(a.isNear, n)
	a.counts, a.runLex = grown(a.counts, len(s.runs)), grown(a.runLex, len(s.runs))
	a.runShare = grown(a.runShare, len(s.runs))
	a.found, a.scored, a.begin, a.hasDays = a.found[:0], a.scored[:0], a.begin[:0], false
	at := uint32(0)
	for _, r := range s.runs {
		a.begin = append(a.begin, at)
		at += r.turns
	}
	a.begin = append(a.begin, at)
}

// grown returns a list of zeros with at least n elements.
func grown[T any](list []T, n int) []T {
	if len(list) < n {
		return make([]T, n)
	}
	return list
}

// markNear marks the found turns with a score from least on, and their neighbours. The others
// cannot come among the best by the terms that are left.
func (a *sums) markNear(least float32) {
	for _, l := range a.found {
		if a.lex[l.turn]+a.runLex[l.run] < least {
			continue
		}
		first, end := a.begin[l.run], a.begin[l.run+1]
		for k := max(first+mostDistant, l.turn) - mostDistant; k < min(end, l.turn+mostDistant+1); k++ {
			a.isNear[k] = true
		}
	}
}

// mostSaturated is the bound of recall.Saturated.
const mostSaturated = 2.2

// mostDistant is the distance of the farthest neighbours whose words count.
const mostDistant = 3

// addTerm adds the scores of one word.
func (r *ranking) addTerm(s *segment, t *term, a *sums) (err error) {
	l := t.lists[s.key]
	if a.postings = a.postings[:0]; l.n > 0 {
		a.postings, err = text.DecodeList(l.list, l.n, uint32(len(s.lengths)), a.postings)
		if err != nil {
			return errSegment
		}
	}
	a.touched, a.seen = a.touched[:0], a.seen[:0]
	u := uint32(0)
	for _, p := range a.postings {
		for p.Chunk >= a.begin[u+1] {
			u++
		}
		if a.counts[u] == 0 {
			a.seen = append(a.seen, u)
		}
		a.counts[u] += float32(p.Impact)
		if !t.onlyElsewhere || a.isNear[p.Chunk] {
			r.addPosting(s, t, a, p.Chunk, u, float32(p.Impact))
		}
	}
	if t.month != 0 || t.year != 0 {
		a.addDays(s, t)
	}
	for _, l := range a.touched {
		k := l.turn
		base := r.base(s, t, a, l.run)
		tf := a.field[k] + base
		a.lex[k] += t.idf * (saturated(tf) - saturated(base))
		a.share[k] += t.rarity * (min(1, tf) - min(1, base))
		a.field[k] = 0
	}
	for _, u := range a.seen {
		base := r.base(s, t, a, u)
		if a.runLex[u] == 0 {
			a.scored = append(a.scored, u)
		}
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

// addPosting adds a turn with a word to the fields of that turn and its neighbours in its run u.
func (r *ranking) addPosting(s *segment, t *term, a *sums, k, u uint32, times float32) {
	first, end := a.begin[u], a.begin[u+1]
	a.touch(t, k, u, times*r.own[s.lengths[k]])
	length := recall.LengthOf(s.lengths[k])
	for d := uint32(1); d <= mostDistant; d++ {
		norm := r.near[d-1]
		if k+d < end {
			other := 0
			if k+2*d < end {
				other = recall.LengthOf(s.lengths[k+2*d])
			}
			a.touch(t, k+d, u, times*norm[length+other])
		}
		if k >= first+d {
			other := 0
			if k >= first+2*d {
				other = recall.LengthOf(s.lengths[k-2*d])
			}
			a.touch(t, k-d, u, times*norm[length+other])
		}
	}
}

// touch adds to the frequency of a term in the fields of a turn.
func (a *sums) touch(t *term, k, u uint32, tf float32) {
	if a.field[k] == 0 {
		if a.lex[k] == 0 {
			if t.onlyElsewhere {
				return
			}
			a.found = append(a.found, located{k, u})
			a.lex[k] = leastLex
		}
		a.touched = append(a.touched, located{k, u})
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
