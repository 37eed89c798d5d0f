package memory

import (
	"context"

	"patina/store/sqlite"
)

// An Amount counts memories.
type Amount struct {
	Texts int   // all
	Left  int   // those without a vector of a model
	Bytes int64 // of the content of those left
}

// Unembedded counts the memories for which a model, given by its name, has yet to make vectors.
func (s *Store) Unembedded(ctx context.Context, model string) (a Amount, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT count(*), ifnull(sum(missing), 0), ifnull(sum(missing * octet_length(content)), 0)
		FROM (SELECT content, NOT EXISTS (SELECT 1 FROM model WHERE name = ?) OR key IN (SELECT memory FROM unembedded)
			AS missing FROM memory)`, model).Scan(&a.Texts, &a.Left, &a.Bytes)
	return a, sqlite.Explain(err)
}
