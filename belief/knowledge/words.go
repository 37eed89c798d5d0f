package knowledge

import (
	"context"
	"math"
	"slices"
	"strings"

	"patina/store"
	"patina/store/text"
)

const (
	maxWords = 64 // of a question
	// saturation is the most that one word adds, as a multiple of its idf: k1 + 1 in FTS5's BM25.
	saturation = 2.2
	// leastIDF is FTS5's idf for a word in half of the beliefs or more. Because it is not zero, the
	// words of the only belief still find it.
	leastIDF = 1e-6
)

// Matches returns how well beliefs match a question by words, by key, as a share of the attainable
// BM25. It includes beliefs of other views and statuses.
func Matches(ctx context.Context, r *store.Reader, q text.Question) (map[int64]float64, error) {
	words := queryWords(q)
	if len(words) == 0 {
		return nil, nil
	}
	attainable, err := attainableBy(ctx, r, words)
	if err != nil || attainable <= 0 {
		return nil, store.Damaged(err)
	}
	out := map[int64]float64{}
	const query = `SELECT rowid, bm25(belief_fts, 2.0, 2.0, 1.0, 1.0) FROM belief_fts WHERE belief_fts MATCH ?`
	err = r.EachRow(ctx, query, []any{strings.Join(words, " OR ")}, func(scan func(...any) error) error {
		var key int64
		var rank float64
		err := scan(&key, &rank)
		out[key] = min(1, max(0, -rank/attainable))
		return err
	})
	return out, store.Damaged(err)
}

// queryWords returns a question's different words and their parts as FTS5 strings, without stop
// words.
func queryWords(q text.Question) []string {
	var words []string
	add := func(w string) {
		if w = `"` + strings.ToLower(w) + `"`; !slices.Contains(words, w) && len(words) < maxWords {
			words = append(words, w)
		}
	}
	raw := q.Raw
	if q.Long {
		raw = q.Title
	}
	text.Runs(raw, func(run string) {
		if text.IsStop(strings.ToLower(run)) || !slices.Contains(q.Words, strings.ToLower(run)) {
			return
		}
		add(run)
		text.Parts(run, func(part string) {
			if !text.IsStop(strings.ToLower(part)) {
				add(part)
			}
		})
	})
	return words
}

// attainableBy returns the BM25 of a belief made only of the words.
func attainableBy(ctx context.Context, r *store.Reader, words []string) (float64, error) {
	var all int
	if err := r.QueryRow(ctx, `SELECT count(*) FROM belief`).Scan(&all); err != nil {
		return 0, err
	}
	sum := 0.0
	for _, w := range words {
		var n int
		if err := r.QueryRow(ctx, `SELECT count(*) FROM belief_fts WHERE belief_fts MATCH ?`, w).Scan(&n); err != nil {
			return 0, err
		}
		sum += max(leastIDF, math.Log((float64(all-n)+0.5)/(float64(n)+0.5)))
	}
	return saturation * sum, nil
}
