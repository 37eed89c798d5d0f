package sqlite

import (
	"context"
	"fmt"
)

// Check reads a whole database. The error wraps ErrDamaged if a page, a row or an index is not
// sound. Check does not examine the content of rows.
func Check(ctx context.Context, db Querier) error {
	var said string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&said); err != nil {
		return Explain(err)
	}
	if said != "ok" {
		return fmt.Errorf("%s: %w", said, ErrDamaged)
	}
	return nil
}
