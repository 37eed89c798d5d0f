package lookup

import (
	"context"

	"patina/store"
)

const selectFrequent = `SELECT term, SUM(n) AS df FROM posting WHERE segment IN
	(SELECT id FROM segment WHERE space = ?) GROUP BY term HAVING df > 1 ORDER BY df DESC, term LIMIT ?`

// Frequencies returns the number of code chunks, and in how many of them each of the commonest
// terms occurs. Chunks of other working trees count for the terms, too.
func Frequencies(ctx context.Context, r *store.Reader, most int) (chunks int, df map[string]int, err error) {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return 0, nil, err
	}
	for _, g := range snap.Segments {
		if g.Space == string(store.Code) {
			chunks += g.Live
		}
	}
	df = make(map[string]int, most)
	err = r.EachRow(ctx, selectFrequent, []any{string(store.Code), most}, func(scan func(...any) error) error {
		var term string
		var n int
		err := scan(&term, &n)
		df[term] = n
		return err
	})
	return chunks, df, err
}
