package sqlite

import (
	"context"
	"fmt"
)

// Check reads a whole database, and returns ErrDamaged if a page, a row or an index is not sound.
// It does not know what rows say.
func Check(ctx context.Context, db querier) error {
	var said string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said); err != nil {
		return Explain(err)
	}
	if said != "ok" {
		return fmt.Errorf("%s: %w", said, ErrDamaged)
	}
	return nil
}
