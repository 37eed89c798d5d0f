package oracles

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"patina/store"
	"patina/store/text"
)

const (
	// LongTerms is the number of stems that rank a long text: those with the greatest weight · idf.
	// Sixty lose no quality and read a fifth of the postings (docs/ranking.md, "Long texts").
	LongTerms = 60
	// longVotes is LongTerms for commit subjects. Subjects are short, so in practice all stems
	// count.
	longVotes = 256
	// commonShare is the share of chunks above which a word of a long text is too common to count.
	commonShare = 1.0 / 3
)

// heaviestTerms returns the terms that rank a long text, the heaviest first, and the share of its
// terms that occur anywhere. Words of commit subjects are never too common.
func heaviestTerms(
	ctx context.Context, r *store.Reader, segs []*store.Segment, q text.Question, wantSubjects bool,
) (kept []string, known float64, err error) {
	asked := q.Terms[:min(len(q.Terms), maxDistinct)]
	if len(segs) == 0 || len(asked) == 0 {
		return nil, 0, nil
	}
	n, err := r.Frequencies(ctx, segs, asked)
	if err != nil {
		return nil, 0, err
	}
	known = float64(len(n)) / float64(len(asked))
	total := 0
	for _, g := range segs {
		total += int(g.Chunks)
	}
	limit := longVotes
	if !wantSubjects {
		limit = LongTerms
		maps.DeleteFunc(n, func(term string, df int) bool { return isEmptyTerm(term, df, total) })
	}
	value := func(term string) float64 { return q.Weights[term] * text.IDF(n[term], total) }
	kept = slices.Collect(maps.Keys(n))
	slices.SortFunc(kept, func(a, b string) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), cmp.Compare(a, b))
	})
	return kept[:min(len(kept), limit)], known, nil
}

// isEmptyTerm reports whether a term of a long text says nothing: a single character, a number, or
// a word in over a third of all chunks.
func isEmptyTerm(term string, df, total int) bool {
	return utf8.RuneCountInString(term) < 2 || isNumber(term) ||
		float64(df) > commonShare*float64(total)
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
