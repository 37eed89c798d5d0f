package sqlite

import (
	"context"
	"database/sql"
)

// Share ends the private state of a Fresh database. Others may then read it during updates.
func Share(ctx context.Context, c *sql.Conn) error {
	_, err := c.ExecContext(ctx, "PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL")
	return err
}

// Checkpoint moves the log into the database, because the log would grow without bound otherwise,
// and reports whether it did. It does not wait: a reader that uses the log only postpones it.
func Checkpoint(ctx context.Context, c *sql.Conn) bool {
	_, _ = c.ExecContext(ctx, "PRAGMA busy_timeout = 0")
	held := 1
	row := c.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return row.Scan(&held, new(int), new(int)) == nil && held == 0
}
