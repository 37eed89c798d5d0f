package fusion

import (
	"cmp"
	"slices"
)

// A question asks for news if it has two words: one for a recent time, and one for a change.
var (
	recency = newWordSet("recent recently lately latest newest")
	changes = newWordSet("change changes changed changing commit commits happened happening")
)

// NewsWords returns the words by which a question asks for news, such as "what changed recently in
// the parser" or "latest commits about postings". It returns nil if the question does not ask for
// news. Callers should not search for these words, because answers hold them only by chance.
func NewsWords(question string) []string {
	ws := intentWords(question)
	if !asksForNews(ws) {
		return nil
	}
	var out []string
	for _, w := range ws {
		if recency[w] || changes[w] {
			out = append(out, w)
		}
	}
	return out
}

// ChangeWords returns the words of a question that say that something was done. If the question
// names a time or an author, commits hold these words only by chance.
func ChangeWords(question string) (out []string) {
	for _, w := range intentWords(question) {
		if changes[w] {
			out = append(out, w)
		}
	}
	return out
}

// hasAge reports whether the age of any result is known.
func hasAge(rs []Result) bool {
	return slices.ContainsFunc(rs, func(r Result) bool { return r.Evidence.Time != 0 })
}

// newsPart is the part of the best share that makes a commit relevant. At one half, one of two
// equally rare words is enough.
const newsPart = 0.5

// newestFirst puts the relevant results first, the newest before the others. The rest follows in
// its order.
func newestFirst(rs []Result) []Result {
	best := 0.0
	for i := range rs {
		best = max(best, rs[i].Share)
	}
	var first, later []Result
	for _, r := range rs {
		if r.Share >= max(irrelevantBelow, newsPart*best) {
			first = append(first, r)
		} else {
			later = append(later, r)
		}
	}
	slices.SortStableFunc(first, func(a, b Result) int { return cmp.Compare(b.Evidence.Time, a.Evidence.Time) })
	return append(first, later...)
}

func asksForNews(ws []string) bool {
	return recency.hasAny(ws) && changes.hasAny(ws) && !imperatives[ws[0]]
}
