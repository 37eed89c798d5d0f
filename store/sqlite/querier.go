package sqlite

import (
	"context"
	"database/sql"
)

// A Querier asks a database: a pool, a connection or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// EachRow calls f for each row in a query's result.
func EachRow(ctx context.Context, q Querier, query string, values []any, f func(scan func(...any) error) error) error {
	rows, err := q.QueryContext(ctx, query, values...)
	if err != nil {
		return err
	}
	return ForEachRow(rows, f)
}

// ForEachRow calls f for each row, and closes them.
func ForEachRow(rows interface {
	Next() bool
	Scan(...any) error
	Err() error
	Close() error
}, f func(scan func(...any) error) error,
) error {
	defer func() { _ = rows.Close() }()
	scan := rows.Scan
	for rows.Next() {
		if err := f(scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
