package fusion

import (
	"cmp"
	"slices"
)

// A question asks for news with two words: one for a time, and one for a change.
var (
	recency = newWordSet("recent recently lately latest newest")
	changes = newWordSet("change changes changed changing commit commits happened happening")
)

// NewsWords returns the words by which a question asks for news, or none. Examples are "what
// changed recently in the parser" and "latest commits about postings". Answers hold these words by
// chance alone.
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

// ChangeWords returns the words of a question that say that something was done. Where it says when,
// or by whom, commits hold them by chance alone.
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

// A commit is relevant among others if it has this part of the best one's share. At half, one of
// two equally rare words is enough.
const newsPart = 0.5

// newestFirst puts the relevant commits before the others, newest first. The others keep their
// order.
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
