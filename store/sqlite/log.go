package sqlite

import (
	"context"
	"database/sql"
)

// Share ends a Fresh database's private state: others may then read it during updates.
func Share(ctx context.Context, c *sql.Conn) error {
	_, err := c.ExecContext(ctx, "PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL")
	return err
}

// Checkpoint moves the log into the database, which bounds the log, and reports whether it did. It
// waits for nobody: a reader busy with the log only postpones it.
func Checkpoint(ctx context.Context, c *sql.Conn) bool {
	_, _ = c.ExecContext(ctx, "PRAGMA busy_timeout = 0")
	held := 1
	row := c.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return row.Scan(&held, new(int), new(int)) == nil && held == 0
}
